//! Why a move or a retreat does not come to a space: what closes it, what lies on the way, or how far it is.

use super::{
    effect::TallyLine,
    game::Game,
    moves::{Move, Retreat},
    offer::Refusal,
    said::{Particular, Said, Saying},
};
use crate::{
    map::{Flood, Map, Reached, SpaceId},
    ruleset::{Cite, Points, Text},
};

impl Game {
    /// Why a move cannot end in a space; empty when it can.
    pub fn why_not_reached(&self, m: &Move, to: SpaceId) -> Vec<Refusal> {
        let start = self.space_list(m.unit).map_or(-1, |s| s.0 as i32);
        let at_end = self.ruleset.movers[m.mover as usize].at_end;
        let refused = at_end.map(|rows| self.refusals(rows as u16, &[m.unit, start, to.0 as i32])).unwrap_or_default();
        if refused.is_empty() || self.reach(m, |flood| flood.cost_of(to).is_some()) {
            return self.why_not_come_to(m, to);
        }
        refused
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
        let mover = &self.ruleset.movers[m.mover as usize];
        let start = self.space_list(m.unit);
        let unbegun = self.why_not_begun(m, to);
        if !unbegun.is_empty() {
            return unbegun;
        }
        if mover.way_kind.is_some() {
            return self.why_no_gait(m, to);
        }
        let mut flood = Flood::default();
        self.flood(&mut flood, m, true);
        let (path, needs) = (flood.path_to(to), flood.cost_of(to));
        let cite = mover.step.last().map_or(Cite::NONE, |s| s.cite);
        let too_far = || vec![self.too_far(m, to, self.needed(m, to).map(|r| r.cost).or(needs), cite)];
        if needs.is_some_and(|needs| needs > m.allowance + m.extra) {
            // A space that may not be entered at all says more than how far it is; what lies on the way does not.
            let entered = path.windows(2).next_back().map(|step| [m.unit, step[0].0 as i32, step[1].0 as i32]);
            let refused = mover.forbid.zip(entered).map(|(rows, given)| self.refusals(rows as u16, &given));
            return refused.filter(|refused| !refused.is_empty()).unwrap_or_else(too_far);
        }
        let mut before = start;
        let entered = path.iter().filter(|s| Some(**s) != start);
        for space in entered.copied().collect::<Vec<_>>() {
            let given = [m.unit, before.map_or(-1, |s| s.0 as i32), space.0 as i32];
            if let Some(forbid) = mover.forbid {
                let refusals = self.refusals(forbid as u16, &given);
                if !refusals.is_empty() {
                    return refusals.into_iter().map(|r| r.at(space, to)).collect();
                }
            }
            for ends in mover.ends.iter().chain(&mover.pauses).filter(|_| space != to) {
                let refusals = self.refusals(*ends as u16, &given);
                if !refusals.is_empty() {
                    return refusals.into_iter().map(|r| r.at(space, to)).collect();
                }
            }
            before = Some(space);
        }
        too_far()
    }

    /// How a move would come to a space, were there points enough; nothing where rules keep it from there.
    pub(super) fn needed(&self, m: &Move, to: SpaceId) -> Option<Reached> {
        let mut flood = Flood::default();
        let (_, budget) = self.begun(m, true);
        self.flood(&mut flood, &Move { extra: budget - m.allowance, ..m.clone() }, false);
        flood.reached.iter().chain(&flood.passed).find(|r| r.space == to).copied()
    }

    /// That a move does not come so far, given what it would cost.
    pub(super) fn too_far(&self, m: &Move, to: SpaceId, needs: Option<u16>, cite: Cite) -> Refusal {
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
            if !map.is_edge(meant) && !m.seeds.is_empty() {
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
        let refusals = self.refusals(kind.through as u16, &[retreat.unit, -1, to.0 as i32]);
        if !refusals.is_empty() {
            return refusals;
        }
        let by = &ruleset.rows[kind.by];
        let from = self.space_list(retreat.unit);
        let far = from.map_or(Map::NEVER, |from| ruleset.map.distance(from, to));
        if !(retreat.shortest..=retreat.longest).contains(&far) {
            let [far, least, most] = [far, retreat.shortest, retreat.longest].map(|n| Particular::number(n as i32));
            let cite = by.rows.first().map_or(Cite::NONE, |r| r.cite);
            return vec![if least == most {
                Refusal::engine(Text::RetreatOf, [to.into(), far, least], cite)
            } else {
                Refusal::engine(Text::RetreatBetween, [to.into(), far, least, most], cite)
            }];
        }
        let Some(better) = ends.first() else {
            let cite = by.rows.first().map_or(Cite::NONE, |r| r.cite);
            return vec![Refusal::engine(Text::NoRetreat, [], cite)];
        };
        let row = &by.rows[better.row];
        let why = Said { says: Saying::Row { rows: kind.by as u16, row: better.row as u16 }, with: Vec::new() };
        let said = Said::engine(Text::BetterRetreat, [to.into(), why.into()]);
        vec![Refusal { row: row.id.as_str().into(), said, cite: row.cite }]
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
