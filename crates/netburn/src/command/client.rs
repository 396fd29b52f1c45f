//! `netburn client`: this device alone, against a running server or any web server.

use std::time::Duration;

use burn_model::plan::{Arrival, Plan, Rate};
use netburn_io::client::{LearnError, RequestKind, ResolveError, learn_url};

use super::show::{self, out_folder};
use super::{Failure, page};
use crate::cli::{Client, ColorChoice};
use crate::control::message::Source;
use crate::controller::{Joining, Options, execute};
use crate::exit::Exit;
use crate::scenario;

/// How long the first fetch of a URL may take.
const LEARN_TIMEOUT: Duration = Duration::from_secs(10);

pub(super) fn client(args: &Client, color: ColorChoice) -> Result<Exit, Failure> {
    page::check(args.show.html.as_deref())?;
    let (server, url) = match (&args.server, &args.url) {
        (Some(server), _) => (server.clone(), None),
        (None, Some(url)) => {
            let target = learn_url(url, LEARN_TIMEOUT).map_err(|error| match error {
                LearnError::Resolve(ResolveError::Encrypted { .. } | ResolveError::Malformed { .. }) => {
                    Failure::usage(format!("--url: {error}"))
                }
                error => Failure::could_not(&error.into()),
            })?;
            let RequestKind::Url { status, bytes, .. } = target.request else {
                return Err(Failure::usage("--url names no page"));
            };
            (format!("http://{}", target.host), Some((Source::Url { url: url.clone(), status, bytes }, bytes)))
        }
        (None, None) => return Err(Failure::usage("give --server or --url")),
    };
    let mut scenario = scenario::single_client(&args.run, server, args.duration, args.seed).map_err(Failure::usage)?;
    let url = match url {
        Some((source, bytes)) => {
            fetch_one_size(&mut scenario.plan, bytes);
            scenario.plan.validate().map_err(Failure::usage)?;
            Some(source)
        }
        None => None,
    };
    show::warn(&scenario, args.show.quiet);
    let options = Options {
        out: out_folder(args.out.as_deref()),
        progress: !args.show.quiet,
        url,
        joining: Joining::default(),
        push: false,
        solo_first: false,
    };
    let finished = execute(&scenario, &options).map_err(|error| Failure::could_not(&error))?;
    Ok(show::show(&finished, &args.show, color))
}

/// A foreign page has the size that it has. What is defined by its bit rate (a stream) keeps that; what is defined by how
/// often it happens (a call, a click) keeps that.
fn fetch_one_size(plan: &mut Plan, bytes: u64) {
    for population in plan.clients.iter_mut().flat_map(|client| &mut client.populations) {
        population.operation.part_bytes = bytes;
        if let (Some(media), Arrival::Constant { rate, phase }) = (population.media, &mut population.arrival)
            && let Some(slower) = Rate::of_bit_rate(media.bit_rate, population.operation.bytes())
        {
            *rate = slower;
            // A phase drawn for longer periods may lie beyond the first of these; it only shifts the start.
            *phase = (*phase).min(slower.offset(1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_of_another_size_keeps_a_stream_at_its_bit_rate_and_a_call_at_its_pace() {
        let names = ["4kstream".to_owned(), "voip".to_owned()];
        let server = "http://127.0.0.1".to_owned();
        let mut plan = scenario::single_client(&names, server, Duration::from_secs(20), 1).unwrap().plan;
        fetch_one_size(&mut plan, 100_000);
        let rate = |i: usize| match plan.clients[0].populations[i].arrival {
            Arrival::Constant { rate, .. } => rate.offset(1),
            _ => unreachable!(),
        };
        // 800,000 bits at 25 Mbps are 32 ms; a call speaks every 20 ms.
        assert_eq!((rate(0), rate(1)), (Duration::from_millis(32), Duration::from_millis(20)));
        assert!(plan.validate().is_ok());
    }
}
