//! Tables of operations, read back with the crate's own reader. That other tools read them too is `cargo xtask exports`.

use std::fs::File;
use std::time::Duration;

use burn_model::judge::judge;
use burn_model::plan::{Arrival, ClientPlan, Operation, Plan, Population, Rate};
use burn_model::record::{FORMAT, FailureCause, NotSentReason, Outcome};
use burn_model::run::RunRecord;
use burn_model::time::Moment;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use tempfile::TempDir;

use super::*;
use crate::run_file::Writer;

const NAMES: (&str, &str) = ("tv \"<script>\" =1", "film\u{202e};");

fn header() -> Header {
    let population = Population {
        name: NAMES.1.to_owned(),
        arrival: Arrival::Constant { rate: Rate::per_second(1), phase: Duration::ZERO },
        operation: Operation { parts: 1, part_bytes: 1 },
        in_flight: 1,
        deadline: Duration::from_secs(1),
        drain: Duration::ZERO,
        goals: vec![],
        media: None,
    };
    let plan = Plan {
        name: "raw".to_owned(),
        seed: 7,
        warm_up: Duration::ZERO,
        duration: Duration::from_secs(1),
        keep_operations: true,
        clients: vec![ClientPlan { name: NAMES.0.to_owned(), populations: vec![population] }],
    };
    Header {
        format: FORMAT,
        program: "netburn 0.1.0".to_owned(),
        run: "r1".to_owned(),
        started_at: "2026-11-21T02:10:43Z".to_owned(),
        verified_server: true,
        server: "http://10.0.0.1".to_owned(),
        digest: plan.digest(),
        plan,
        scenario: None,
        remarks: vec![],
    }
}

fn operation(index: u64, outcome: Outcome) -> OperationRecord {
    OperationRecord {
        client: 0,
        population: 0,
        index,
        scheduled_at: Moment::from_millis(index),
        ready_at: None,
        sent_at: Some(Moment::from_nanos(index * 1_000_000 + 5)),
        first_byte_at: None,
        ended_at: Moment::from_nanos(index * 1_000_000 + 500),
        receive_lateness_ns: index.is_multiple_of(2).then_some(index),
        server_time_ns: None,
        outcome,
    }
}

/// A run file with these events after its header, exported; the folder holds `t.parquet` where that went well.
fn exported(events: impl IntoIterator<Item = RunEvent>) -> (Result<Exported, ExportError>, TempDir) {
    let folder = TempDir::new().unwrap();
    let mut writer = Writer::create(folder.path(), "run").unwrap();
    writer.append(&RunEvent::Opened(Box::new(header()))).unwrap();
    for event in events {
        writer.append(&event).unwrap();
    }
    let mut out = File::create(folder.path().join("t.parquet")).unwrap();
    (export(writer.path(), &judge(&RunRecord::new()), &mut out), folder)
}

fn read(folder: &TempDir) -> SerializedFileReader<File> {
    SerializedFileReader::new(File::open(folder.path().join("t.parquet")).unwrap()).unwrap()
}

#[test]
fn every_operation_is_a_row_with_its_names_and_what_is_not_known_is_null() {
    let operations = [
        operation(0, Outcome::Completed),
        operation(1, Outcome::Failed(FailureCause::Truncated)),
        OperationRecord { ended_at: Moment::NEVER, ..operation(2, Outcome::TimedOut) },
        operation(3, Outcome::NotSent(NotSentReason::NoSocket)),
        OperationRecord { population: 1, ..operation(4, Outcome::Completed) },
        OperationRecord { client: u32::MAX, ..operation(5, Outcome::Completed) },
    ];
    let left_out = RunEvent::OperationsLeftOut { operations: 9 };
    let (result, folder) = exported(operations.map(RunEvent::Operation).into_iter().chain([left_out]));
    assert_eq!(result.unwrap(), Exported { operations: 4, strays: 2, left_out: 9 });
    let rows: Vec<Vec<(String, Field)>> = read(&folder)
        .get_row_iter(None)
        .unwrap()
        .map(|row| row.unwrap().get_column_iter().map(|(name, field)| (name.clone(), field.clone())).collect())
        .collect();
    let row = |numbers: [Option<i64>; 8], outcome: &str, cause: Option<&str>| {
        let text = |text: &str| Field::Str(text.to_owned());
        let number = |number: Option<i64>| number.map_or(Field::Null, Field::Long);
        let names = [("client", text(NAMES.0)), ("application", text(NAMES.1))];
        let columns = [
            "index",
            "scheduled_at_ns",
            "ready_at_ns",
            "sent_at_ns",
            "first_byte_at_ns",
            "ended_at_ns",
            "receive_lateness_ns",
            "server_time_ns",
        ];
        let ends = [("outcome", text(outcome)), ("cause", cause.map_or(Field::Null, text))];
        let all = names.into_iter().chain(columns.into_iter().zip(numbers.map(number))).chain(ends);
        all.map(|(name, field)| (name.to_owned(), field)).collect::<Vec<_>>()
    };
    let ms = 1_000_000;
    assert_eq!(
        rows,
        [
            row([Some(0), Some(0), None, Some(5), None, Some(500), Some(0), None], "completed", None),
            row([Some(1), Some(ms), None, Some(ms + 5), None, Some(ms + 500), None, None], "failed", Some("truncated")),
            row(
                [Some(2), Some(2 * ms), None, Some(2 * ms + 5), None, Some(i64::MAX), Some(2), None],
                "timed_out",
                None
            ),
            row(
                [Some(3), Some(3 * ms), None, Some(3 * ms + 5), None, Some(3 * ms + 500), None, None],
                "not_sent",
                Some("no_socket")
            ),
        ]
    );
    let reader = read(&folder);
    let facts = reader.metadata().file_metadata().key_value_metadata().unwrap();
    let fact = |key: &str| facts.iter().find(|fact| fact.key == key).and_then(|fact| fact.value.as_deref());
    assert_eq!(
        [fact("netburn.run"), fact("netburn.seed"), fact("netburn.operations_left_out")],
        [Some("r1"), Some("7"), Some("9")]
    );
    assert_eq!(serde_json::from_str::<Plan>(fact("netburn.plan").unwrap()).unwrap(), header().plan);
}

#[test]
fn many_operations_go_into_groups_of_bounded_size() {
    let many = GROUP as u64 + 3;
    let (result, folder) = exported((0..many).map(|index| RunEvent::Operation(operation(index, Outcome::Completed))));
    assert_eq!(result.unwrap().operations, many);
    let reader = read(&folder);
    let groups: Vec<i64> = reader.metadata().row_groups().iter().map(|group| group.num_rows()).collect();
    assert_eq!(groups, [131_072, 3]);
    let last = reader.get_row_group(1).unwrap().get_row_iter(None).unwrap().last().unwrap().unwrap();
    let index = last.get_column_iter().find(|(name, _)| *name == "index").unwrap().1.clone();
    assert_eq!(index, Field::Long(131_074));
}

#[test]
fn a_run_without_operations_leaves_no_table_and_the_message_says_how_to_have_them() {
    let (result, folder) = exported([]);
    let message = result.unwrap_err().to_string();
    assert!(
        message.ends_with("run.netburn: this run kept no single operations: run it with --keep-operations"),
        "{message}"
    );
    assert_eq!(folder.path().join("t.parquet").metadata().unwrap().len(), 0, "nothing was written");
}
