//! How to run a run again.

use burn_model::run::RunRecord;

/// What to type. A run file may come from anybody, and these lines are there to be copied into a shell: what is in them is of the
/// program's own making or has passed [`is_plain`].
pub(crate) fn commands(run: &RunRecord) -> Vec<String> {
    let Some(header) = run.header() else { return Vec::new() };
    let plan = &header.plan;
    let length = match plan.duration.subsec_millis() {
        0 => format!("{}s", plan.duration.as_secs()),
        _ => format!("{}ms", plan.duration.as_millis()),
    };
    if header.scenario.is_some() {
        let solo = (0..plan.clients.len()).any(|client| run.solo(client, 0).is_some());
        let solo = if solo { " --solo-first" } else { "" };
        return vec![format!("netburn run scenario.toml --for {length} --seed {}{solo}", plan.seed)];
    }
    let [client] = plan.clients.as_slice() else { return Vec::new() };
    let workloads: Vec<&str> = client.populations.iter().map(|population| population.name.as_str()).collect();
    // Of any other web server, the record has the name alone and not the page.
    let can_be_had_again = header.verified_server && is_plain(&header.server);
    if !can_be_had_again || !workloads.iter().all(|name| is_plain(name)) {
        return Vec::new();
    }
    let workloads = workloads.join(",");
    vec![format!("netburn client --server {} --run {workloads} --for {length} --seed {}", header.server, plan.seed)]
}

/// Whether a shell takes a word for nothing but itself, and a program does not take it for an option.
fn is_plain(word: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || ":/._-".contains(c);
    !word.is_empty() && !word.starts_with('-') && word.chars().all(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_a_shell_understands_is_offered_for_copying() {
        for plain in ["http://10.0.0.1:4040", "https://example.net/a_b-c.bin", "4kstream"] {
            assert!(is_plain(plain), "{plain}");
        }
        for other in [
            "", "-x", "a b", "a;b", "$(a)", "`a`", "a|b", "a&b", "a>b", "a\nb", "a'b", "a\"b", "a*", "~a", "a\\b",
            "[a]",
        ] {
            assert!(!is_plain(other), "{other}");
        }
    }
}
