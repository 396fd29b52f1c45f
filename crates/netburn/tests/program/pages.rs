//! Results as pages: where they go, and what is told of that.

use std::fs;
use std::path::Path;

use crate::harness::{LIGHT, Place, netburn, say};

fn golden(format: u32) -> String {
    format!("{}/tests/golden/format-{format}.netburn", env!("CARGO_MANIFEST_DIR"))
}

fn is_whole(page: &Path) -> bool {
    let page = fs::read_to_string(page).unwrap();
    page.starts_with("<!DOCTYPE html>") && page.trim_end().ends_with("</html>")
}

#[test]
fn a_page_of_a_run_is_the_same_whether_the_run_or_its_file_made_it() {
    let place = Place::with(LIGHT);
    let (first, again) = (place.path().join("first.html"), place.path().join("again.html"));
    let ran = say(place.run(&[]).arg("--html").arg(&first));
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.out.contains("phone exchange"), "the text is there all the same: {}", ran.out);
    assert!(ran.err.ends_with(&format!("Page: {}\n", first.display())), "{}", ran.err);
    let reported = say(netburn(&["report"]).arg(place.run_file()).arg("--html").arg(&again));
    assert_eq!((reported.code, reported.out.as_str()), (Some(0), ""));
    assert_eq!(reported.err, format!("Page: {}\n", again.display()));
    assert!(is_whole(&first));
    assert_eq!(fs::read(first).unwrap(), fs::read(again).unwrap());
}

#[test]
fn files_of_every_format_become_pages() {
    for (format, verdict) in [(1, ">pass<"), (2, ">fail<")] {
        let page = say(netburn(&["report", "--html", "-"]).arg(golden(format)));
        assert_eq!((page.code, page.err.as_str()), (Some(i32::from(format == 2)), ""), "format {format}");
        let text = page.out.replace("</svg>", ">").replace("</span>", "<");
        assert!(text.contains(verdict), "format {format}");
    }
}

#[test]
fn a_comparison_is_a_page_too() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("both.html");
    let compared = say(netburn(&["compare", &golden(1), "--vs", &golden(2), "--html"]).arg(&page));
    assert!(compared.err.ends_with(&format!("Page: {}\n", page.display())), "{}", compared.err);
    assert!(is_whole(&page) && fs::read_to_string(&page).unwrap().contains("an illustration"));
}

#[test]
fn a_page_that_cannot_be_written_says_so_and_spoils_nothing_else() {
    let compared = say(&mut netburn(&["compare", &golden(1), "--vs", &golden(1), "--html", "/nowhere/page.html"]));
    assert_eq!(compared.code, Some(4));
    assert!(compared.err.contains("/nowhere/page.html: cannot write it"), "{}", compared.err);
    assert!(compared.out.contains("proves nothing"), "{}", compared.out);
    let reported = say(&mut netburn(&["report", &golden(1), "--html", "/nowhere/page.html"]));
    assert_eq!((reported.code, reported.out.as_str()), (Some(4), ""));
}
