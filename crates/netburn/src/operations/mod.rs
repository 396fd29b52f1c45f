//! The single operations of a run file as a Parquet table, for pandas, DuckDB and their like.
//!
//! What the run kept of each operation (`run --keep-operations`), as it was recorded: nothing is judged or left out here, and
//! nothing is computed. The file is read event by event and written group by group, so that memory is bounded however many
//! operations there are. Columns: docs/EXPORTS.md.

mod columns;
#[cfg(test)]
mod tests;

use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use burn_model::judge::Judgement;
use burn_model::record::{Header, OperationRecord, RunEvent};
use parquet::basic::Compression;
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{WriterProperties, WriterVersion};
use parquet::file::writer::SerializedFileWriter;

use crate::run_file::{Events, ReadError};
use columns::{Columns, Names};

/// So many operations go into one group of rows: some 15 MB of memory.
const GROUP: usize = 1 << 17;

/// The operations of a run could not be written.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The run file cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The run kept none.
    #[error("{path}: this run kept no single operations: run it with --keep-operations")]
    NoneKept {
        /// Which file.
        path: String,
    },
    /// The table cannot be written.
    #[error("cannot write the table: {0}")]
    Write(#[from] ParquetError),
}

/// What became of an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exported {
    /// Rows written.
    pub operations: u64,
    /// Operations of applications that the plan does not have, which have no row.
    pub strays: u64,
    /// Operations that the run left out of its file to bound its size.
    pub left_out: u64,
}

/// Writes every operation that the run file keeps to `out`, as Parquet.
///
/// # Errors
/// Where the run file cannot be read or holds no operation, or `out` cannot be written to.
pub fn export(path: &Path, judgement: &Judgement, out: &mut (dyn Write + Send)) -> Result<Exported, ExportError> {
    let mut events = Events::open(path)?;
    let mut exported = Exported { operations: 0, strays: 0, left_out: 0 };
    let mut table: Option<Table<'_>> = None;
    let mut head: Option<Box<Header>> = None;
    let mut out = Some(out);
    while let Some(event) = events.next_event()? {
        match event {
            RunEvent::Opened(header) => head = head.or(Some(header)),
            RunEvent::OperationsLeftOut { operations } => {
                exported.left_out = exported.left_out.saturating_add(operations);
            }
            RunEvent::Operation(operation) => {
                // Nothing is written before there is something: a run without operations leaves no file.
                if let (None, Some(header), Some(out)) = (&table, &head, out.take()) {
                    table = Some(Table::begin(header, out)?);
                }
                let known = table.as_mut().map(|table| table.add(&operation)).transpose()?.unwrap_or(false);
                let count = if known { &mut exported.operations } else { &mut exported.strays };
                *count = count.saturating_add(1);
            }
            _ => {}
        }
    }
    let (Some(table), Some(header)) = (table, head) else {
        return Err(ExportError::NoneKept { path: path.display().to_string() });
    };
    table.finish(facts(&header, judgement, exported.left_out))?;
    Ok(exported)
}

/// A table under way.
struct Table<'a> {
    writer: SerializedFileWriter<&'a mut (dyn Write + Send)>,
    names: Names,
    columns: Columns,
}

impl<'a> Table<'a> {
    fn begin(header: &Header, out: &'a mut (dyn Write + Send)) -> Result<Self, ParquetError> {
        let properties = WriterProperties::builder()
            .set_writer_version(WriterVersion::PARQUET_1_0)
            .set_compression(Compression::SNAPPY)
            .set_created_by(header.program.clone());
        let properties = columns::encodings(properties).build();
        let writer = SerializedFileWriter::new(out, Arc::new(columns::schema()?), Arc::new(properties))?;
        Ok(Self { writer, names: Names::of(&header.plan), columns: Columns::default() })
    }

    /// Adds a row; says whether the plan has the operation's application.
    fn add(&mut self, operation: &OperationRecord) -> Result<bool, ParquetError> {
        let Some(names) = self.names.find(operation) else { return Ok(false) };
        self.columns.push(operation, names);
        if self.columns.len() >= GROUP {
            self.flush()?;
        }
        Ok(true)
    }

    fn flush(&mut self) -> Result<(), ParquetError> {
        if self.columns.len() > 0 {
            let mut group = self.writer.next_row_group()?;
            self.columns.write(&mut group)?;
            group.close()?;
        }
        Ok(())
    }

    fn finish(mut self, facts: Vec<KeyValue>) -> Result<(), ParquetError> {
        self.flush()?;
        for fact in facts {
            self.writer.append_key_value_metadata(fact);
        }
        self.writer.close().map(drop)
    }
}

/// What the file says of the run, beside its rows.
fn facts(header: &Header, judgement: &Judgement, left_out: u64) -> Vec<KeyValue> {
    let (from, to) = judgement.window;
    let facts = [
        ("netburn.run", header.run.clone()),
        ("netburn.scenario", header.plan.name.clone()),
        ("netburn.digest", header.digest.clone()),
        ("netburn.seed", header.plan.seed.to_string()),
        ("netburn.started_at", header.started_at.clone()),
        ("netburn.program", header.program.clone()),
        ("netburn.server", header.server.clone()),
        ("netburn.verdict", format!("{:?}", judgement.verdict).to_lowercase()),
        ("netburn.judged_from_ns", from.as_nanos().to_string()),
        ("netburn.judged_to_ns", to.as_nanos().to_string()),
        ("netburn.operations_left_out", left_out.to_string()),
        // Numbers and strings: a plan has a form in JSON.
        ("netburn.plan", serde_json::to_string(&header.plan).unwrap_or_default()),
    ];
    facts.map(|(key, value)| KeyValue::new(key.to_owned(), value)).into()
}
