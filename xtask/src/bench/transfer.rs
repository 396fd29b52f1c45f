//! What each client says about the bytes that it moved, read from its own report.
//!
//! A report that tells of any failure is an error here: a client that got errors quickly has moved nothing.

use anyhow::{Context, Result, bail};
use serde_json::Value;

/// Payload that arrived, and how long that took by the client's own account.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Transfer {
    pub(crate) bytes: f64,
    pub(crate) seconds: f64,
}

impl Transfer {
    pub(crate) fn new(bytes: f64, seconds: f64) -> Result<Self> {
        if bytes > 0.0 && seconds > 0.0 {
            return Ok(Self { bytes, seconds });
        }
        bail!("nothing was moved: {bytes} bytes in {seconds} s")
    }

    /// Goodput in 10^9 bit/s.
    pub(crate) fn gbps(self) -> f64 {
        self.bytes * 8.0 / self.seconds / 1e9
    }
}

/// wrk: `1445 requests in 1.10s, 1.41GB read`, and lines for whatever went wrong.
pub(crate) fn wrk(report: &str, object_bytes: f64) -> Result<Transfer> {
    for line in report.lines().map(str::trim) {
        if line.starts_with("Socket errors:") || line.starts_with("Non-2xx") {
            bail!("wrk: {line}");
        }
    }
    let (requests, time) = report
        .lines()
        .find_map(|line| line.trim().split_once(" requests in "))
        .and_then(|(requests, rest)| Some((requests.parse::<f64>().ok()?, rest.split_once(',')?.0)))
        .context("wrk printed no count of requests")?;
    Transfer::new(requests * object_bytes, wrk_seconds(time).with_context(|| format!("wrk's time is '{time}'"))?)
}

/// wrk writes `900.00ms`, `1.10s`, `1.50m`.
fn wrk_seconds(text: &str) -> Option<f64> {
    let units = [("us", 1e-6), ("ms", 1e-3), ("s", 1.0), ("m", 60.0)];
    units.iter().find_map(|(unit, factor)| Some(text.strip_suffix(unit)?.parse::<f64>().ok()? * factor))
}

/// ab: one `Name: value unit` in each line.
pub(crate) fn ab(report: &str) -> Result<Transfer> {
    let value = |name: &str| -> Option<f64> {
        let line = report.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
        line.split_whitespace().next()?.parse().ok()
    };
    if let Some(n) = value("Non-2xx responses") {
        bail!("ab: {n} replies were not 2xx");
    }
    match value("Failed requests") {
        Some(0.0) => {}
        Some(n) => bail!("ab: {n} requests failed"),
        None => bail!("ab printed no count of failed requests"),
    }
    let bytes = value("HTML transferred").context("ab printed no count of bytes")?;
    Transfer::new(bytes, value("Time taken for tests").context("ab printed no time")?)
}

/// oha with `--output-format json`. The requests that its deadline cut are no failures; their bytes are not counted.
pub(crate) fn oha(report: &str, object_bytes: f64) -> Result<Transfer> {
    let report: Value = serde_json::from_str(report).context("oha printed no JSON")?;
    let statuses = report["statusCodeDistribution"].as_object().context("oha printed no status codes")?;
    let errors = report["errorDistribution"].as_object().into_iter().flatten();
    for (what, count) in statuses.iter().filter(|(status, _)| *status != "200").chain(errors) {
        if what != "aborted due to deadline" {
            bail!("oha: {count} × {what}");
        }
    }
    let requests = report["statusCodeDistribution"]["200"].as_f64().context("oha saw no reply with status 200")?;
    Transfer::new(requests * object_bytes, report["summary"]["total"].as_f64().context("oha printed no time")?)
}

/// iperf3 with `--json`: what its receiver counted.
pub(crate) fn iperf3(report: &str) -> Result<Transfer> {
    let report: Value = serde_json::from_str(report).context("iperf3 printed no JSON")?;
    if let Some(error) = report["error"].as_str() {
        bail!("iperf3: {error}");
    }
    let received = &report["end"]["sum_received"];
    Transfer::new(
        received["bytes"].as_f64().context("iperf3 printed no count of bytes")?,
        received["seconds"].as_f64().context("iperf3 printed no time")?,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrk_counts_whole_replies_in_its_own_time() {
        let report =
            "Running 1s test @ http://127.0.0.1:1/x\n  1445 requests in 1.10s, 1.41GB read\nRequests/sec: 1.0\n";
        assert_eq!(wrk(report, 1000.0).unwrap(), Transfer { bytes: 1_445_000.0, seconds: 1.1 });
        // 1,445,000 × 8 / 1.1 / 10^9
        assert!((wrk(report, 1000.0).unwrap().gbps() - 0.010_509_09).abs() < 1e-8);
        assert!(wrk(&format!("{report}  Non-2xx or 3xx responses: 7\n"), 1000.0).is_err());
        assert!(wrk(&format!("{report}  Socket errors: connect 0, read 1, write 0, timeout 0\n"), 1000.0).is_err());
        assert!(wrk("  0 requests in 1.00s, 0.00B read\n", 1000.0).is_err());
        assert!(wrk("unable to connect", 1000.0).is_err());
    }

    #[test]
    fn wrk_writes_times_in_several_units() {
        assert_eq!(wrk_seconds("500ms"), Some(0.5));
        assert_eq!(wrk_seconds("1.10s"), Some(1.1));
        assert_eq!(wrk_seconds("1.50m"), Some(90.0));
        assert_eq!(wrk_seconds("fast"), None);
    }

    #[test]
    fn ab_must_not_have_failed() {
        let report = "Time taken for tests:   2.000 seconds\nComplete requests:      9\nFailed requests:        0\n\
                      Total transferred:      1010 bytes\nHTML transferred:       1000 bytes\n";
        assert_eq!(ab(report).unwrap(), Transfer { bytes: 1000.0, seconds: 2.0 });
        assert!(ab(&report.replace("requests:        0", "requests:        1")).is_err());
        assert!(ab(&format!("{report}Non-2xx responses:      9\n")).is_err());
        assert!(ab("Benchmarking…").is_err());
    }

    #[test]
    fn oha_may_cut_requests_at_its_end_but_not_lose_them() {
        let report = r#"{"summary":{"total":2.0},"statusCodeDistribution":{"200":5},"errorDistribution":{"aborted due to deadline":1}}"#;
        assert_eq!(oha(report, 100.0).unwrap(), Transfer { bytes: 500.0, seconds: 2.0 });
        assert!(oha(&report.replace("aborted due to deadline", "connection refused"), 100.0).is_err());
        assert!(oha(&report.replace(r#""200":5"#, r#""200":5,"503":1"#), 100.0).is_err());
        assert!(oha("", 100.0).is_err());
    }

    #[test]
    fn iperf3_counts_at_the_receiver() {
        let report = r#"{"end":{"sum_sent":{"bytes":9,"seconds":1},"sum_received":{"bytes":8,"seconds":2}}}"#;
        assert_eq!(iperf3(report).unwrap(), Transfer { bytes: 8.0, seconds: 2.0 });
        assert!(iperf3(r#"{"error":"unable to connect"}"#).is_err());
    }
}
