//! The columns of the table: their schema, how they are encoded, and the rows of one group.

use burn_model::plan::Plan;
use burn_model::record::{OperationRecord, Outcome};
use burn_model::time::Moment;
use parquet::basic::Encoding;
use parquet::data_type::{ByteArray, ByteArrayType, DataType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterPropertiesBuilder;
use parquet::file::writer::SerializedRowGroupWriter;
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::{ColumnPath, Type};
use serde::Serialize;
use std::io::Write;

/// The schema. Times are nanoseconds since the run's start (`_at_ns`) or long (`_ns`), signed, so that differences of them are
/// what they should be; what is not known is null.
const SCHEMA: &str = "
message operation {
    required binary client (STRING);
    required binary application (STRING);
    required int64 index;
    required int64 scheduled_at_ns;
    optional int64 ready_at_ns;
    optional int64 sent_at_ns;
    optional int64 first_byte_at_ns;
    required int64 ended_at_ns;
    optional int64 receive_lateness_ns;
    optional int64 server_time_ns;
    required binary outcome (STRING);
    optional binary cause (STRING);
}";

/// Columns of numbers. Each is near the one before, so that differences take a few bits; a dictionary of them would only grow.
const NUMBERS: [&str; 8] = [
    "index",
    "scheduled_at_ns",
    "ready_at_ns",
    "sent_at_ns",
    "first_byte_at_ns",
    "ended_at_ns",
    "receive_lateness_ns",
    "server_time_ns",
];

pub(super) fn schema() -> Result<Type, ParquetError> {
    parse_message_type(SCHEMA)
}

/// Names stand in dictionaries, which is what the writer does unless it is told otherwise; numbers as differences.
pub(super) fn encodings(properties: WriterPropertiesBuilder) -> WriterPropertiesBuilder {
    NUMBERS.iter().fold(properties, |properties, column| {
        let path = ColumnPath::from(*column);
        properties
            .set_column_dictionary_enabled(path.clone(), false)
            .set_column_encoding(path, Encoding::DELTA_BINARY_PACKED)
    })
}

/// The names of a plan's clients and applications.
pub(super) struct Names(Vec<(ByteArray, Vec<ByteArray>)>);

impl Names {
    pub(super) fn of(plan: &Plan) -> Self {
        let of_client = |client: &burn_model::plan::ClientPlan| {
            let applications = client.populations.iter().map(|population| text(&population.name));
            (text(&client.name), applications.collect())
        };
        Self(plan.clients.iter().map(of_client).collect())
    }

    /// Client and application of an operation, where the plan has them.
    pub(super) fn find(&self, operation: &OperationRecord) -> Option<(ByteArray, ByteArray)> {
        let (client, applications) = self.0.get(usize::try_from(operation.client).ok()?)?;
        let application = applications.get(usize::try_from(operation.population).ok()?)?;
        Some((client.clone(), application.clone()))
    }
}

/// The rows of a group, column by column.
pub(super) struct Columns {
    rows: usize,
    client: Column<ByteArray>,
    application: Column<ByteArray>,
    index: Column<i64>,
    scheduled_at: Column<i64>,
    ready_at: Column<i64>,
    sent_at: Column<i64>,
    first_byte_at: Column<i64>,
    ended_at: Column<i64>,
    receive_lateness: Column<i64>,
    server_time: Column<i64>,
    outcome: Column<ByteArray>,
    cause: Column<ByteArray>,
}

impl Default for Columns {
    fn default() -> Self {
        Self {
            rows: 0,
            client: Column::required(),
            application: Column::required(),
            index: Column::required(),
            scheduled_at: Column::required(),
            ready_at: Column::optional(),
            sent_at: Column::optional(),
            first_byte_at: Column::optional(),
            ended_at: Column::required(),
            receive_lateness: Column::optional(),
            server_time: Column::optional(),
            outcome: Column::required(),
            cause: Column::optional(),
        }
    }
}

impl Columns {
    pub(super) const fn len(&self) -> usize {
        self.rows
    }

    pub(super) fn push(&mut self, operation: &OperationRecord, (client, application): (ByteArray, ByteArray)) {
        let moment = |moment: Moment| signed(moment.as_nanos());
        let (outcome, cause) = match &operation.outcome {
            Outcome::Completed => ("completed", None),
            Outcome::Failed(cause) => ("failed", Some(word(cause))),
            Outcome::TimedOut => ("timed_out", None),
            Outcome::NotSent(reason) => ("not_sent", Some(word(reason))),
        };
        self.rows += 1;
        self.client.push(Some(client));
        self.application.push(Some(application));
        self.index.push(Some(signed(operation.index)));
        self.scheduled_at.push(Some(moment(operation.scheduled_at)));
        self.ready_at.push(operation.ready_at.map(moment));
        self.sent_at.push(operation.sent_at.map(moment));
        self.first_byte_at.push(operation.first_byte_at.map(moment));
        self.ended_at.push(Some(moment(operation.ended_at)));
        self.receive_lateness.push(operation.receive_lateness_ns.map(signed));
        self.server_time.push(operation.server_time_ns.map(signed));
        self.outcome.push(Some(text(outcome)));
        self.cause.push(cause.as_deref().map(text));
    }

    /// Writes all rows as a group, in the order of the schema, and forgets them.
    pub(super) fn write<W: Write + Send>(
        &mut self,
        group: &mut SerializedRowGroupWriter<'_, W>,
    ) -> Result<(), ParquetError> {
        self.client.write::<ByteArrayType, W>(group)?;
        self.application.write::<ByteArrayType, W>(group)?;
        self.index.write::<Int64Type, W>(group)?;
        self.scheduled_at.write::<Int64Type, W>(group)?;
        self.ready_at.write::<Int64Type, W>(group)?;
        self.sent_at.write::<Int64Type, W>(group)?;
        self.first_byte_at.write::<Int64Type, W>(group)?;
        self.ended_at.write::<Int64Type, W>(group)?;
        self.receive_lateness.write::<Int64Type, W>(group)?;
        self.server_time.write::<Int64Type, W>(group)?;
        self.outcome.write::<ByteArrayType, W>(group)?;
        self.cause.write::<ByteArrayType, W>(group)?;
        self.rows = 0;
        Ok(())
    }
}

/// The values of a column; nulls only in its definition levels.
struct Column<V> {
    values: Vec<V>,
    /// Of each row, 1 where it has a value, else 0; `None` where every row must have one.
    levels: Option<Vec<i16>>,
}

impl<V> Column<V> {
    const fn required() -> Self {
        Self { values: Vec::new(), levels: None }
    }

    const fn optional() -> Self {
        Self { values: Vec::new(), levels: Some(Vec::new()) }
    }

    fn push(&mut self, value: Option<V>) {
        if let Some(levels) = &mut self.levels {
            levels.push(i16::from(value.is_some()));
        }
        self.values.extend(value);
    }

    fn write<T: DataType<T = V>, W: Write + Send>(
        &mut self,
        group: &mut SerializedRowGroupWriter<'_, W>,
    ) -> Result<(), ParquetError> {
        let next = group.next_column()?;
        let mut column = next.ok_or_else(|| ParquetError::General("more columns than the schema has".to_owned()))?;
        column.typed::<T>().write_batch(&self.values, self.levels.as_deref(), None)?;
        column.close()?;
        self.values.clear();
        self.levels.iter_mut().for_each(Vec::clear);
        Ok(())
    }
}

/// What is past 292 years is as late as can be said.
fn signed(n: u64) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}

fn text(text: &str) -> ByteArray {
    ByteArray::from(text.as_bytes().to_vec())
}

/// A cause as it stands in a run file: `truncated`.
fn word(cause: &impl Serialize) -> String {
    match serde_json::to_value(cause) {
        Ok(serde_json::Value::String(word)) => word,
        // Causes are words in every version of the format.
        _ => String::new(),
    }
}
