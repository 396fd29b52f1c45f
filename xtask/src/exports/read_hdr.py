"""Every interval of an HDR log, by HdrHistogram's reader for Python, as JSON."""

import json
import sys

from hdrh.histogram import HdrHistogram
from hdrh.log import HistogramLogReader

LEAST_NS, MOST_NS, DIGITS = 512, 3600 * 10**9, 3

log = HistogramLogReader(sys.argv[1], HdrHistogram(LEAST_NS, MOST_NS, DIGITS))
intervals = []
while (interval := log.get_next_interval_histogram()) is not None:
    intervals.append(
        {
            "tag": interval.get_tag(),
            "from_ms": interval.get_start_time_stamp(),
            "to_ms": interval.get_end_time_stamp(),
            "count": interval.get_total_count(),
            "p50": interval.get_value_at_percentile(50),
            "p95": interval.get_value_at_percentile(95),
            "max": interval.get_max_value(),
        }
    )
json.dump(intervals, sys.stdout)
