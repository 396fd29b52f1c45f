//! Every figure of a run, in the order in which a reader wants them.

use burn_model::judge::Judgement;
use burn_model::run::RunRecord;

use super::application::Application;
use super::client::{radio, shares};
use super::time_line::TimeLine;
use super::{Figure, percentiles};

/// The figures of a run: what all clients received; and client by client its applications' percentiles, response time, goodput
/// and buffer, and its radio. A figure without anything to show is left out. No curve has more than `most_points` points
/// (three at least): where that is fewer than there are seconds, the caption says what was left out.
#[must_use]
pub fn of_run(run: &RunRecord, judgement: &Judgement, most_points: usize) -> Vec<Figure> {
    let (Some(plan), Some(line)) = (run.plan(), TimeLine::of(run, judgement, most_points)) else { return Vec::new() };
    let mut figures: Vec<Figure> = shares(&line).into_iter().collect();
    let mut judged = judgement.applications.iter();
    for (client, of_client) in plan.clients.iter().enumerate() {
        // The judgement has the applications in the plan's order.
        for ((population, plan), judged) in of_client.populations.iter().enumerate().zip(judged.by_ref()) {
            let seconds = run.seconds(client, population).collect();
            let application = Application { line: &line, client, population, judged, plan, seconds };
            figures.extend(percentiles::figure(run, (client, population), judged, plan, most_points));
            figures.extend(application.response_time());
            figures.extend(application.goodput());
            figures.extend(application.buffer());
        }
        figures.extend(radio(&line, client, &of_client.name));
    }
    figures
}
