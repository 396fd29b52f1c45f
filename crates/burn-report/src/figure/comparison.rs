//! Applications of two set-ups, drawn over each other.

use burn_model::compare::{Side, compare};
use burn_model::curve::percentile_curve;
use burn_model::judge::Judgement;
use burn_model::plan::Plan;
use burn_model::run::RunRecord;

use super::application::Application;
use super::axis::{from_zero, logarithmic, nines};
use super::percentiles::{SHARE, confidence, curve, levels};
use super::time_line::TimeLine;
use super::{Curve, Figure, Kind, Level, Mark, Style, Subject, Tone, Unit, name, title};

/// A run with its judgement.
type Judged<'a> = (&'a RunRecord, &'a Judgement);

/// What every application that both set-ups have went through in each: response time by percentile and by second, and goodput.
/// Of several runs a side the middle one is drawn, by the figure that they are compared by. `titles` are what the set-ups are
/// called; they may hold anything. No curve has more than `most_points` points.
#[must_use]
pub fn of_comparison(
    first: &[Judged<'_>],
    second: &[Judged<'_>],
    titles: (&str, &str),
    most_points: usize,
) -> Vec<Figure> {
    let found = compare(first, second).applications;
    let of_application = found.iter().flat_map(|both| {
        let whose = (both.client.as_str(), both.name.as_str());
        let one = Half::of(first, &both.first, whose, titles.0, most_points);
        let other = Half::of(second, &both.second, whose, titles.1, most_points);
        let pair = one.zip(other).map(|(one, other)| Pair { one, other, most_points });
        pair.map(|pair| pair.figures()).unwrap_or_default()
    });
    of_application.collect()
}

/// One set-up's run that is drawn.
struct Half<'a> {
    title: &'a str,
    run: &'a RunRecord,
    judgement: &'a Judgement,
    line: TimeLine<'a>,
    client: usize,
    population: usize,
    plan: &'a Plan,
    /// Its number among the runs of its set-up, from 1, and how many there are.
    which: (usize, usize),
}

impl<'a> Half<'a> {
    fn of(runs: &[Judged<'a>], side: &Side, whose: (&str, &str), title: &'a str, most_points: usize) -> Option<Self> {
        let place = middle_run(side);
        let (run, judgement) = *runs.get(place)?;
        let plan = run.plan()?;
        let client = plan.clients.iter().position(|client| client.name == whose.0)?;
        let populations = &plan.clients.get(client)?.populations;
        let population = populations.iter().position(|population| population.name == whose.1)?;
        let line = TimeLine::of(run, judgement, most_points)?;
        Some(Self { title, run, judgement, line, client, population, plan, which: (place + 1, runs.len()) })
    }

    fn application(&self) -> Option<Application<'_>> {
        let plan = self.plan.clients.get(self.client)?;
        let is_it = |one: &&burn_model::judge::ApplicationJudgement| {
            one.client == plan.name && plan.populations.get(self.population).is_some_and(|it| it.name == one.name)
        };
        Some(Application {
            line: &self.line,
            client: self.client,
            population: self.population,
            judged: self.judgement.applications.iter().find(is_it)?,
            plan: plan.populations.get(self.population)?,
            seconds: self.run.seconds(self.client, self.population).collect(),
        })
    }

    /// What happened in it, with its title.
    fn marks(&self) -> impl Iterator<Item = Mark> {
        let named = |mark: Mark| Mark { text: format!("{}: {}", self.title, mark.text), ..mark };
        self.line.happened_to(self.client).into_iter().map(named)
    }
}

/// The run whose figure is the middle one; of an even number the lower. Runs that could not tell it come last.
fn middle_run(side: &Side) -> usize {
    let mut ranked: Vec<usize> = (0..side.values.len()).collect();
    let value = |place: &usize| side.values.get(*place).copied().flatten();
    let known = ranked.iter().filter(|place| value(place).is_some()).count();
    ranked.sort_by(|one, other| match (value(one), value(other)) {
        (Some(one), Some(other)) => one.total_cmp(&other),
        (one, other) => other.is_some().cmp(&one.is_some()),
    });
    ranked.get(known.saturating_sub(1) / 2).copied().unwrap_or(0)
}

/// Both set-ups of one application.
struct Pair<'a> {
    one: Half<'a>,
    other: Half<'a>,
    most_points: usize,
}

impl Pair<'_> {
    fn figures(&self) -> Vec<Figure> {
        let (Some(one), Some(other)) = (self.one.application(), self.other.application()) else { return Vec::new() };
        [self.percentiles(&one), self.response_time(&one, &other), self.goodput(&one, &other)]
            .into_iter()
            .flatten()
            .collect()
    }

    fn percentiles(&self, application: &Application<'_>) -> Option<Figure> {
        let of = |half: &Half<'_>| percentile_curve(half.run, half.client, half.population);
        let (one, other) = (of(&self.one)?, of(&self.other)?);
        let last = one.points.iter().chain(&other.points).map(|point| point.share).reduce(f64::max)?;
        let curves = vec![
            curve(&one, self.one.title, Style::Line, Tone::Main, self.most_points),
            curve(&other, self.other.title, Style::Dashed, Tone::Second, self.most_points),
        ];
        let bands: Vec<_> = [confidence(&one, 0, self.most_points), confidence(&other, 1, self.most_points)]
            .into_iter()
            .flatten()
            .collect();
        let caption = format!(
            "{}{} A curve ends at the slowest operation that completed. Bands tell how sure each run is of itself, not whether the set-ups \
             differ: other runs of either would lie elsewhere.",
            self.drawn(),
            if bands.len() < 2 {
                " A curve without a band is of a run that does not show how much operations depend on one another."
            } else {
                ""
            }
        );
        let levels = levels(&application.plan.goals);
        let y = logarithmic("response time", Unit::Milliseconds, values(&curves, &levels));
        let x = nines(SHARE, last);
        Some(Figure {
            x,
            y,
            curves,
            bands,
            levels,
            ..self.blank(application, Kind::Percentiles, "response time by percentile", caption)
        })
    }

    fn response_time(&self, one: &Application<'_>, other: &Application<'_>) -> Option<Figure> {
        let curves = vec![
            one.p95_curve(self.one.title, Style::Line, Tone::Main),
            other.p95_curve(self.other.title, Style::Dashed, Tone::Second),
        ];
        curves.iter().any(has_values).then_some(())?;
        let caption = format!("{} The 95 % quantile of each second, by when operations were due.", self.drawn());
        let levels = one.deciding_levels();
        let y = logarithmic("response time, p95", Unit::Milliseconds, values(&curves, &levels));
        Some(Figure { y, curves, levels, ..self.timed(one, Kind::ResponseTime, "response time", caption) })
    }

    fn goodput(&self, one: &Application<'_>, other: &Application<'_>) -> Option<Figure> {
        let curves = vec![
            one.goodput_curve(self.one.title, Style::Line, Tone::Main),
            other.goodput_curve(self.other.title, Style::Dashed, Tone::Second),
        ];
        curves.iter().flat_map(|curve| curve.y.iter().flatten()).any(|mbps| *mbps > 0.0).then_some(())?;
        let caption = format!("{} Payload by the second in which it arrived.", self.drawn());
        let levels: Vec<Level> = one.floor().into_iter().map(|(level, _)| level).collect();
        let y = from_zero("goodput", Unit::Mbps, values(&curves, &levels));
        Some(Figure { y, curves, levels, ..self.timed(one, Kind::Goodput, "goodput", caption) })
    }

    /// Which runs are drawn, as a sentence.
    fn drawn(&self) -> String {
        match (self.one.which, self.other.which) {
            ((_, 1), (_, 1)) => "One run of each set-up: an illustration, not proof.".to_owned(),
            ((one, of), (other, of_others)) => format!(
                "Of each set-up's runs the middle one by the figure that they are compared by: number {one} of {of}, and number \
                 {other} of {of_others}."
            ),
        }
    }

    fn timed(&self, one: &Application<'_>, kind: Kind, what: &str, mut caption: String) -> Figure {
        let seconds = one.seconds.len();
        if let Some(left_out) = self.one.line.left_out(seconds) {
            caption = format!("{caption} {left_out}");
        }
        let mut marks: Vec<Mark> = self.one.marks().chain(self.other.marks()).collect();
        marks.sort_by(|one, other| one.at.total_cmp(&other.at));
        Figure { marks, stretches: self.one.line.not_judged(), ..self.blank(one, kind, what, caption) }
    }

    fn blank(&self, application: &Application<'_>, kind: Kind, what: &str, caption: String) -> Figure {
        let whose = [application.judged.client.as_str(), application.judged.name.as_str()];
        let x = self.one.line.axis_with(&self.other.line);
        Figure {
            name: name(kind, &whose),
            subject: Subject::Application(self.one.client, self.one.population),
            kind,
            title: title(what, &whose),
            caption,
            y: x.clone(),
            x,
            curves: Vec::new(),
            bands: Vec::new(),
            levels: Vec::new(),
            marks: Vec::new(),
            stretches: Vec::new(),
        }
    }
}

fn has_values(curve: &Curve) -> bool {
    curve.y.iter().any(Option::is_some)
}

fn values<'a>(curves: &'a [Curve], levels: &'a [Level]) -> impl Iterator<Item = f64> + 'a {
    let drawn = curves.iter().flat_map(|curve| curve.y.iter().flatten().copied());
    drawn.chain(levels.iter().map(|level| level.at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_run_is_the_lower_one_of_two_and_never_one_that_could_not_tell() {
        let of = |values: &[Option<f64>]| middle_run(&Side { values: values.to_vec(), ..Side::default() });
        assert_eq!(of(&[Some(3.0), Some(1.0), Some(2.0)]), 2);
        assert_eq!(of(&[Some(3.0), Some(1.0), Some(2.0), Some(9.0)]), 2);
        assert_eq!(of(&[None, Some(5.0), None, Some(4.0), Some(f64::INFINITY)]), 1);
        assert_eq!((of(&[None, None]), of(&[])), (0, 0));
    }
}
