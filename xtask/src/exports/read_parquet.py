"""The schema, the sums and the facts of a table of operations, by DuckDB, as JSON."""

import json
import sys

import duckdb

table = "read_parquet(?)"
path = [sys.argv[1]]
numbers = [
    "index",
    "scheduled_at_ns",
    "ready_at_ns",
    "sent_at_ns",
    "first_byte_at_ns",
    "ended_at_ns",
    "receive_lateness_ns",
    "server_time_ns",
]
# Sums of nanoseconds pass what a double holds; as text they stay whole.
sums = ", ".join(f'sum("{name}")::VARCHAR, count("{name}")' for name in numbers)
groups = duckdb.execute(
    f"SELECT client, application, outcome, cause, count(*), {sums} FROM {table} GROUP BY ALL ORDER BY ALL", path
).fetchall()
json.dump(
    {
        "schema": [row[:2] for row in duckdb.execute(f"DESCRIBE SELECT * FROM {table}", path).fetchall()],
        "groups": [
            {
                "client": client,
                "application": application,
                "outcome": outcome,
                "cause": cause,
                "operations": operations,
                "sums": {
                    name: {"sum": figures[2 * i], "known": figures[2 * i + 1]} for i, name in enumerate(numbers)
                },
            }
            for client, application, outcome, cause, operations, *figures in groups
        ],
        "facts": {
            key.decode(): value.decode()
            for key, value in duckdb.execute("SELECT key, value FROM parquet_kv_metadata(?)", path).fetchall()
        },
    },
    sys.stdout,
)
