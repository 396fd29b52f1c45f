// Figures with every kind of everything in them. crates/burn-report/tests/report/page_types.rs holds Rust's to be these.

import type { Figure } from "../src/figure";

export const sample: Figure[] = [
  {
    "name": "name",
    "subject": "run",
    "kind": "percentiles",
    "title": "title",
    "caption": "caption",
    "x": {"label": "label", "range": [0.5, 2.5], "scale": "linear", "ticks": [{"at": 1.5, "text": "tick"}], "unit": "seconds"},
    "y": {"label": "label", "range": [0.5, 2.5], "scale": "logarithmic", "ticks": [{"at": 1.5, "text": "tick"}], "unit": "milliseconds"},
    "curves": [
      {"name": "curve", "style": "line", "tone": "main", "x": [1.0, 2.0], "y": [1.5, null]},
      {"name": "curve", "style": "dashed", "tone": "second", "x": [1.0, 2.0], "y": [1.5, null]},
      {"name": "curve", "style": "steps", "tone": {"other": 3}, "x": [1.0, 2.0], "y": [1.5, null]},
      {"name": "curve", "style": "points", "tone": "trouble", "x": [1.0, 2.0], "y": [1.5, null]}
    ],
    "bands": [
      {"curve": 0, "lower": [0.5, null], "name": "band", "upper": [null, 2.5], "x": [1.0, 2.0]}
    ],
    "levels": [
      {"at": 1.5, "kind": "good", "text": "level"},
      {"at": 1.5, "kind": "bad", "text": "level"}
    ],
    "marks": [
      {"at": 1.5, "kind": "roam", "text": "mark"},
      {"at": 1.5, "kind": "lost", "text": "mark"},
      {"at": 1.5, "kind": "failure", "text": "mark"}
    ],
    "stretches": [
      {"from": 1.5, "kind": "not_judged", "text": "stretch", "to": 2.5},
      {"from": 1.5, "kind": "stall", "text": "stretch", "to": 2.5},
      {"from": 1.5, "kind": "never", "text": "stretch", "to": 2.5},
      {"from": 1.5, "kind": "radio", "text": "stretch", "to": 2.5}
    ]
  },
  {
    "name": "name",
    "subject": {"client": 1},
    "kind": "response_time",
    "title": "title",
    "caption": "caption",
    "x": {"label": "label", "range": [0.5, 2.5], "scale": "logarithmic", "ticks": [{"at": 1.5, "text": "tick"}], "unit": "milliseconds"},
    "y": {"label": "label", "range": [0.5, 2.5], "scale": "nines", "ticks": [{"at": 1.5, "text": "tick"}], "unit": "mbps"},
    "curves": [
      {"name": "curve", "style": "line", "tone": "main", "x": [1.0, 2.0], "y": [1.5, null]},
      {"name": "curve", "style": "dashed", "tone": "second", "x": [1.0, 2.0], "y": [1.5, null]},
      {"name": "curve", "style": "steps", "tone": {"other": 3}, "x": [1.0, 2.0], "y": [1.5, null]},
      {"name": "curve", "style": "points", "tone": "trouble", "x": [1.0, 2.0], "y": [1.5, null]}
    ],
    "bands": [
      {"curve": 0, "lower": [0.5, null], "name": "band", "upper": [null, 2.5], "x": [1.0, 2.0]}
    ],
    "levels": [
      {"at": 1.5, "kind": "good", "text": "level"},
      {"at": 1.5, "kind": "bad", "text": "level"}
    ],
    "marks": [
      {"at": 1.5, "kind": "roam", "text": "mark"},
      {"at": 1.5, "kind": "lost", "text": "mark"},
      {"at": 1.5, "kind": "failure", "text": "mark"}
    ],
    "stretches": [
      {"from": 1.5, "kind": "not_judged", "text": "stretch", "to": 2.5},
      {"from": 1.5, "kind": "stall", "text": "stretch", "to": 2.5},
      {"from": 1.5, "kind": "never", "text": "stretch", "to": 2.5},
      {"from": 1.5, "kind": "radio", "text": "stretch", "to": 2.5}
    ]
  },
  {
    "name": "name",
    "subject": {"application": [1, 2]},
    "kind": "goodput",
    "title": "title",
    "caption": "caption",
    "x": {"label": "label", "range": [0.5, 2.5], "scale": "nines", "ticks": [{"at": 1.5, "text": "tick"}], "unit": "mbps"},
    "y": {"label": "label", "range": [0.5, 2.5], "scale": "linear", "ticks": [{"at": 1.5, "text": "tick"}], "unit": "dbm"},
    "curves": [
      {"name": "curve", "style": "line", "tone": "main", "x": [1.0, 2.0], "y": [1.5, null]},
      {"name": "curve", "style": "dashed", "tone": "second", "x": [1.0, 2.0], "y": [1.5, null]},
      {"name": "curve", "style": "steps", "tone": {"other": 3}, "x": [1.0, 2.0], "y": [1.5, null]},
      {"name": "curve", "style": "points", "tone": "trouble", "x": [1.0, 2.0], "y": [1.5, null]}
    ],
    "bands": [
      {"curve": 0, "lower": [0.5, null], "name": "band", "upper": [null, 2.5], "x": [1.0, 2.0]}
    ],
    "levels": [
      {"at": 1.5, "kind": "good", "text": "level"},
      {"at": 1.5, "kind": "bad", "text": "level"}
    ],
    "marks": [
      {"at": 1.5, "kind": "roam", "text": "mark"},
      {"at": 1.5, "kind": "lost", "text": "mark"},
      {"at": 1.5, "kind": "failure", "text": "mark"}
    ],
    "stretches": [
      {"from": 1.5, "kind": "not_judged", "text": "stretch", "to": 2.5},
      {"from": 1.5, "kind": "stall", "text": "stretch", "to": 2.5},
      {"from": 1.5, "kind": "never", "text": "stretch", "to": 2.5},
      {"from": 1.5, "kind": "radio", "text": "stretch", "to": 2.5}
    ]
  },
  {
    "name": "name",
    "subject": "run",
    "kind": "buffer",
    "title": "title",
    "caption": "caption",
    "x": {"label": "label", "range": [0.5, 2.5], "scale": "linear", "ticks": [{"at": 1.5, "text": "tick"}], "unit": "dbm"},
    "y": {"label": "label", "range": [0.5, 2.5], "scale": "logarithmic", "ticks": [{"at": 1.5, "text": "tick"}], "unit": "share"},
    "curves": [
      {"name": "curve", "style": "line", "tone": "main", "x": [1.0, 2.0], "y": [1.5, null]},
      {"name": "curve", "style": "dashed", "tone": "second", "x": [1.0, 2.0], "y": [1.5, null]},
      {"name": "curve", "style": "steps", "tone": {"other": 3}, "x": [1.0, 2.0], "y": [1.5, null]},
      {"name": "curve", "style": "points", "tone": "trouble", "x": [1.0, 2.0], "y": [1.5, null]}
    ],
    "bands": [
      {"curve": 0, "lower": [0.5, null], "name": "band", "upper": [null, 2.5], "x": [1.0, 2.0]}
    ],
    "levels": [
      {"at": 1.5, "kind": "good", "text": "level"},
      {"at": 1.5, "kind": "bad", "text": "level"}
    ],
    "marks": [
      {"at": 1.5, "kind": "roam", "text": "mark"},
      {"at": 1.5, "kind": "lost", "text": "mark"},
      {"at": 1.5, "kind": "failure", "text": "mark"}
    ],
    "stretches": [
      {"from": 1.5, "kind": "not_judged", "text": "stretch", "to": 2.5},
      {"from": 1.5, "kind": "stall", "text": "stretch", "to": 2.5},
      {"from": 1.5, "kind": "never", "text": "stretch", "to": 2.5},
      {"from": 1.5, "kind": "radio", "text": "stretch", "to": 2.5}
    ]
  },
  {
    "name": "name",
    "subject": {"client": 1},
    "kind": "signal",
    "title": "title",
    "caption": "caption",
    "x": {"label": "label", "range": [0.5, 2.5], "scale": "logarithmic", "ticks": [{"at": 1.5, "text": "tick"}], "unit": "share"},
    "y": {"label": "label", "range": [0.5, 2.5], "scale": "nines", "ticks": [{"at": 1.5, "text": "tick"}], "unit": "seconds"},
    "curves": [
      {"name": "curve", "style": "line", "tone": "main", "x": [1.0, 2.0], "y": [1.5, null]},
      {"name": "curve", "style": "dashed", "tone": "second", "x": [1.0, 2.0], "y": [1.5, null]},
      {"name": "curve", "style": "steps", "tone": {"other": 3}, "x": [1.0, 2.0], "y": [1.5, null]},
      {"name": "curve", "style": "points", "tone": "trouble", "x": [1.0, 2.0], "y": [1.5, null]}
    ],
    "bands": [
      {"curve": 0, "lower": [0.5, null], "name": "band", "upper": [null, 2.5], "x": [1.0, 2.0]}
    ],
    "levels": [
      {"at": 1.5, "kind": "good", "text": "level"},
      {"at": 1.5, "kind": "bad", "text": "level"}
    ],
    "marks": [
      {"at": 1.5, "kind": "roam", "text": "mark"},
      {"at": 1.5, "kind": "lost", "text": "mark"},
      {"at": 1.5, "kind": "failure", "text": "mark"}
    ],
    "stretches": [
      {"from": 1.5, "kind": "not_judged", "text": "stretch", "to": 2.5},
      {"from": 1.5, "kind": "stall", "text": "stretch", "to": 2.5},
      {"from": 1.5, "kind": "never", "text": "stretch", "to": 2.5},
      {"from": 1.5, "kind": "radio", "text": "stretch", "to": 2.5}
    ]
  },
  {
    "name": "name",
    "subject": {"application": [1, 2]},
    "kind": "bit_rate",
    "title": "title",
    "caption": "caption",
    "x": {"label": "label", "range": [0.5, 2.5], "scale": "nines", "ticks": [{"at": 1.5, "text": "tick"}], "unit": "seconds"},
    "y": {"label": "label", "range": [0.5, 2.5], "scale": "linear", "ticks": [{"at": 1.5, "text": "tick"}], "unit": "milliseconds"},
    "curves": [
      {"name": "curve", "style": "line", "tone": "main", "x": [1.0, 2.0], "y": [1.5, null]},
      {"name": "curve", "style": "dashed", "tone": "second", "x": [1.0, 2.0], "y": [1.5, null]},
      {"name": "curve", "style": "steps", "tone": {"other": 3}, "x": [1.0, 2.0], "y": [1.5, null]},
      {"name": "curve", "style": "points", "tone": "trouble", "x": [1.0, 2.0], "y": [1.5, null]}
    ],
    "bands": [
      {"curve": 0, "lower": [0.5, null], "name": "band", "upper": [null, 2.5], "x": [1.0, 2.0]}
    ],
    "levels": [
      {"at": 1.5, "kind": "good", "text": "level"},
      {"at": 1.5, "kind": "bad", "text": "level"}
    ],
    "marks": [
      {"at": 1.5, "kind": "roam", "text": "mark"},
      {"at": 1.5, "kind": "lost", "text": "mark"},
      {"at": 1.5, "kind": "failure", "text": "mark"}
    ],
    "stretches": [
      {"from": 1.5, "kind": "not_judged", "text": "stretch", "to": 2.5},
      {"from": 1.5, "kind": "stall", "text": "stretch", "to": 2.5},
      {"from": 1.5, "kind": "never", "text": "stretch", "to": 2.5},
      {"from": 1.5, "kind": "radio", "text": "stretch", "to": 2.5}
    ]
  },
  {
    "name": "name",
    "subject": "run",
    "kind": "shares",
    "title": "title",
    "caption": "caption",
    "x": {"label": "label", "range": [0.5, 2.5], "scale": "linear", "ticks": [{"at": 1.5, "text": "tick"}], "unit": "milliseconds"},
    "y": {"label": "label", "range": [0.5, 2.5], "scale": "logarithmic", "ticks": [{"at": 1.5, "text": "tick"}], "unit": "mbps"},
    "curves": [
      {"name": "curve", "style": "line", "tone": "main", "x": [1.0, 2.0], "y": [1.5, null]},
      {"name": "curve", "style": "dashed", "tone": "second", "x": [1.0, 2.0], "y": [1.5, null]},
      {"name": "curve", "style": "steps", "tone": {"other": 3}, "x": [1.0, 2.0], "y": [1.5, null]},
      {"name": "curve", "style": "points", "tone": "trouble", "x": [1.0, 2.0], "y": [1.5, null]}
    ],
    "bands": [
      {"curve": 0, "lower": [0.5, null], "name": "band", "upper": [null, 2.5], "x": [1.0, 2.0]}
    ],
    "levels": [
      {"at": 1.5, "kind": "good", "text": "level"},
      {"at": 1.5, "kind": "bad", "text": "level"}
    ],
    "marks": [
      {"at": 1.5, "kind": "roam", "text": "mark"},
      {"at": 1.5, "kind": "lost", "text": "mark"},
      {"at": 1.5, "kind": "failure", "text": "mark"}
    ],
    "stretches": [
      {"from": 1.5, "kind": "not_judged", "text": "stretch", "to": 2.5},
      {"from": 1.5, "kind": "stall", "text": "stretch", "to": 2.5},
      {"from": 1.5, "kind": "never", "text": "stretch", "to": 2.5},
      {"from": 1.5, "kind": "radio", "text": "stretch", "to": 2.5}
    ]
  }
];
