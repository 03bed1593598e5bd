//! Moves that remember something of their steps: where they lead, what is closed on each gait, and why a space is
//! not reached on any.

use std::sync::Arc;

use super::{
    game::Game,
    guards::{Guards, spaces_in},
    moves::{Move, Zones},
    offer::Refusal,
    said::{Particular, Said, Saying},
};
use crate::{
    map::{Flood, GaitField, GaitStep, NO_GAIT, Price, SpaceId},
    ruleset::rows::{Expr, Row, fold::reads_slot},
    ruleset::{Cite, Gaited, Heeding, Mark, Marked, MarkedKinds, Marking, Mover, Text},
};

/// Which steps a mark counts.
enum StepsMarked {
    /// None of them, or every one.
    All(bool),
    /// Those out of some spaces and into some, as bit sets.
    Between(Vec<u64>, Vec<u64>),
    /// It must be asked of each.
    Asked,
}

impl Game {
    /// How the steps of a unit are marked.
    fn marking(&self, mover: &Mover, unit: i32) -> Arc<Marking> {
        if mover.marks.iter().all(|mark| mark.looks_at.is_lasting()) {
            return mover.gaits.lasting(unit, self.ruleset.units.len(), || self.marked(mover, unit));
        }
        Arc::new(self.marked(mover, unit))
    }

    fn marked(&self, mover: &Mover, unit: i32) -> Marking {
        let ways = mover.ways.len();
        let spaces = self.ruleset.map.len();
        let mut kinds = MarkedKinds { ways, kinds: Vec::new() };
        let (mut left, mut met) = (vec![Vec::new(); ways], vec![Vec::new(); ways]);
        let mut bits = 0;
        for mark in &mover.marks {
            let mut kinds_of_mark = Vec::new();
            let mut bit = None;
            for before in -1..ways as i32 {
                for way in 0..ways as i32 {
                    let mut next = || *bit.get_or_insert_with(|| (bits += 1, bits - 1).1);
                    kinds_of_mark.push(match self.steps_marked(mark, [unit, -1, -1, way, before]) {
                        StepsMarked::All(holds) => Marked::All(holds),
                        // What it comes to may not hang on the way before: the sets are the same for all.
                        StepsMarked::Between(out, into) if !mark.looks_at.slot(Mark::WAYS.1) => {
                            let bit = next();
                            for (sets, of) in [(&out, &mut left[way as usize]), (&into, &mut met[way as usize])] {
                                let of: &mut Vec<u8> = of;
                                of.resize(spaces, 0);
                                spaces_in(sets, spaces).for_each(|space| of[space] |= 1 << bit);
                            }
                            Marked::Into(bit)
                        }
                        _ => Marked::Asked(next()),
                    });
                }
            }
            kinds.kinds.push(kinds_of_mark);
        }
        let gaited = mover.gaits.of(mover, &kinds);
        Marking { kinds, left, met, gaited }
    }

    /// Which steps a mark counts, given all but the spaces they lead out of and into.
    fn steps_marked(&self, mark: &Mark, given: [i32; 5]) -> StepsMarked {
        const OUT: u8 = 1;
        const INTO: u8 = 2;
        if !mark.looks_at.slot(OUT) && !mark.looks_at.slot(INTO) {
            return StepsMarked::All(self.holds(&mark.when, &given));
        }
        let mut slots = [-1; 16];
        slots[..5].copy_from_slice(&given);
        let parts =
            if let Expr::Both(parts) = &mark.when { parts.as_slice() } else { std::slice::from_ref(&mark.when) };
        let spaces = self.ruleset.map.len();
        let [mut out, mut into] = [(); 2].map(|()| vec![u64::MAX; spaces.div_ceil(64)]);
        let mut is_asked = false;
        for part in parts {
            let (slot, left) = match (reads_slot(part, OUT), reads_slot(part, INTO)) {
                (true, true) => {
                    is_asked = true;
                    continue;
                }
                (true, false) => (OUT, &mut out),
                _ => (INTO, &mut into),
            };
            match self.narrow(vec![(part, true)], slot, &slots, left, 0) {
                Some(rest) => is_asked |= !rest.is_empty(),
                None => return StepsMarked::All(false),
            }
        }
        if [&out, &into].iter().any(|set| spaces_in(set, spaces).next().is_none()) {
            return StepsMarked::All(false);
        }
        if is_asked { StepsMarked::Asked } else { StepsMarked::Between(out, into) }
    }

    /// The marks that a step meets, of those that must be asked.
    fn marks_met(&self, mover: &Mover, marking: &Marking, before: i32, step: [i32; 4]) -> u8 {
        let [unit, from, to, way] = step;
        let mut met = 0;
        for (at, mark) in mover.marks.iter().enumerate() {
            if let Marked::Asked(bit) = marking.kinds.of(at, before, way as usize)
                && self.holds(&mark.when, &[unit, from, to, way, before])
            {
                met |= 1 << bit;
            }
        }
        met
    }

    /// The gaits of a unit that moves so.
    fn gaited(&self, mover: &Mover, marking: &Marking, heeding: Heeding) -> Arc<Gaited> {
        match heeding {
            Heeding::All => marking.gaited.clone(),
            _ => Arc::new(Gaited::new(mover, &marking.kinds, heeding)),
        }
    }

    /// Where a move may begin that enters one of these spaces, by any way or by one: what its mover says that costs,
    /// given the entry the unit is meant to come in by, which may be nothing. Nothing where the mover does not say it.
    pub fn entering(
        &self,
        mover: u16,
        unit: i32,
        spaces: &[i32],
        entry: i32,
        only: Option<usize>,
    ) -> Option<Vec<(usize, SpaceId, u16)>> {
        let declared = &self.ruleset.movers[mover as usize];
        let rows = declared.entering? as u16;
        let ways = (0..declared.ways.len()).filter(|way| only.is_none_or(|only| only == *way));
        let start = |way: usize, space: i32| {
            let cost = self.read_rows(rows, &[unit, space, entry, way as i32]);
            (way, SpaceId(space as u32), cost.clamp(0, i32::from(Move::MOST)) as u16)
        };
        Some(ways.flat_map(|way| spaces.iter().map(move |space| start(way, *space))).collect())
    }

    /// For each way and space: the gait after a first step on that way into it; nothing if no move may begin so.
    pub fn gaits_entering(&self, mover: u16, unit: i32, first: &[(usize, SpaceId)]) -> Vec<Option<u8>> {
        let mover = &self.ruleset.movers[mover as usize];
        let marking = self.marking(mover, unit);
        let gait = |(way, space): &(usize, SpaceId)| {
            let given = [unit, -1, space.0 as i32, i32::try_from(*way).ok().filter(|_| *way < mover.ways.len())?, -1];
            let mut met = 0;
            for (at, mark) in mover.marks.iter().enumerate() {
                if let Marked::Into(bit) | Marked::Asked(bit) = marking.kinds.of(at, -1, *way)
                    && self.holds(&mark.when, &given)
                {
                    met |= 1 << bit;
                }
            }
            Some(marking.gaited.gaits.after(0, *way, met)).filter(|gait| *gait != NO_GAIT)
        };
        first.iter().map(gait).collect()
    }

    pub(super) fn flood_gaits(&self, flood: &mut Flood, m: &Move, heeding: Heeding) {
        let ruleset = &*self.ruleset;
        let (map, mover) = (&ruleset.map, &ruleset.movers[m.mover as usize]);
        let baked = self.costs(mover, m.unit);
        let marking = self.marking(mover, m.unit);
        let gaited = self.gaited(mover, &marking, heeding);
        let ignoring = matches!(heeding, Heeding::OnlyWay(_));
        let rows = |at: Option<usize>| at.filter(|_| !ignoring).map(|at| &ruleset.rows[at]);
        let given = |way: i32| [m.unit, -1, -1, way];
        let forbid = Guards::by_way(rows(mover.forbid), self, m.unit, mover.ways.len());
        // By mark, then by way: what is closed once the mark is set; nothing for marks that never are.
        let is_ever_set = |mark: usize| gaited.of.iter().any(|(_, marks)| marks[mark] > 0);
        let closes =
            |mark: usize| rows(mover.marks[mark].forbid.filter(|_| heeding == Heeding::All && is_ever_set(mark)));
        let marked = (0..mover.marks.len()).map(closes).map(|rows| match rows {
            Some(rows) => Guards::by_way(Some(rows), self, m.unit, mover.ways.len()),
            None => Vec::new(),
        });
        let marked: Vec<Vec<Guards<'_>>> = marked.collect();
        let set_guards = |gait: usize| {
            let (way, marks) = &gaited.of[gait];
            let way = (*way).max(0) as usize;
            let set = marks.iter().zip(&marked).filter(|(n, _)| **n > 0);
            std::iter::once(&forbid[way]).chain(set.filter_map(move |(_, guards)| guards.get(way)))
        };
        let words = map.len().div_ceil(64);
        let mut closed = vec![0; gaited.of.len() * words];
        for (gait, bits) in closed.chunks_mut(words.max(1)).enumerate() {
            for guards in set_guards(gait) {
                bits.iter_mut().zip(&guards.closed).for_each(|(all, these)| *all |= these);
            }
        }
        let ends = Guards::new(&[rows(mover.ends), rows(mover.pauses)], self, &[m.unit]);
        let zones = Zones::new(self, baked, ruleset.units[m.unit as usize].side);
        let (mut seeds, budget) = self.begun(m, ignoring);
        if heeding != Heeding::All {
            // Seeds know the gaits of a move that takes heed of everything; these are numbered otherwise.
            let heeded = self.gaited(mover, &marking, Heeding::All);
            let same = |way: u8| gaited.of.iter().position(|gait| heeded.of.get(usize::from(way)) == Some(gait));
            for seed in &mut seeds {
                seed.way = if ignoring { 0 } else { same(seed.way).map_or(0, |gait| gait as u8) };
            }
        }
        let asked_of = |gait: usize, from: Option<SpaceId>, to: SpaceId| {
            set_guards(gait).any(|guards| {
                let given = given(gaited.of[gait].0);
                guards.asks(self, &given, to) || from.is_some_and(|from| guards.asks_border(self, &given, from, to))
            })
        };
        seeds.retain(|s| {
            let gait = usize::from(s.way);
            let is_closed = |at: SpaceId| closed[gait * words + at.0 as usize / 64] >> (at.0 % 64) & 1 == 1;
            gait < gaited.of.len() && (!s.entered || (!is_closed(s.space) && !asked_of(gait, None, s.space)))
        });
        let guards = || forbid.iter().chain(marked.iter().flatten());
        // Costs that hang on a zone are asked for, which moves of one way need not.
        let asks = marking.kinds.asks() || guards().any(|g| !g.asks_nothing()) || !zones.bits.is_empty();
        let gaits = &gaited.gaits;
        let field = GaitField {
            map,
            gaits,
            exits: &baked.exits,
            ends: &ends.closed,
            left: &marking.left,
            met: &marking.met,
            closed: &closed,
            asks,
        };
        let mut ends_here = |at| ends.asks(self, &[m.unit], at) || ends.asks_border(self, &[m.unit], at, at);
        flood.run_gaits(
            field,
            &seeds,
            budget,
            &mut |GaitStep { gait, way, border, to }| {
                let from = map.source(border);
                let before = gaited.of[usize::from(gait)].0;
                let step = [m.unit, from.0 as i32, to.0 as i32, way as i32];
                let asked = self.marks_met(mover, &marking, before, step);
                let known = |of: &[Vec<u8>], space: SpaceId| of[way].get(space.0 as usize).copied().unwrap_or(0);
                let met = asked | known(&marking.left, from) & known(&marking.met, to);
                let next = gaits.after(gait, way, met);
                if next == NO_GAIT || asked_of(usize::from(next), Some(from), to) {
                    return (Price::Closed, 0);
                }
                let list = &baked.lists[baked.of[border.0 as usize] as usize];
                let cost = self.step_cost(list, way as u8, m.unit, from, to, &zones);
                (cost.map_or(Price::Closed, Price::Cost), asked)
            },
            if ends.asks_nothing() { None } else { Some(&mut ends_here) },
        );
        self.keep_ends(flood, m, rows(mover.at_end));
    }

    /// Why a move that remembers its steps cannot end in a space: what it remembers, if that alone stands in the way;
    /// else what does on each way.
    pub(super) fn why_no_gait(&self, m: &Move, to: SpaceId) -> Vec<Refusal> {
        let mover = &self.ruleset.movers[m.mover as usize];
        let mut flood = Flood::default();
        self.flood_gaits(&mut flood, m, Heeding::NoMarks);
        if flood.cost_of(to).is_some() {
            let refused = self.why_marked(m, mover, &flood.gaits_to(to), to);
            if !refused.is_empty() {
                return refused;
            }
        }
        let mut all: Vec<Refusal> = Vec::new();
        let (mut is_too_far, mut is_barred) = (false, false);
        for (at, way) in mover.ways.iter().enumerate() {
            self.flood_gaits(&mut flood, m, Heeding::OnlyWay(at));
            is_too_far |= flood.cost_of(to).is_some_and(|needs| needs > m.allowance + m.extra);
            let (refused, by_ground) = self.why_not_on(m, mover, at, &flood, to);
            is_barred |= !by_ground;
            let way = Particular::Text(way.replace('-', " ").into());
            all.extend(refused.into_iter().map(|refusal| refusal.within(Text::InMode, way.clone())));
        }
        // Where more points would do, it is no reason that the ground on the way does not suit this way or that.
        let needs = if is_too_far && !is_barred { self.needed(m, to) } else { None };
        let Some(needs) = needs else { return all };
        let gaited = self.gaited(mover, &self.marking(mover, m.unit), Heeding::All);
        let way = gaited.of.get(usize::from(needs.way)).map_or(0, |(way, _)| *way);
        let cite = mover.step.iter().rfind(|s| i32::from(s.way) == way).map_or(Cite::NONE, |s| s.cite);
        vec![self.too_far(m, to, Some(needs.cost), cite)]
    }

    /// The first mark on a path that would be one too many, or whose guards close a step.
    fn why_marked(&self, m: &Move, mover: &Mover, path: &[(SpaceId, u8)], to: SpaceId) -> Vec<Refusal> {
        let marking = self.marking(mover, m.unit);
        let gaited = self.gaited(mover, &marking, Heeding::NoMarks);
        let begun = path.first().and_then(|(_, gait)| gaited.of.get(usize::from(*gait)));
        let mut marks = begun.map_or_else(|| vec![0; mover.marks.len()], |(_, marks)| marks.clone());
        for step in path.windows(2) {
            let [(from, earlier), (space, gait)] = step else { continue };
            let (before, way) = (gaited.of[usize::from(*earlier)].0, gaited.of[usize::from(*gait)].0);
            let given = [m.unit, from.0 as i32, space.0 as i32, way, before];
            for (at, mark) in mover.marks.iter().enumerate() {
                if self.holds(&mark.when, &given) {
                    marks[at] += 1;
                }
                if mark.most.is_some_and(|most| marks[at] > most) {
                    let says = Saying::Mark { mover: m.mover, mark: at as u16 };
                    let with = vec![Particular::unit(m.unit), (*from).into(), (*space).into()];
                    let refusal =
                        Refusal { row: mark.name.as_str().into(), said: Said { says, with }, cite: mark.cite };
                    return vec![refusal.at(*space, to)];
                }
                let guards = mark.forbid.filter(|_| marks[at] > 0);
                let refused = guards.map(|rows| self.refusals(rows as u16, &given[..4])).unwrap_or_default();
                if !refused.is_empty() {
                    return refused.into_iter().map(|r| r.at(*space, to)).collect();
                }
            }
        }
        Vec::new()
    }

    /// Why a space is not reached by steps of one way alone, and whether that is but the distance, or what is printed on
    /// the way.
    fn why_not_on(&self, m: &Move, mover: &Mover, way: usize, flood: &Flood, to: SpaceId) -> (Vec<Refusal>, bool) {
        let ruleset = &self.ruleset;
        let path = flood.path_to(to);
        let is_too_far = flood.cost_of(to).is_some_and(|needs| needs > m.allowance + m.extra);
        // What closes the space itself says more than what lies on the way, which does not matter where that is too long.
        let steps = path.windows(2).next_back().into_iter().chain(path.windows(2).filter(|_| !is_too_far));
        for step in steps {
            let given = [m.unit, step[0].0 as i32, step[1].0 as i32, way as i32];
            let ends = mover.ends.iter().chain(&mover.pauses).filter(|_| step[1] != to);
            for (rows, given) in mover.forbid.iter().map(|f| (f, &given[..])).chain(ends.map(|e| (e, &given[..3]))) {
                let refused = self.refusals(*rows as u16, given);
                if !refused.is_empty() {
                    let changes = |row: &Row| refused.iter().any(|r| *r.row == row.id) && !row.looks_at.is_lasting();
                    let by_ground = step[1] != to && !ruleset.rows[*rows].rows.iter().any(changes);
                    return (refused.into_iter().map(|r| r.at(step[1], to)).collect(), by_ground);
                }
            }
        }
        let cite = mover.step.iter().rfind(|s| usize::from(s.way) == way).map_or(Cite::NONE, |s| s.cite);
        (vec![self.too_far(m, to, flood.cost_of(to), cite)], true)
    }
}
