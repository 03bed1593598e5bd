//! Why a move or a retreat does not come to a space: what closes it, what lies on the way, or how far it is.

use std::collections::BTreeSet;

use super::{
    effect::TallyLine,
    game::Game,
    moves::{Move, Retreat},
    offer::Refusal,
    said::{Particular, Said, Saying},
};
use crate::{
    map::{Flood, Map, Mode, SpaceId},
    ruleset::{Cite, Mover, Points, Relaxed, Text, each_count, rows::Row},
};

/// A transition on the path of a move: a step, an entry, a change in place.
#[derive(Debug, Clone, Copy)]
struct Transition {
    unit: i32,
    /// The space left; the same for a change in place, nothing for an entry.
    from: Option<SpaceId>,
    to: SpaceId,
    /// The symbol of the mode before.
    before: i16,
    mode: Mode,
}

impl Transition {
    /// What rows and marks are given of it: unit, from, to, the symbol of its mode and the one before.
    fn given(self) -> [i32; 5] {
        let from = self.from.map_or(-1, |from| from.0 as i32);
        [self.unit, from, self.to.0 as i32, i32::from(self.mode.symbol).max(0), i32::from(self.before)]
    }
}

/// What refuses a transition on a path.
struct OnPath {
    refusals: Vec<Refusal>,
    /// Whether it is but what is printed on the way.
    is_ground: bool,
}

impl OnPath {
    fn new(refusals: Vec<Refusal>, at: SpaceId, aimed: SpaceId, is_ground: bool) -> OnPath {
        let refusals = refusals.into_iter().map(|refusal| refusal.at(at, aimed)).collect();
        OnPath { refusals, is_ground }
    }
}

impl Game {
    /// Why a move cannot end in a space; empty when it can.
    pub fn why_not_reached(&self, m: &Move, to: SpaceId) -> Vec<Refusal> {
        let refused = self.why_not_ended(m, to);
        if refused.is_empty() || self.reach(m, |flood| flood.cost_of(to).is_some()) {
            return self.why_not_come_to(m, to);
        }
        refused
    }

    /// Why the guards of a move's end keep it from ending in a space; where they ask about its mode, in each in which it
    /// comes there. Empty where they do not.
    fn why_not_ended(&self, m: &Move, to: SpaceId) -> Vec<Refusal> {
        let mover = &self.ruleset.movers[m.mover as usize];
        let Some(rows) = mover.may_stop else { return Vec::new() };
        let start = self.space_list(m.unit).map_or(-1, |s| s.0 as i32);
        if !mover.ends_by_symbol {
            return self.refusals(rows as u16, &[m.unit, start, to.0 as i32]);
        }
        let mut symbols: Vec<i16> =
            self.reach(m, |flood| flood.modes_at(to)).into_iter().map(|(mode, _)| mode.symbol.max(0)).collect();
        symbols.sort_unstable();
        symbols.dedup();
        let refused = |symbol: &i16| self.refusals(rows as u16, &[m.unit, start, to.0 as i32, i32::from(*symbol)]);
        let each: Vec<Vec<Refusal>> = symbols.iter().map(refused).collect();
        if each.iter().any(Vec::is_empty) {
            return Vec::new();
        }
        let in_mode = |(symbol, refused): (&i16, Vec<Refusal>)| {
            let mode = mode_name(mover, *symbol as usize);
            refused.into_iter().map(move |refusal| refusal.within(Text::InMode, mode.clone()))
        };
        symbols.iter().zip(each).flat_map(in_mode).collect()
    }

    /// Why a move can leave the map from no space that it comes to with so much to spare: what keeps it from coming
    /// there, or that too little is left.
    pub(super) fn why_not_spared(&self, m: &Move, to: SpaceId, spare: u16) -> Vec<Refusal> {
        let all = |flood: &Flood| flood.reached.iter().chain(&flood.passed).find(|r| r.space == to).map(|r| r.cost);
        let Some(cost) = self.reach(m, all) else { return self.why_not_come_to(m, to) };
        let mover = &self.ruleset.movers[m.mover as usize];
        let [needs, has, spare] = [cost, m.allowance + m.extra, spare].map(|points| m.points(points));
        let cite = mover.step.last().map_or(Cite::NONE, |s| s.cite);
        vec![Refusal::engine(Text::NotSpared, [to.into(), needs, has, spare], cite)]
    }

    /// Why a move does not come to a space; empty when it does.
    fn why_not_come_to(&self, m: &Move, to: SpaceId) -> Vec<Refusal> {
        if self.reach(m, |flood| flood.reached.iter().chain(&flood.passed).any(|r| r.space == to)) {
            return Vec::new();
        }
        let unbegun = self.why_not_begun(m, to);
        if unbegun.is_empty() { self.why_not_found(m, to) } else { unbegun }
    }

    /// Why the search of a move does not come to a space: it searches again with something left out of account, and asks
    /// of each transition on the path found then what that leaves out.
    fn why_not_found(&self, m: &Move, to: SpaceId) -> Vec<Refusal> {
        let mover = &self.ruleset.movers[m.mover as usize];
        let mut flood = Flood::default();
        // What marks limit or forbid is told where that alone stands in the way.
        if !mover.marks.is_empty()
            && let Some(found) = self.why_not_but_for(m, &mut flood, Relaxed::Marks, to)
        {
            return found.refusals;
        }
        // Where a step may be taken in any symbol, it is told of each what stands in its way.
        let is_told_apart = mover.symbols.kind.is_some() && !mover.symbols.is_kept();
        let each: Vec<Option<usize>> =
            if is_told_apart { (0..mover.symbols.len()).map(Some).collect() } else { vec![None] };
        let (mut all, mut is_far, mut is_barred) = (Vec::new(), false, false);
        for symbol in each {
            let found = self.why_not_but_for(m, &mut flood, Relaxed::Guards(symbol), to);
            let needs = flood.cost_of(to);
            is_far |= needs.is_some() && (found.is_none() || needs > Some(m.allowance + m.extra));
            is_barred |= found.as_ref().is_some_and(|found| !found.is_ground);
            let refusals = found.map(|found| found.refusals);
            let refusals = refusals.unwrap_or_else(|| vec![self.too_far(m, to, needs, mover.cite_of(symbol))]);
            all.extend(refusals.into_iter().map(|refusal| match symbol {
                Some(symbol) => refusal.within(Text::InMode, mode_name(mover, symbol)),
                None => refusal,
            }));
        }
        if mover.symbols.is_kept()
            && flood.cost_of(to).is_none()
            && let Some(found) = self.why_not_but_for(m, &mut flood, Relaxed::Changes, to)
        {
            return found.refusals;
        }
        // Where more points would do, it is no reason that the ground on the way does not suit this symbol or that.
        let needs = if is_far && !is_barred { self.needed(m, to) } else { None };
        let Some((needs, mode)) = needs else { return all };
        let symbol = usize::try_from(mode.symbol).ok();
        vec![self.too_far(m, to, Some(needs), mover.cite_of(symbol))]
    }

    /// Searches with something left out of account, and finds the first transition on the path to a space that this
    /// would refuse.
    fn why_not_but_for(&self, m: &Move, flood: &mut Flood, relaxed: Relaxed, to: SpaceId) -> Option<OnPath> {
        let mover = &self.ruleset.movers[m.mover as usize];
        self.search(flood, m, relaxed);
        let path = flood.modes_to(to);
        let (first, mode) = *path.first()?;
        let mut counts: Vec<u8> = each_count(&mover.marks, mode.counts).collect();
        let begun = m.seeds.iter().any(|seed| seed.entered && seed.space == first);
        let entry = begun.then_some(Transition { unit: m.unit, from: None, to: first, before: -1, mode });
        let step = |pair: &[(SpaceId, Mode)]| {
            let [(from, before), (to, mode)] = [pair[0], pair[1]];
            Transition { unit: m.unit, from: Some(from), to, before: before.symbol, mode }
        };
        let steps = path.windows(2).map(step);
        if relaxed == Relaxed::Marks {
            // Marks have counted the entry already.
            return steps.into_iter().find_map(|step| self.refused_by_marks(m.mover, &mut counts, step, to));
        }
        let path: Vec<Transition> = entry.into_iter().chain(steps).collect();
        // What closes the space itself says more than what lies on a way that is too long, or is but one of several.
        let is_far = flood.cost_of(to) > Some(m.allowance + m.extra);
        let last = path.iter().rev().find(|step| step.from != Some(step.to)).copied();
        let refused = |step: Transition| self.refused_by_guards(mover, step, to);
        let of_last = if is_far || matches!(relaxed, Relaxed::Guards(Some(_))) {
            last.and_then(refused)
        } else {
            last.and_then(|step| self.closed(mover, step))
        };
        of_last.or_else(|| path.iter().filter(|_| !is_far).copied().find_map(refused))
    }

    /// What keeps a unit from the space that a step leads into, whatever way it comes: from any space next to it, in any mode
    /// that it keeps.
    fn closed(&self, mover: &Mover, step: Transition) -> Option<OnPath> {
        let rows = mover.may_step? as u16;
        let mut refusals = self.refusals(rows, &step.given()[..4]);
        let symbols = if mover.symbols.is_kept() {
            0..mover.symbols.len() as i16
        } else {
            step.mode.symbol..step.mode.symbol + 1
        };
        for from in self.ruleset.map.near(step.to) {
            for symbol in symbols.clone() {
                if refusals.is_empty() {
                    return None;
                }
                let mode = Mode { symbol, ..step.mode };
                let other = self.refusals(rows, &Transition { from: Some(from), mode, ..step }.given()[..4]);
                refusals.retain(|refusal| other.iter().any(|other| other.row == refusal.row));
            }
        }
        (!refusals.is_empty()).then(|| OnPath::new(refusals, step.to, step.to, false))
    }

    /// The marks that a transition is one too many for, or whose guards close it. Keeps count.
    fn refused_by_marks(&self, of: u16, counts: &mut [u8], step: Transition, to: SpaceId) -> Option<OnPath> {
        let mover = &self.ruleset.movers[usize::from(of)];
        let given = step.given();
        for (at, (mark, count)) in mover.marks.iter().zip(counts).enumerate() {
            *count += u8::from(self.holds(&mark.when, &given));
            let refusals = if mark.most.is_some_and(|most| *count > most) {
                let spaces = [step.from.unwrap_or(step.to), step.to].map(Particular::from);
                let with = [Particular::unit(step.unit)].into_iter().chain(spaces).collect();
                let said = Said { says: Saying::Mark { mover: of, mark: at as u16 }, with };
                vec![Refusal { row: mark.name.as_str().into(), said, cite: mark.cite }]
            } else {
                let guards = mark.may_step.filter(|_| *count > 0 && step.from != Some(step.to));
                guards.map(|rows| self.refusals(rows as u16, &given[..4])).unwrap_or_default()
            };
            if !refusals.is_empty() {
                return Some(OnPath::new(refusals, step.to, to, false));
            }
        }
        None
    }

    /// What of a mover's guards and changes refuses a transition.
    fn refused_by_guards(&self, mover: &Mover, step: Transition, to: SpaceId) -> Option<OnPath> {
        let ruleset = &self.ruleset;
        let given = step.given();
        if step.from == Some(step.to) {
            let [before, into] = [step.before, step.mode.symbol].map(i32::from);
            if self.cost_of_change(mover, [step.unit, given[1], before, into]).is_some() {
                return None;
            }
            let modes = [before, into].map(|symbol| mode_name(mover, symbol as usize));
            let cite = mover.symbols.changes().last().map_or(mover.cite_of(None), |row| row.cite);
            let refused = Refusal::engine(Text::NoChange, modes, cite);
            return Some(OnPath::new(vec![refused], step.to, to, false));
        }
        let stops = mover.may_go_on.iter().chain(&mover.may_pass).filter(|_| step.to != to);
        for rows in mover.may_step.iter().chain(stops).copied() {
            let refusals = self.refusals(rows as u16, &given[..4]);
            if !refusals.is_empty() {
                let changes = |row: &Row| refusals.iter().any(|r| *r.row == row.id) && !row.looks_at.is_lasting();
                let is_ground = step.to != to && !ruleset.rows[rows].rows.iter().any(changes);
                return Some(OnPath::new(refusals, step.to, to, is_ground));
            }
        }
        None
    }

    /// For how much and in which mode a move would come to a space, were there points enough; nothing where rules keep it
    /// from there.
    fn needed(&self, m: &Move, to: SpaceId) -> Option<(u16, Mode)> {
        let mut flood = Flood::default();
        let (_, budget) = self.begun(m, true);
        self.search(&mut flood, &Move { extra: budget - m.allowance, ..m.clone() }, Relaxed::Nothing);
        let reached = flood.reached.iter().chain(&flood.passed).find(|r| r.space == to)?;
        Some((reached.cost, flood.mode_of(reached)))
    }

    /// That a move does not come so far, given what it would cost.
    pub(super) fn too_far(&self, m: &Move, to: SpaceId, needs: Option<u16>, cite: Cite) -> Refusal {
        if self.space_list(m.unit) == Some(to) {
            return Refusal::engine(Text::AlreadyThere, [Particular::unit(m.unit), to.into()], cite);
        }
        let Some(needs) = needs else { return Refusal::engine(Text::NoPath, [to.into()], cite) };
        let (needs, has) = (m.points(needs), m.points(m.allowance + m.extra));
        match self.sum_of_points(m) {
            None => Refusal::engine(Text::TooFar, [to.into(), needs, has], cite),
            Some(sum) => Refusal::engine(Text::TooFarBy, [to.into(), needs, has, Particular::Sum(sum)], cite),
        }
    }

    /// Why a unit that comes on does not begin its move in a space, if it is one to come on in, on the edge; and where it
    /// can begin nowhere, why not where it is meant to. Empty where the move itself says more.
    fn why_not_begun(&self, m: &Move, to: SpaceId) -> Vec<Refusal> {
        let map = &self.ruleset.map;
        let mut all: Vec<Refusal> = Vec::new();
        for start in &m.starts {
            let meant = start.entry.filter(|_| m.seeds.is_empty() && !map.is_edge(to)).unwrap_or(to);
            // Where it may begin, what the move costs says why it does not come there.
            if !map.is_edge(meant) && !m.seeds.is_empty() || self.is_among(&start.among, meant.0 as i32) {
                continue;
            }
            let refused = self.why_not_among(&start.among, meant.0 as i32).into_iter();
            let told = |refusal: Refusal| {
                if meant == to { refusal } else { refusal.within(Text::NotBegun, meant.into()) }
            };
            all.extend(refused.map(told));
        }
        all
    }

    /// Why a retreat cannot end in a space; empty when it can.
    pub fn why_no_retreat(&self, retreat: &Retreat, to: SpaceId) -> Vec<Refusal> {
        let ruleset = &*self.ruleset;
        let ends = self.retreat_ends(retreat);
        if ends.iter().any(|e| e.space == to) {
            return Vec::new();
        }
        let kind = &ruleset.retreats[retreat.kind as usize];
        let refusals = self.refusals(kind.may_step as u16, &[retreat.unit, -1, to.0 as i32]);
        if !refusals.is_empty() {
            return refusals;
        }
        let by = &ruleset.rows[kind.by];
        let from = self.space_list(retreat.unit);
        let far = from.map_or(Map::NEVER, |from| ruleset.map.distance(from, to));
        if !(retreat.shortest..=retreat.longest).contains(&far) {
            let [far, least, most] = [far, retreat.shortest, retreat.longest].map(|n| Particular::number(n as i32));
            return vec![if least == most {
                Refusal::engine(Text::RetreatOf, [to.into(), far, least], kind.cite)
            } else {
                Refusal::engine(Text::RetreatBetween, [to.into(), far, least, most], kind.cite)
            }];
        }
        let Some(better) = ends.first() else {
            return vec![Refusal::engine(Text::NoRetreat, [], kind.cite)];
        };
        let may = |space: SpaceId| self.passes(kind.may_step as u16, &[retreat.unit, -1, space.0 as i32]);
        if let Some(from) = from
            && self.path_away((from, to), retreat, &may).is_none()
            && let Some(path) = self.path_away((from, to), retreat, &|_| true)
            && let Some(shut) = path.into_iter().find(|space| !may(*space))
        {
            let refusals = self.refusals(kind.may_step as u16, &[retreat.unit, -1, shut.0 as i32]);
            return refusals.into_iter().map(|refusal| refusal.at(shut, to)).collect();
        }
        // Of the priorities that the better retreat satisfies and this one does not, the last is the least that it lacks.
        // Where no path at all leads there it is the one that decides.
        let ranked = self.retreats_ranked(retreat);
        let own = ranked.iter().find(|end| end.space == to).map_or(better.row + 1, |end| end.row);
        let satisfies = |row: &usize| {
            let [from, end] = [from, Some(better.space)].map(|space| space.map_or(-1, |space| space.0 as i32));
            self.holds(&by.rows[*row].when, &[retreat.unit, from, end, i32::from(better.touched)])
        };
        let lacked = (better.row..own).rev().find(satisfies).unwrap_or(better.row);
        let row = &by.rows[lacked];
        let why = Said { says: Saying::Row { rows: kind.by as u16, row: lacked as u16 }, with: Vec::new() };
        let said = Said::engine(Text::BetterRetreat, [to.into(), why.into()]);
        vec![Refusal { row: row.id.as_str().into(), said, cite: row.cite }]
    }

    /// A path on which each step of a retreat leads farther away and into a space where one may be; nothing where none does.
    fn path_away(
        &self,
        (from, to): (SpaceId, SpaceId),
        retreat: &Retreat,
        may: &dyn Fn(SpaceId) -> bool,
    ) -> Option<Vec<SpaceId>> {
        let (mut found, mut come) = (None, BTreeSet::new());
        self.ruleset.map.paths_away(from, usize::from(retreat.longest), &mut |space| may(space), &mut |path| {
            // Whatever the path there, as many steps lie behind it.
            let is_new = path.last().is_some_and(|end| come.insert(*end));
            if found.is_none() && path.last() == Some(&to) && path.len() >= usize::from(retreat.shortest) {
                found = Some(path.to_vec());
            }
            is_new && found.is_none()
        });
        found
    }

    /// How the movement points of a move add up; nothing where rows do not say it.
    pub(super) fn sum_of_points(&self, m: &Move) -> Option<Vec<TallyLine>> {
        let mover = &self.ruleset.movers[m.mover as usize];
        let declared = self.allowance(m.mover, m.unit) == (Some(m.allowance), m.extra);
        let mut parts = Vec::new();
        for points in mover.allowance.iter().chain(&mover.extra).filter(|_| declared) {
            let Points::Rows(rows) = points else { continue };
            let holding = self.ruleset.rows[*rows].rows.iter().filter(|row| self.holds(&row.when, &[m.unit]));
            parts.extend(holding.map(|row| TallyLine {
                reason: Particular::Text(row.say.as_str().into()),
                value: self.value(&row.value, &[m.unit]),
                cite: row.cite,
                from: row.from,
            }));
        }
        (parts.len() > 1).then_some(parts)
    }
}

/// What a mode is called.
fn mode_name(mover: &Mover, symbol: usize) -> Particular {
    Particular::Text(mover.symbols.names.get(symbol).map_or("", String::as_str).replace('-', " ").into())
}
