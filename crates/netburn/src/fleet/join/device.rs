//! This device's own agent, on threads of its own, and the stream to it.

use std::io;
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::time::timeout;

use crate::agent;
use crate::fleet::resume::conversation::Conversation;

/// How long the agent may take to end once its stream is closed.
const END: Duration = Duration::from_secs(2);

/// An agent in this process.
#[derive(Debug)]
pub(super) struct Device {
    /// Our end of its stream.
    stream: UnixStream,
    ended: oneshot::Receiver<io::Result<()>>,
}

impl Device {
    pub(super) fn start() -> io::Result<Self> {
        let (ours, agents) = UnixStream::pair()?;
        ours.set_nonblocking(true)?;
        let (input, output) = (agents.try_clone()?, agents.try_clone()?);
        let (tell, ended) = oneshot::channel();
        std::thread::Builder::new().name("netburn-agent".to_owned()).spawn(move || {
            let done = agent::run(input, output);
            // A thread of the agent may still hold its end.
            let _ = agents.shutdown(Shutdown::Both);
            let _ = tell.send(done);
        })?;
        Ok(Self { stream: ours, ended })
    }

    /// Carries what the agent says and hears; never ends.
    pub(super) async fn speak(&self, conversation: &Conversation) {
        let stream = self.stream.try_clone().and_then(tokio::net::UnixStream::from_std);
        if let Ok(stream) = stream {
            let (read, write) = stream.into_split();
            tokio::join!(conversation.gather(read), conversation.deliver(write));
        }
        std::future::pending().await
    }

    /// Closes the agent's stream, which ends its load, and sees it end.
    pub(super) async fn end(self) {
        let _ = self.stream.shutdown(Shutdown::Both);
        // The process ends in any case, and the agent with it.
        let _ = timeout(END, self.ended).await;
    }
}
