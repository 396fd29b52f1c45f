//! A device joins, or is told why not.

use std::net::TcpListener;

use netburn::fleet::lobby::{Lobby, Manners, WayIn};

use super::support::{ANY_PORT, Agent, Device, by_way_of, joined, left, link_for, lobby, until_it_is};

/// What a device that is not let in says.
async fn refusal(link: &str, more: &[&str]) -> String {
    let ended = Device::join(link, more).end().await;
    assert_eq!(ended.code, Some(4), "{}", ended.said);
    ended.said
}

#[tokio::test]
async fn a_device_joins_answers_and_ends_with_its_run() {
    let mut lobby = lobby(&["tv", "phone"], Manners::default()).await;
    let link = link_for(&lobby, "tv");
    let device = Device::join(&link.to_string(), &["--as", "tv"]);
    let tv = joined(&mut lobby).await;
    assert_eq!((tv.slot, tv.host.as_str()), (0, link.host.as_str()));
    assert_eq!(lobby.missing(), ["phone"]);
    let mut agent = Agent::new(tv.link);
    agent.hello().await;
    for id in 0..10 {
        agent.probe(id).await;
    }
    let (from, to) = lobby.traffic(0).unwrap();
    assert!(from > 0 && to > 0);
    lobby.close_to_newcomers();
    drop(agent);
    let ended = device.end().await;
    assert_eq!(ended.code, Some(0), "{}", ended.said);
    for line in ["Joined as tv.", "Waiting for 1 other.", "The run has started", "Done."] {
        assert!(ended.said.contains(line), "{}", ended.said);
    }
}

#[tokio::test]
async fn the_links_picture_lets_a_device_in_without_a_name() {
    let mut lobby = lobby(&["tv"], Manners::default()).await;
    let _device = Device::join(&link_for(&lobby, "tv").compact(), &[]);
    assert_eq!(joined(&mut lobby).await.slot, 0);
}

#[tokio::test]
async fn a_code_that_is_not_one_is_refused_as_any_other_path_would_be() {
    let lobby = lobby(&["tv"], Manners::default()).await;
    let mut link = link_for(&lobby, "tv");
    let symbols = link.code.to_string();
    let other = if symbols.starts_with('0') { "1" } else { "0" };
    link.code = format!("{other}{}", &symbols[1..]).parse().unwrap();
    let said = refusal(&link.to_string(), &[]).await;
    assert!(said.contains("does not know this code"), "{said}");
    assert_eq!(lobby.strangers().without_code, 1);
}

#[tokio::test]
async fn a_code_that_was_used_is_good_for_nobody_else() {
    let mut lobby = lobby(&["tv"], Manners::default()).await;
    let link = link_for_string(&lobby);
    let _first = Device::join(&link, &[]);
    let _tv = joined(&mut lobby).await;
    let said = refusal(&link, &[]).await;
    assert!(said.contains("used already"), "{said}");
    assert_eq!(lobby.strangers().refused, 1);
}

#[tokio::test]
async fn nobody_joins_a_run_that_has_started() {
    let lobby = lobby(&["tv"], Manners::default()).await;
    lobby.close_to_newcomers();
    let said = refusal(&link_for_string(&lobby), &[]).await;
    assert!(said.contains("started already"), "{said}");
}

#[tokio::test]
async fn a_link_for_another_device_says_for_whom_it_is() {
    let lobby = lobby(&["tv"], Manners::default()).await;
    let said = refusal(&link_for_string(&lobby), &["--as", "phone"]).await;
    assert!(said.contains("for 'tv'"), "{said}");
}

#[tokio::test]
async fn a_device_that_leaves_frees_its_slot_for_a_new_link() {
    let mut lobby = lobby(&["tv"], Manners::default()).await;
    let first_link = link_for_string(&lobby);
    let device = Device::join(&first_link, &[]);
    let tv = joined(&mut lobby).await;
    let mut agent = Agent::new(tv.link);
    agent.hello().await;
    device.signal("INT");
    let ended = device.end().await;
    assert_eq!(ended.code, Some(4), "{}", ended.said);
    let (slot, why) = left(&mut lobby).await;
    assert_eq!((slot, why.as_str()), (0, "it has left"));
    assert!(agent.hear().await.is_none(), "its stream has ended");
    assert!(refusal(&first_link, &[]).await.contains("does not know this code"));
    let _again = Device::join(&link_for_string(&lobby), &[]);
    assert_eq!(joined(&mut lobby).await.slot, 0);
}

#[tokio::test]
async fn a_man_in_the_middle_with_another_certificate_is_found_out_and_told_nothing() {
    let real = lobby(&["tv"], Manners::default()).await;
    let false_one = lobby(&["tv"], Manners::default()).await;
    let address = link_for(&false_one, "tv").host.parse().unwrap();
    let said = refusal(&by_way_of(&link_for(&real, "tv"), address).to_string(), &[]).await;
    assert!(said.contains("another certificate"), "{said}");
    // Not even the code: the connection ended in the TLS handshake.
    until_it_is("a stranger without a code", || false_one.strangers().without_code == 1).await;
    assert_eq!(false_one.strangers().refused, 0);
}

#[tokio::test]
async fn a_link_to_nobody_says_so() {
    let lobby = lobby(&["tv"], Manners::default()).await;
    // A port that was free a moment ago, and that nobody listens on.
    let nobody = TcpListener::bind(ANY_PORT).unwrap().local_addr().unwrap();
    let said = refusal(&by_way_of(&link_for(&lobby, "tv"), nobody).to_string(), &[]).await;
    assert!(said.contains("nobody listens") && said.contains(&nobody.to_string()), "{said}");
}

#[tokio::test]
async fn a_link_that_was_cut_off_is_a_wrong_command_line() {
    let lobby = lobby(&["tv"], Manners::default()).await;
    let link = link_for_string(&lobby);
    let ended = Device::join(&link[..link.len() - 1], &[]).end().await;
    assert_eq!(ended.code, Some(2), "{}", ended.said);
    assert!(ended.said.contains("cut off"), "{}", ended.said);
}

/// The back-end server takes what is HTTP, and hands over what is TLS: one port for both.
#[tokio::test]
async fn devices_join_on_the_servers_own_port() {
    let (keeper, far) = netburn_io::server::DoorKeeper::pair().unwrap();
    let mut server = std::process::Command::new(env!("CARGO_BIN_EXE_netburn"));
    server.args(["serve", "--listen", "127.0.0.1:0", "--until-stdin-closes", "--door"]);
    let mut server = server.stdin(far).stdout(std::process::Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    std::io::BufRead::read_line(&mut std::io::BufReader::new(server.stdout.take().unwrap()), &mut line).unwrap();
    let host = line.split_whitespace().find_map(|word| word.strip_prefix("http://")).unwrap();

    let mut lobby = Lobby::open(vec!["tv".to_owned()], WayIn::Door(keeper), host.to_owned()).unwrap();
    let device = Device::join(&link_for_string(&lobby), &[]);
    let mut agent = Agent::new(joined(&mut lobby).await.link);
    agent.hello().await;
    agent.probe(1).await;
    // Somebody opens the link in a browser and leaves the s of https away: the server knows no codes.
    let mut plain = std::net::TcpStream::connect(host).unwrap();
    std::io::Write::write_all(&mut plain, b"GET /j/0123456789 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        .unwrap();
    let reply = std::io::read_to_string(plain).unwrap();
    assert!(reply.starts_with("HTTP/1.1 404 "), "{reply}");

    drop(agent);
    assert_eq!(device.end().await.code, Some(0));
    // The door is the server's lifeline too.
    drop(lobby);
    let status = tokio::task::spawn_blocking(move || server.wait().unwrap());
    assert!(super::support::soon("the server to end", status).await.unwrap().success());
}

fn link_for_string(lobby: &Lobby) -> String {
    link_for(lobby, "tv").to_string()
}
