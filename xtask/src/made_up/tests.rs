use burn_model::judge::judge;
use burn_model::run::RunRecord;

use super::*;

fn made_up(clients: u32, hostile: bool) -> Vec<u8> {
    let arguments = Arguments { out: PathBuf::new(), clients, minutes: 0.5, seed: 7, hostile, keep_operations: false };
    let mut out = RunFile(Vec::new());
    write(&household::plan(&arguments).unwrap(), hostile, &mut out).unwrap();
    out.0
}

fn fold(file: &[u8]) -> RunRecord {
    let mut run = RunRecord::new();
    for line in file.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        run.apply(&serde_json::from_slice(line).unwrap());
    }
    run
}

#[test]
fn the_same_seed_makes_the_same_file() {
    let file = made_up(4, false);
    assert!(!file.is_empty() && file == made_up(4, false));
}

#[test]
fn what_is_made_up_adds_up_and_shows_what_runs_show() {
    let run = fold(&made_up(4, false));
    let judgement = judge(&run);
    assert_eq!(judgement.applications.len(), 4);
    // Nothing is in doubt but the client that was lost.
    let broken = judgement.doubts.iter().filter(|doubt| !doubt.contains("desktop")).collect::<Vec<_>>();
    assert!(broken.is_empty(), "{broken:?}");
    assert!(run.lost(3).is_some_and(|(reason, at)| reason == "the connection broke" && at.is_some()));
    assert_eq!(run.roams().count(), 2);
    assert!(run.telemetry(0).count() > 30 && run.telemetry(3).count() == 0, "a desktop hangs on a cable");
    let stalls: u64 = run.seconds(1, 0).filter_map(|second| Some(second.playback?.stalls)).sum();
    assert!(stalls > 0, "the TV stalls while somebody heats up dinner");
    assert!(run.seconds(2, 0).any(|second| second.times.max.is_some_and(|max| max > Duration::from_millis(700))));
}

#[test]
fn a_hostile_file_is_a_run_file_all_the_same() {
    let run = fold(&made_up(4, true));
    assert_eq!(judge(&run).applications.len(), 4);
    assert!(run.plan().is_some_and(|plan| plan.clients.iter().any(|client| client.name.contains("<script>"))));
    assert!(run.lost(3).is_some_and(|(reason, _)| reason.len() > 1_000_000));
}
