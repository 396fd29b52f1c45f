//! One figure of a run by itself.

use std::path::Path;

use resvg::tiny_skia::Pixmap;

use crate::harness::{netburn, say};

/// A run that is there already: `phone` made exchanges for three seconds.
fn run() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/format-1.netburn")
}

#[test]
fn the_figures_of_a_run_are_listed_and_each_can_be_had() {
    let listed = say(netburn(&["report", "--figures"]).arg(run()));
    let names: Vec<&str> = listed.out.lines().collect();
    assert_eq!(
        names,
        ["shares", "percentiles/phone/exchange", "response-time/phone/exchange", "goodput/phone/exchange"]
    );
    for name in names {
        let svg = say(netburn(&["report", "--svg", name]).arg(run()));
        assert_eq!(svg.code, listed.code, "{}", svg.err);
        assert!(svg.out.starts_with("<?xml") && svg.out.ends_with("</svg>\n"), "{name}: {}", svg.out);
    }
}

#[test]
fn a_picture_is_written_as_wide_as_was_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("figure.png");
    let mut asked = netburn(&["report", "--png", "percentiles/phone/exchange", "--width", "900", "--output"]);
    let said = say(asked.arg(&file).arg(run()));
    assert_eq!(said.code, Some(0), "{}", said.err);
    let picture = Pixmap::decode_png(&std::fs::read(&file).unwrap()).unwrap();
    // 720 by 280, a quarter larger.
    assert_eq!((picture.width(), picture.height()), (900, 350));
}

#[test]
fn a_name_that_no_figure_has_gets_the_one_that_was_probably_meant() {
    for (name, hint) in [
        ("percentile/phone/exchange", "did you mean 'percentiles/phone/exchange'?"),
        ("x", "known here: shares, percentiles/phone/exchange, "),
    ] {
        let said = say(netburn(&["report", "--svg", name]).arg(run()));
        assert_eq!((said.code, said.out.as_str()), (Some(2), ""));
        assert!(said.err.contains(hint), "{}", said.err);
    }
}

#[test]
fn one_form_is_asked_for_at_a_time() {
    for also in [&["--json"][..], &["--png", "shares"], &["--figures"]] {
        let said = say(netburn(&["report", "--svg", "shares"]).args(also).arg(run()));
        assert_eq!(said.code, Some(2), "{}", said.out);
    }
    assert_eq!(say(netburn(&["report", "--width", "900"]).arg(run())).code, Some(2), "a width is a picture's");
}
