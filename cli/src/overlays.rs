//! Layers over a drawn board: where a unit can go, zones, lines of sight, and whatever a condition says.

use std::path::PathBuf;

use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use countermarch_cartography::draw::Overlay;
use countermarch_core::{
    map::SpaceId,
    play::{Game, Move},
    ruleset::{Kind, Ruleset},
    show::Words,
};

/// What is drawn over the board, and which position.
#[derive(Args)]
pub struct Layers {
    /// Draw the position that a record comes to, in place of a scenario's setup.
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
    /// With --record: after so many answers.
    #[arg(long, requires = "record")]
    pub at: Option<usize>,
    /// Where a unit can go: UNIT, or UNIT:MOVER, or UNIT:MOVER=POINTS.
    #[arg(long, value_name = "UNIT")]
    reach: Vec<String>,
    /// A zone against a side: ZONE=SIDE.
    #[arg(long, value_name = "ZONE=SIDE")]
    zone: Vec<String>,
    /// A line of sight between two spaces: SIGHT=FROM,TO.
    #[arg(long, value_name = "SIGHT=FROM,TO")]
    sight: Vec<String>,
    /// The spaces for which a condition holds, in the language of rows, over `space`.
    #[arg(long, value_name = "CONDITION")]
    mark: Vec<String>,
    /// The pairs of counters for which a condition holds, over `unit` and `other`: command, support.
    #[arg(long, value_name = "CONDITION")]
    link: Vec<String>,
}

const COLOURS: [&str; 6] = ["#1f5fa8", "#b03a2e", "#7d3c98", "#1e8449", "#b9770e", "#117a8b"];

impl Layers {
    /// Whether any is asked for.
    pub fn is_empty(&self) -> bool {
        [&self.reach, &self.zone, &self.sight, &self.mark, &self.link].iter().all(|l| l.is_empty())
    }

    /// The layers over a position.
    ///
    /// # Errors
    /// When a name is not known, or a condition cannot be read.
    pub fn over(&self, game: &Game) -> Result<Vec<Overlay>> {
        let mut all = Vec::new();
        for text in &self.zone {
            all.push(zone(game, text)?);
        }
        for text in &self.mark {
            all.push(mark(game, text)?);
        }
        for text in &self.reach {
            all.push(reach(game, text)?);
        }
        for text in &self.link {
            all.push(link(game, text)?);
        }
        for text in &self.sight {
            all.push(sight(game, text)?);
        }
        for (at, overlay) in all.iter_mut().enumerate().filter(|(_, o)| o.colour.is_empty()) {
            overlay.colour = COLOURS[at % COLOURS.len()].to_owned();
        }
        Ok(all)
    }
}

fn named(ruleset: &Ruleset, kind: Kind, what: &str, name: &str) -> Result<i32> {
    match ruleset.find_named(kind, name, &ruleset.all_of(kind)) {
        Ok(Some(value)) => Ok(value),
        Ok(None) => bail!("there is no {what} `{name}`"),
        Err(several) => bail!("`{name}` could be several: {}", several.join(", ")),
    }
}

fn space(ruleset: &Ruleset, name: &str) -> Result<SpaceId> {
    if let Some(space) = ruleset.map.find(name) {
        return Ok(space);
    }
    Ok(SpaceId(named(ruleset, Kind::Space, "space", name)? as u32))
}

fn pair<'a>(text: &'a str, form: &str) -> Result<(&'a str, &'a str)> {
    text.split_once('=').ok_or_else(|| anyhow!("`{text}` is not {form}"))
}

fn reach(game: &Game, text: &str) -> Result<Overlay> {
    let ruleset = &game.ruleset;
    let (unit, way) = text.split_once(':').unwrap_or((text, ""));
    let (mover, points) = way.split_once('=').unwrap_or((way, ""));
    let unit = named(ruleset, Kind::Unit, "unit", unit)?;
    let at = if mover.is_empty() { Some(0) } else { ruleset.movers.iter().position(|m| m.name == mover) };
    let Some(at) = at.filter(|at| *at < ruleset.movers.len()) else {
        let known: Vec<&str> = ruleset.movers.iter().map(|m| m.name.as_str()).collect();
        bail!("there is no mover `{mover}`; known here: {}", known.join(", "));
    };
    let mover = &ruleset.movers[at];
    let (declared, extra) = game.allowance(at as u16, unit);
    let (allowance, extra) = match (points, declared) {
        ("", Some(allowance)) => (allowance, extra),
        ("", None) => bail!("`{}` does not say how far it goes: write {text}:{}=POINTS", mover.name, mover.name),
        (points, _) => {
            let points: u16 = points.parse().with_context(|| format!("`{points}` is no number of points"))?;
            (points.saturating_mul(mover.point).min(Move::MOST), 0)
        }
    };
    if game.space_of(unit) < 0 {
        bail!("{} is not on the map", ruleset.name_of(Kind::Unit, unit));
    }
    let m = Move {
        mover: at as u16,
        unit,
        allowance,
        extra,
        minimum: mover.minimum,
        seeds: Vec::new(),
        starts: Vec::new(),
    };
    let reached = game.reached(&m).into_iter().map(|r| (r.space, mover.in_points(r.cost))).collect();
    let title = format!("{} can {}", ruleset.name_of(Kind::Unit, unit), mover.name);
    Ok(Overlay { title, spaces: reached, ..Overlay::default() })
}

fn zone(game: &Game, text: &str) -> Result<Overlay> {
    let ruleset = &game.ruleset;
    let (zone, side) = pair(text, "ZONE=SIDE")?;
    let Some(at) = ruleset.zones.iter().position(|z| z.name == zone) else {
        let known: Vec<&str> = ruleset.zones.iter().map(|z| z.name.as_str()).collect();
        bail!("there is no zone `{zone}`; known here: {}", known.join(", "));
    };
    let side = named(ruleset, Kind::Side, "side", side)?;
    let is_in = |s: &SpaceId| game.in_zone(at as u16, side, s.0 as i32);
    let spaces = ruleset.map.spaces().filter(is_in).map(|s| (s, String::new())).collect();
    let title = format!("{} against {}", zone.replace('-', " "), ruleset.name_of(Kind::Side, side));
    Ok(Overlay { title, spaces, ..Overlay::default() })
}

fn mark(game: &Game, text: &str) -> Result<Overlay> {
    let ruleset = &game.ruleset;
    let when = ruleset.condition(text, &[("space", Kind::Space)]).map_err(|wrong| anyhow!("`{text}`: {wrong}"))?;
    let holds = |s: &SpaceId| game.holds(&when, &[s.0 as i32]);
    let spaces = ruleset.map.spaces().filter(holds).map(|s| (s, String::new())).collect();
    Ok(Overlay { title: text.to_owned(), spaces, ..Overlay::default() })
}

fn link(game: &Game, text: &str) -> Result<Overlay> {
    let ruleset = &game.ruleset;
    let given = [("unit", Kind::Unit), ("other", Kind::Unit)];
    let when = ruleset.condition(text, &given).map_err(|wrong| anyhow!("`{text}`: {wrong}"))?;
    let on_map: Vec<i32> = (0..ruleset.units.len() as i32).filter(|u| game.space_of(*u) >= 0).collect();
    let mut lines = Vec::new();
    for unit in &on_map {
        for other in on_map.iter().filter(|o| *o != unit && game.holds(&when, &[*unit, **o])) {
            let space = |unit: i32| SpaceId(game.space_of(unit) as u32);
            lines.push((space(*unit), space(*other), false));
        }
    }
    Ok(Overlay { title: text.to_owned(), lines, ..Overlay::default() })
}

fn sight(game: &Game, text: &str) -> Result<Overlay> {
    let ruleset = &game.ruleset;
    let form = "SIGHT=FROM,TO";
    let (sight, ends) = pair(text, form)?;
    let (from, to) = ends.split_once(',').ok_or_else(|| anyhow!("`{text}` is not {form}"))?;
    let Some(at) = ruleset.sights.iter().position(|s| s.name == sight) else {
        let known: Vec<&str> = ruleset.sights.iter().map(|s| s.name.as_str()).collect();
        let known = if known.is_empty() { "this game declares none".to_owned() } else { known.join(", ") };
        bail!("there is no line of sight `{sight}`: {known}");
    };
    let (from, to) = (space(ruleset, from)?, space(ruleset, to)?);
    let why = game.why_not_seen(at as u16, from, to);
    let title = match why.first() {
        None => format!("{sight}: seen"),
        Some(first) => format!("{sight} blocked: {}", Words::all(ruleset).say(&first.said)),
    };
    let colour = if why.is_empty() { "#1e8449" } else { "#b03a2e" }.to_owned();
    let crossed = ruleset.map.line(from, to);
    let spaces = crossed.iter().flat_map(|c| [Some(c.space), c.beside]).flatten().map(|s| (s, String::new())).collect();
    Ok(Overlay { title, colour, spaces, lines: vec![(from, to, !why.is_empty())] })
}
