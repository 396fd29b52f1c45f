"""Every sample of an OpenMetrics text, by Prometheus's own parser for Python, as JSON."""

import json
import sys

from prometheus_client.openmetrics.parser import text_string_to_metric_families

with open(sys.argv[1], encoding="utf-8") as text:
    families = list(text_string_to_metric_families(text.read()))

samples = [
    {
        "family": family.name,
        "type": family.type,
        "unit": family.unit,
        "name": sample.name,
        "labels": sample.labels,
        # Infinity has no form in JSON.
        "value": str(sample.value),
        "at": None if sample.timestamp is None else float(sample.timestamp),
    }
    for family in families
    for sample in family.samples
]
json.dump(samples, sys.stdout)
