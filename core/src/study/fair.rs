//! What the search for a fair bid came to, told: as text, and for machines.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::{Bid, Bidding, Leads, Parameter, Portion, Searched, bid::halved};
use crate::{
    play::Game,
    ruleset::{Kind, Sense},
};

/// Everything that a bid is told from.
#[derive(Debug, Clone, Copy)]
pub struct Fair<'a> {
    /// The games, as the scenario stands.
    pub bidding: &'a Bidding,
    /// What they came to.
    pub leads: &'a Leads,
    /// What was found.
    pub found: &'a Found<'a>,
    /// The first of the seeds that nothing was looked for on.
    pub held_out: u64,
    /// So near to even is near enough, in points of a hundred.
    pub within: f64,
    /// The command that does it again.
    pub again: &'a str,
}

/// What makes the sides even.
#[derive(Debug, Clone)]
pub enum Found<'a> {
    /// Points of a sum, with what the first side takes then of games that nothing was looked for on.
    Points(Bid, Portion),
    /// A value at a path, in the same way.
    Value(&'a Parameter, Searched, Portion),
}

impl Fair<'_> {
    /// What the first side takes of games that nothing was looked for on. Of those that it was found on it says nothing that
    /// could be held against it: it is what comes nearest to even in them.
    pub fn held_out(&self) -> Portion {
        match self.found {
            Found::Points(_, held) | Found::Value(_, _, held) => *held,
        }
    }

    /// What the first side takes of the games that it was found on.
    pub fn portion(&self) -> Portion {
        match self.found {
            Found::Points(bid, _) => self.leads.with(bid.halves),
            Found::Value(_, searched, _) => searched.tried[searched.nearest].portion,
        }
    }

    /// Whether it comes near enough to even, in the games held out.
    pub fn is_even(&self) -> bool {
        self.held_out().off() <= self.within
    }

    /// That these games are too few to tell so nearly, if they are.
    fn too_few(&self) -> Option<String> {
        let (held, within) = (self.held_out(), self.within);
        (held.margin() > within).then(|| {
            let games = held.games;
            let needed = (1.959_964 * 50.0 / within).powi(2).ceil();
            let would = if needed.is_finite() { format!("; about {needed} would") } else { String::new() };
            let margin = held.margin();
            format!("{games} games cannot tell {within} points of a hundred, but {margin:.1} either way at 95 %{would}")
        })
    }

    /// Whether who has less of what is bid in is better off.
    fn is_less_better(&self) -> bool {
        self.bidding.ruleset.measures[self.bidding.measure].sense == Sense::Less
    }

    fn side(&self, at: usize) -> String {
        self.bidding.ruleset.id_of(Kind::Side, self.bidding.sides[at])
    }

    fn unit(&self) -> String {
        let measure = &self.bidding.ruleset.measures[self.bidding.measure];
        if measure.unit.is_empty() { measure.title.clone() } else { measure.unit.clone() }
    }
}

fn share(portion: Portion) -> String {
    let [low, high] = portion.interval.map(|end| 100.0 * end);
    format!("{:.1} % of the points ({low:.1} .. {high:.1})", 100.0 * portion.is)
}

/// As people read it.
pub fn fair_text(fair: &Fair<'_>) -> String {
    let Fair { bidding, leads, found, held_out, within, again } = fair;
    let ruleset = &bidding.ruleset;
    let mut text = String::new();
    let mut line = |head: &str, rest: String| {
        // Writing to a text cannot fail.
        let _ = writeln!(text, "{head:<14}{rest}");
    };
    line("VERSION", format!("{}: {}", ruleset.title, ruleset.full_name()));
    line("SCENARIO", ruleset.scenarios[bidding.scenario].title.clone());
    let players = ruleset.sides.iter().zip(&bidding.players).map(|(side, player)| format!("{}={player}", side.id));
    line("PLAYED BY", players.collect::<Vec<_>>().join(", "));
    line(
        "GAMES",
        format!("{} that count, from seed {}; as many held out, from seed {held_out}", leads.games, bidding.seed),
    );
    if !leads.failed.is_empty() {
        line("", format!("{} could not be played to their end and do not count:", leads.failed.len()));
        leads.failed.iter().take(10).for_each(|(seed, wrong)| line("", format!("  seed {seed}: {wrong}")));
    }
    line("AS IT STANDS", format!("{} takes {}", fair.side(0), share(leads.as_won())));
    let near = if fair.is_even() { "within" } else { "NOT WITHIN" };
    let near = format!("{near} {within} of even");
    match found {
        Found::Points(bid, held) => {
            let to = fair.side(usize::from(bid.halves < 0) ^ 1);
            let lies = bid.interval.map_or_else(
                || "and where it lies at 95 % fewer than six games cannot say".to_owned(),
                |[low, high]| {
                    let ends = if bid.halves < 0 { [-high, -low] } else { [low, high] };
                    let [low, high] = ends.map(halved);
                    format!("at 95 % {low} .. {high}")
                },
            );
            let (more, given) = if fair.is_less_better() { ("fewer", "taken off") } else { ("more", "added") };
            let way = if fair.is_less_better() { "off" } else { "to" };
            let title = &ruleset.measures[bidding.measure].title;
            line("", format!("{} takes {}, if who has {more} {title} wins", fair.side(0), share(leads.with(0))));
            line("FAIR BID", format!("{} {} {way} {to}, {lies}", halved(bid.halves.abs()), fair.unit()));
            line("", format!("{} then takes {}", fair.side(0), share(fair.portion())));
            line("", format!("of the games held out {}: {near}", share(*held)));
            fair.too_few().into_iter().for_each(|few| line("", few));
            let tied = leads.with(bid.halves - 1).is - leads.with(bid.halves + 1).is;
            if fair.portion().off() > *within && tied > 0.0 {
                line(
                    "",
                    format!(
                        "{:.1} % of the games end with just this lead: no bid in points parts them alike",
                        100.0 * tied
                    ),
                );
            }
            for beside in (bid.halves - 4..=bid.halves + 4).filter(|beside| *beside != bid.halves) {
                let given = if bid.halves < 0 { -beside } else { beside };
                line("", format!("  with {:>5} it takes {}", halved(given), share(leads.with(beside))));
            }
            line(
                "TAKEN AS READ",
                format!("the winner is who has {more} {title} at the end, the bid {given}; the players do not"),
            );
            line("", "know of it. Other ways to win do not count here:".to_owned());
            let mut begun = Game::new(ruleset.clone(), 0);
            begun.set_up(&ruleset.scenarios[bidding.scenario]);
            let ways = ruleset.victory.iter().enumerate().filter(|(at, _)| begun.is_won_so(*at));
            ways.for_each(|(_, way)| line("", format!("  {}  [{}]", way.say, ruleset.cite(way.cite))));
        }
        Found::Value(parameter, searched, held) => {
            let value = |at: usize| parameter.values[at].as_str();
            let between = match searched.between {
                Some([low, high]) => format!("at 95 % {} .. {}", value(low), value(high)),
                None => "and none of the values is even at 95 %".to_owned(),
            };
            let nearest = &searched.tried[searched.nearest];
            line("FAIR VALUE", format!("{}={}, {between}", parameter.path, value(nearest.at)));
            line("", format!("{} then takes {}", fair.side(0), share(nearest.portion)));
            line("", format!("of the games held out {}: {near}", share(*held)));
            fair.too_few().into_iter().for_each(|few| line("", few));
            line("TRIED", "halving the values, the same seeds under each:".to_owned());
            for tried in &searched.tried {
                line("", format!("  with {:>5} it takes {}", value(tried.at), share(tried.portion)));
            }
        }
    }
    line("AGAIN", (*again).to_owned());
    text
}

/// For machines, format 1: `README.md` says what it holds.
pub fn fair_json(fair: &Fair<'_>) -> Value {
    let Fair { bidding, leads, found, held_out, within, again } = fair;
    let ruleset = &bidding.ruleset;
    let portion = |portion: Portion| json!({ "is": portion.is, "interval": portion.interval });
    let half = |halves: i64| halves as f64 / 2.0;
    let (bid, value, held) = match found {
        Found::Points(bid, held) => {
            let to = fair.side(usize::from(bid.halves < 0) ^ 1);
            let ends = bid.interval.map(|ends| ends.map(half));
            let ends = ends.map(|[low, high]| if bid.halves < 0 { [-high, -low] } else { [low, high] });
            (
                json!({ "to": to, "is": half(bid.halves).abs(), "interval": ends, "unit": fair.unit(),
                    "less_is_better": fair.is_less_better(), "without": portion(leads.with(0)) }),
                Value::Null,
                held,
            )
        }
        Found::Value(parameter, searched, held) => {
            let value = |at: usize| &parameter.values[at];
            let tried = searched.tried.iter().map(|tried| json!([value(tried.at), portion(tried.portion)]));
            let found = json!({ "path": parameter.path, "is": value(searched.tried[searched.nearest].at),
                "between": searched.between.map(|ends| ends.map(value)), "tried": tried.collect::<Vec<_>>() });
            (Value::Null, found, held)
        }
    };
    let players: Vec<String> = bidding.players.iter().map(ToString::to_string).collect();
    json!({ "format": 1, "game": ruleset.id, "version": ruleset.version.to_string(),
        "scenario": ruleset.scenarios[bidding.scenario].id, "players": players, "seed": bidding.seed, "games": leads.games,
        "failed": { "count": leads.failed.len(), "first": leads.failed.iter().take(10).collect::<Vec<_>>() },
        "measure": ruleset.measures[bidding.measure].id, "side": fair.side(0), "as_it_stands": portion(leads.as_won()),
        "bid": bid, "value": value, "with_it": portion(fair.portion()),
        "held_out": { "seed": held_out, "with_it": portion(*held) }, "within": within, "even": fair.is_even(), "again": again })
}
