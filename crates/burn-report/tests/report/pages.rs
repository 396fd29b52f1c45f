//! Pages as a browser reads them: whole, in order, closed to the network, and deaf to whatever stands in a record.

use std::collections::{BTreeMap, BTreeSet};

use burn_model::compare::compare;
use burn_model::judge::{Judgement, Limit, judge};
use burn_model::plan::Plan;
use burn_model::record::{
    AccessPoint, ClientState, Cohort, DeviceRecord, Ending, Header, IntervalRecord, LinkRecord, RoamRecord, RoamSeen,
    RunEvent, SoloRecord, Tally, TelemetryRecord, WifiRecord,
};
use burn_model::run::RunRecord;
use burn_model::samples::Samples;
use burn_model::time::Moment;
use burn_report::html::{SetUp, render, render_comparison};
use data_encoding::BASE64;
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::figures::{opened, phone_plan};
use crate::household::{fold, header, ms, one_radio, secs};
use crate::parsed::Page;

/// What a peer might send where a name or a sentence stands. Each is a name that a plan may hold: 64 characters at most.
const HOSTILE: [&str; 6] = [
    "</script><script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>",
    "' onmouseover='alert(1)",
    "--></style><svg onload=alert(1)>",
    "{{ document.policy }}{% raw %}&lt;b&gt;",
    "\u{202E}\u{200B}evil\u{2066}",
];

/// Two clients with a call each, for 20 s, everything in the record that a page shows, and `text(n)` wherever a text stands.
fn record(text: &dyn Fn(usize) -> String) -> RunRecord {
    let mut plan = phone_plan();
    plan.warm_up = secs(0);
    plan.duration = secs(20);
    plan.name = text(0);
    plan.clients = vec![plan.clients[0].clone(), plan.clients[0].clone()];
    for (i, client) in plan.clients.iter_mut().enumerate() {
        client.name = format!("{}{i}", text(i + 1));
        client.populations[0].name = text(i + 3);
    }
    let head = Header {
        plan,
        program: text(0),
        run: text(1),
        started_at: text(2),
        server: text(3),
        digest: text(4),
        scenario: Some(format!("name = 'x'\n{}\n", text(0))),
        remarks: vec![text(1), text(5)],
        ..header()
    };
    let mut events = opened(head.plan.clone());
    events[0] = RunEvent::Opened(Box::new(head));
    events.extend(
        (0..2).map(|client| RunEvent::Device(DeviceRecord { name: text(2), via: text(3), clients: vec![client] })),
    );
    let facts = BTreeMap::from([("kernel".to_owned(), text(0)), ("interface".to_owned(), text(1))]);
    events.push(RunEvent::Environment { host: text(4), facts });
    for client in 0..2 {
        events.extend((0..20).map(|now| second(client, now, 50)));
        let solo = SoloRecord { client, population: 0, goodput_bps: 1_000_000, bytes_by_second: vec![125_000; 10] };
        events.push(RunEvent::Solo(solo));
        events.extend((0..20).map(|second| {
            let wifi = WifiRecord {
                ssid: text(0),
                bssid: text(1),
                frequency_mhz: 5180,
                signal_dbm: Some(-60),
                rx_bps: Some(400_000_000),
                rx_kind: Some(text(2)),
                ..WifiRecord::default()
            };
            RunEvent::Telemetry(Box::new(TelemetryRecord {
                client,
                second,
                wifi: Some(wifi),
                ..TelemetryRecord::default()
            }))
        }));
        let point = |n: usize| Some(AccessPoint { bssid: text(n), frequency_mhz: Some(2412) });
        events.push(RunEvent::Roam(RoamRecord {
            client,
            at: Moment::from_secs(9),
            seen: RoamSeen::Event,
            from: point(3),
            to: point(4),
        }));
    }
    events.push(RunEvent::Link(LinkRecord {
        name: text(5),
        clients: vec![0, 1],
        rate_bps: 1_000_000,
        queue: ms(300),
        bytes: 1,
        packets: 1,
        drops: 0,
    }));
    let lost = ClientState::Lost { reason: text(0) };
    events.push(RunEvent::Client { client: 1, state: lost, at: Some(Moment::from_secs(15)) });
    events.push(RunEvent::ServerLost { client: None, reason: text(1) });
    events.push(RunEvent::Closed { ending: Ending::Interrupted { at: Moment::from_secs(20), by: text(3) } });
    fold(&events)
}

/// So many exchanges, each of 10 ms.
fn second(client: u32, second: u64, exchanges: u64) -> RunEvent {
    let mut times = Samples::default();
    times.record_n(ms(10), exchanges);
    let cohort = Cohort {
        scheduled_second: second,
        response_time: times.clone(),
        service_time: times.clone(),
        driver_lateness: times.clone(),
        server_time: times.clone(),
        response_time_less_client: times.clone(),
        response_time_less_server: times,
        ..Cohort::default()
    };
    let tally = Tally { scheduled: exchanges, completed: exchanges, ..Tally::default() };
    let record =
        IntervalRecord { client, second, tally, bytes: 125_000, cohorts: vec![cohort], ..IntervalRecord::default() };
    RunEvent::Interval(Box::new(record))
}

/// The judgement of such a record, with `text` in every sentence too.
fn judged(run: &RunRecord, text: &dyn Fn(usize) -> String) -> Judgement {
    let mut judgement = judge(run);
    judgement.doubts.push(text(0));
    judgement.checks.push(text(1));
    judgement.cautions.push(text(2));
    judgement.reasons.push(text(3));
    for application in &mut judgement.applications {
        application.reasons.push(text(4));
        application.limited_by = Some(Limit::Client);
        for goal in &mut application.goals {
            goal.because = Some(text(5));
        }
    }
    judgement
}

fn pages(text: &dyn Fn(usize) -> String) -> [String; 3] {
    let run = record(text);
    let judgement = judged(&run, text);
    let titles = (text(1), text(2));
    let compared = |runs: &[(&RunRecord, &Judgement)]| {
        let mut comparison = compare(runs, runs);
        comparison.cautions.push(text(3));
        comparison.applications.iter_mut().for_each(|one| one.because = Some(text(4)));
        let (first, second) = (SetUp { title: &titles.0, runs }, SetUp { title: &titles.1, runs });
        render_comparison(first, second, &comparison)
    };
    [render(&run, &judgement), compared(&[(&run, &judgement)]), compared(&[(&run, &judgement); 4])]
}

fn harmless() -> [String; 3] {
    pages(&|n| format!("harmless {n}"))
}

/// Elements with the names of their attributes, in order.
fn shape(page: &Page) -> Vec<(String, Vec<String>)> {
    page.elements.iter().map(|one| (one.name.clone(), one.attributes.keys().cloned().collect())).collect()
}

#[test]
fn nothing_that_a_peer_sent_becomes_an_element_or_an_attribute() {
    let harmless = harmless().map(|page| shape(&Page::read(&page)));
    for (turn, _) in HOSTILE.iter().enumerate() {
        let text = |n: usize| HOSTILE[(n + turn) % HOSTILE.len()].to_owned();
        for (hostile, harmless) in pages(&text).iter().zip(&harmless) {
            let page = Page::read(hostile);
            assert_eq!(page.mistakes, [""; 0]);
            assert_eq!(shape(&page), *harmless);
        }
    }
}

#[test]
fn what_a_peer_sent_stands_there_as_text_and_reorders_none() {
    for page in pages(&|n| HOSTILE[n % HOSTILE.len()].to_owned()) {
        let page = Page::read(&page);
        assert!(page.text().contains("</script><script>alert(1)</script>"));
        assert!(page.text().contains("{{ document.policy }}{% raw %}&lt;b&gt;"), "no template is made of data");
        assert!(!page.text().contains(['\u{202E}', '\u{200B}', '\u{2066}']));
    }
    let [of_a_run, ..] = pages(&|n| HOSTILE[n % HOSTILE.len()].to_owned());
    assert!(Page::read(&of_a_run).text().contains("\u{FFFD}evil\u{FFFD}"));
}

#[test]
fn a_page_is_whole_and_in_order() {
    for html in harmless() {
        let page = Page::read(&html);
        assert_eq!(page.mistakes, [""; 0]);
        assert_eq!(page.one("html").attribute("lang"), Some("en"));
        let depths = page.elements.iter().filter_map(|one| one.name.strip_prefix('h')?.parse::<u8>().ok());
        let depths: Vec<u8> = depths.collect();
        assert_eq!(depths.iter().filter(|depth| **depth == 1).count(), 1, "one verdict");
        assert!(depths.windows(2).all(|pair| pair[1] <= pair[0] + 1), "a level of headings is left out: {depths:?}");
        let ids: Vec<&str> = page.elements.iter().filter_map(|one| one.attribute("id")).collect();
        assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len(), "an id stands twice");
        for element in &page.elements {
            for target in ["href", "aria-labelledby"] {
                let Some(target) = element.attribute(target) else { continue };
                page.by_id(target.trim_start_matches('#'));
            }
        }
        let skip = page.all("a").next().unwrap();
        assert_eq!((skip.attribute("class"), skip.attribute("href")), (Some("skip"), Some("#main")));
        for landmark in ["header", "main", "footer"] {
            page.one(landmark);
        }
    }
}

#[test]
fn every_figure_has_its_data_its_drawing_and_its_numbers() {
    for html in harmless() {
        let page = Page::read(&html);
        let data: Value = serde_json::from_str(&page.by_id("figures").text).unwrap();
        let figures: Vec<_> = page.all("figure").collect();
        assert!(!figures.is_empty());
        assert_eq!(figures.len(), data.as_array().unwrap().len());
        let numbers: BTreeSet<&str> = figures.iter().filter_map(|figure| figure.attribute("data-figure")).collect();
        assert_eq!(numbers.len(), figures.len(), "each is shown once");
        for figure in figures {
            let number = figure.attribute("data-figure").unwrap();
            assert_eq!(figure.attribute("id"), Some(format!("figure-{number}").as_str()));
            let data = &data[number.parse::<usize>().unwrap()];
            assert!(figure.text.contains(data["title"].as_str().unwrap()));
            let place = page.elements.iter().position(|one| std::ptr::eq(one, figure)).unwrap();
            let inside: Vec<&str> = page
                .elements
                .iter()
                .filter(|one| one.around.contains(&place))
                .map(|one| if one.name == "div" { one.attribute("class").unwrap() } else { one.name.as_str() })
                .collect();
            for part in ["figcaption", "plot", "drawing", "svg", "details", "table"] {
                assert!(inside.contains(&part), "figure {number} has no {part}");
            }
        }
    }
}

#[test]
fn a_page_may_fetch_nothing_and_run_only_what_stands_in_it() {
    for html in harmless() {
        let page = Page::read(&html);
        let policies: Vec<_> = page.all("meta").filter(|meta| meta.attribute("http-equiv").is_some()).collect();
        assert_eq!(policies.len(), 1);
        let policy = policies[0].attribute("content").unwrap();
        let named = |text: &str| format!("'sha256-{}'", BASE64.encode(&Sha256::digest(text.as_bytes())));
        assert!(policy.starts_with("default-src 'none'; "), "{policy}");
        assert!(policy.contains(&format!("style-src {};", named(&page.one("style").text))), "{policy}");
        let scripts: Vec<_> = page.all("script").filter(|script| script.attribute("type").is_none()).collect();
        let allowed = scripts.first().map_or("'none'".to_owned(), |script| named(&script.text));
        assert!(scripts.len() <= 1 && policy.contains(&format!("script-src {allowed};")), "{policy}");
        for element in &page.elements {
            for (name, value) in &element.attributes {
                assert!(
                    name != "style" && !name.starts_with("on") && name != "src" && name != "srcset",
                    "{name}={value}"
                );
                assert!(name != "href" || value.starts_with('#'), "{value}");
            }
        }
    }
}

/// A call on each of so many clients, for so many seconds.
fn crowd(clients: u32, seconds: u64) -> RunRecord {
    let mut plan: Plan = phone_plan();
    plan.warm_up = secs(0);
    plan.duration = secs(seconds);
    let phone = plan.clients[0].clone();
    plan.clients =
        (0..clients).map(|i| burn_model::plan::ClientPlan { name: format!("phone-{i}"), ..phone.clone() }).collect();
    let mut events = opened(plan);
    events.extend((0..clients).flat_map(|client| (0..seconds).map(move |now| second(client, now, 50))));
    events.push(RunEvent::Closed { ending: Ending::Finished });
    fold(&events)
}

#[test]
fn five_minutes_of_four_clients_stay_under_a_megabyte() {
    let run = crowd(4, 300);
    let html = render(&run, &judge(&run));
    assert!(html.len() < 1_000_000, "{} bytes", html.len());
    assert_eq!(Page::read(&html).all("h3").filter(|head| head.text.contains("phone-3")).count(), 2, "card and section");
}

#[test]
fn of_a_crowd_the_worst_have_figures_the_others_a_row_and_the_page_says_so() {
    let run = crowd(60, 20);
    let html = render(&run, &judge(&run));
    let page = Page::read(&html);
    let is = |class: &'static str| move |one: &&crate::parsed::Element| one.attribute("class") == Some(class);
    assert_eq!(page.all("section").filter(is("application")).count(), 24);
    assert!(page.text().contains("36 more that have less to be said of"));
    for client in 0..60 {
        assert!(page.all("th").any(|cell| cell.text == format!("phone-{client}")), "phone-{client} is nowhere");
    }
}

#[test]
fn an_empty_record_is_a_page_too() {
    let run = RunRecord::new();
    let page = Page::read(&render(&run, &judge(&run)));
    assert_eq!(page.mistakes, [""; 0]);
    assert!(page.one("h1").text.contains("cannot tell anything"));
    // And so is a judgement with applications that the record knows nothing of.
    let page = Page::read(&render(&run, &one_radio()));
    assert_eq!(page.mistakes, [""; 0]);
    let none = render_comparison(SetUp { title: "a", runs: &[] }, SetUp { title: "b", runs: &[] }, &compare(&[], &[]));
    assert_eq!(Page::read(&none).mistakes, [""; 0]);
}

#[test]
fn a_long_scenario_is_cut_and_the_page_says_so() {
    let mut events = opened(phone_plan());
    let scenario = Some("# é\n".repeat(100_000));
    events[0] = RunEvent::Opened(Box::new(Header { plan: phone_plan(), scenario, ..header() }));
    let run = fold(&events);
    let html = render(&run, &judge(&run));
    assert!(html.len() < 400_000, "{} bytes", html.len());
    assert!(Page::read(&html).text().contains("This is its beginning"));
}

#[test]
fn whoever_says_much_does_not_make_the_page_one_that_does_not_open() {
    let mut events = opened(phone_plan());
    let long = "much ".repeat(200_000);
    events.push(RunEvent::ServerLost { client: None, reason: long.clone() });
    events.push(RunEvent::Closed { ending: Ending::Failed { reason: long } });
    let run = fold(&events);
    let html = render(&run, &judge(&run));
    assert!(html.len() < 1_000_000, "{} bytes", html.len());
    let page = Page::read(&html);
    assert!(page.one("h1").text.len() < 1000, "a verdict is a sentence");
    for point in page.all("li").chain(page.all("dd")) {
        // 1000 columns, of which the ellipsis takes three bytes and one column.
        assert!(point.text.trim().len() <= 1002, "{} letters: {:.40}", point.text.len(), point.text);
    }
}
