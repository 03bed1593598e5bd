//! Why a move or a retreat does not come to a space: what closes it, what lies on the way, or how far it is.

use super::{
    game::Game,
    moves::{Move, Retreat},
    offer::Refusal,
};
use crate::{
    map::{Flood, Map, Reached, SpaceId},
    ruleset::{Cite, Points},
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
        let [needs, spare, has] = [cost, spare, m.allowance + m.extra].map(|points| mover.in_points(points));
        let name = &self.ruleset.map.space(to).name;
        let text = format!("{name} takes {needs} of {has}, and {spare} must be left");
        vec![Refusal { row: "too-far".into(), text, cite: mover.step.last().map_or(Cite::NONE, |s| s.cite) }]
    }

    /// Why a move does not come to a space; empty when it does.
    fn why_not_come_to(&self, m: &Move, to: SpaceId) -> Vec<Refusal> {
        let ruleset = &*self.ruleset;
        if self.reach(m, |flood| flood.reached.iter().chain(&flood.passed).any(|r| r.space == to)) {
            return Vec::new();
        }
        let mover = &ruleset.movers[m.mover as usize];
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
                    return refusals.into_iter().map(|r| r.at(ruleset, space, to)).collect();
                }
            }
            for ends in mover.ends.iter().chain(&mover.pauses).filter(|_| space != to) {
                let refusals = self.refusals(*ends as u16, &given);
                if !refusals.is_empty() {
                    return refusals.into_iter().map(|r| r.at(ruleset, space, to)).collect();
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
        let (mover, name) = (&self.ruleset.movers[m.mover as usize], &self.ruleset.map.space(to).name);
        let text = match needs {
            Some(needs) => {
                let (needs, has) = (mover.in_points(needs), mover.in_points(m.allowance + m.extra));
                let sum = self.sum_of_points(m);
                format!("{name} is too far: it needs {needs} and there are {has}{sum}")
            }
            None => format!("no path leads to {name}"),
        };
        Refusal { row: "too-far".into(), text, cite }
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
            all.extend(refused.map(|mut refusal| {
                if meant != to {
                    refusal.text = format!("it cannot come on at {}: {}", map.space(meant).name, refusal.text);
                }
                refusal
            }));
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
        let name = &ruleset.map.space(to).name;
        let by = &ruleset.rows[kind.by];
        let from = self.space_list(retreat.unit);
        let far = from.map_or(Map::NEVER, |from| ruleset.map.distance(from, to));
        if !(retreat.shortest..=retreat.longest).contains(&far) {
            let (least, most) = (retreat.shortest, retreat.longest);
            let how = if least == most { least.to_string() } else { format!("{least} to {most}") };
            let text = format!("{name} is {far} away, and the retreat is {how}, each step farther");
            let cite = by.rows.first().map_or(Cite::NONE, |r| r.cite);
            return vec![Refusal { row: "distance".into(), text, cite }];
        }
        match ends.first().map(|e| &by.rows[e.row]) {
            Some(row) => {
                let text = format!("a better retreat than to {name} is open: {}", row.say);
                vec![Refusal { row: row.id.as_str().into(), text, cite: row.cite }]
            }
            None => {
                let cite = by.rows.first().map_or(Cite::NONE, |r| r.cite);
                vec![Refusal { row: "blocked".into(), text: "no retreat is open".into(), cite }]
            }
        }
    }

    /// How the movement points of a move add up, after a colon; nothing where rows do not say it.
    pub(super) fn sum_of_points(&self, m: &Move) -> String {
        let mover = &self.ruleset.movers[m.mover as usize];
        let declared = self.allowance(m.mover, m.unit) == (Some(m.allowance), m.extra);
        let mut parts = Vec::new();
        for points in mover.allowance.iter().chain(&mover.extra).filter(|_| declared) {
            let Points::Rows(rows) = points else { continue };
            let holding = self.ruleset.rows[*rows].rows.iter().filter(|row| self.holds(&row.when, &[m.unit]));
            parts.extend(
                holding.map(|row| format!("{}{} {}", self.value(&row.value, &[m.unit]), row.from.dagger(), row.say)),
            );
        }
        if parts.len() < 2 { String::new() } else { format!(": {}", parts.join(", ")) }
    }
}
