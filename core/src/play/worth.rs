//! What answers are worth to a player of the ruleset: of all that a question offers at once, as guards are asked of whole
//! lists; and of one of them with its reasons.

use super::{
    RuleError,
    evaluate::Slots,
    game::Game,
    mood::Mood,
    offer::{About, Action, Offer, Question, Set},
};
use crate::{
    map::SpaceId,
    ruleset::{
        Cite, Judgement, Kind, Worth,
        rows::{Domain, Expr, How, Row, Rows, fold::reads_slot},
    },
};

/// The slots in which what an answer takes stands.
const ONE: u8 = 0;
const SECOND: u8 = 1;

/// What is valued: answers of one verb to a question, by a player in a mood.
#[derive(Clone, Copy)]
struct Valued<'a> {
    player: (&'a Judgement, Mood),
    question: &'a Question,
    worth: &'a Worth,
}

/// What it costs to come somewhere, and how much of that is beyond the allowance.
type Costs = (i32, i32);

/// Answers of a list by what it costs to come to where they lead: those that cost the same are asked together.
#[derive(Clone, Copy, Default)]
struct ByCost<'a> {
    /// By row, whether it looks at what that costs; none do beyond.
    rows: &'a [bool],
    /// What each costs with its place in the list, in rising order.
    places: &'a [(Costs, usize)],
}

/// Why an answer is worth what it is: a row of a player, and what it comes to.
#[derive(Debug, Clone, Copy)]
pub struct Reason<'a> {
    /// The row.
    pub row: &'a Row,
    /// What it adds.
    pub adds: i32,
}

/// What something comes to for each of a list.
enum Many {
    /// The same for all.
    Same(i32),
    /// In the order of the list.
    Each(Vec<i32>),
}

impl Many {
    fn map(self, what: impl Fn(i32) -> i32) -> Many {
        match self {
            Many::Same(value) => Many::Same(what(value)),
            Many::Each(mut values) => {
                values.iter_mut().for_each(|value| *value = what(*value));
                Many::Each(values)
            }
        }
    }

    fn with(self, other: Many, what: impl Fn(i32, i32) -> i32) -> Many {
        match (self, other) {
            (Many::Same(a), Many::Same(b)) => Many::Same(what(a, b)),
            (Many::Same(a), Many::Each(mut b)) => {
                b.iter_mut().for_each(|b| *b = what(a, *b));
                Many::Each(b)
            }
            (Many::Each(mut a), Many::Same(b)) => {
                a.iter_mut().for_each(|a| *a = what(*a, b));
                Many::Each(a)
            }
            (Many::Each(mut a), Many::Each(b)) => {
                a.iter_mut().zip(b).for_each(|(a, b)| *a = what(*a, b));
                Many::Each(a)
            }
        }
    }

    fn at(&self, at: usize) -> i32 {
        match self {
            Many::Same(value) => *value,
            Many::Each(values) => values[at],
        }
    }
}

impl Game {
    /// What each of some answers to a question is worth to a player, by its rows; nothing where they say nothing of its verb.
    /// Answers of a verb stand together, as they are offered.
    pub(super) fn worths(
        &self,
        player: (&Judgement, Mood),
        question: &Question,
        actions: &[Action],
    ) -> Vec<Option<i64>> {
        let mut all = Vec::with_capacity(actions.len());
        for of_verb in actions.chunk_by(|a, b| a.verb == b.verb) {
            let verb = of_verb[0].verb;
            let Some(worth) = player.0.worth(question.key, verb) else {
                all.resize(all.len() + of_verb.len(), None);
                continue;
            };
            let of = Valued { player, question, worth };
            let mut slots = slots_of(question);
            let takes = self.ruleset.verbs[usize::from(verb)].takes.len();
            match takes {
                0 => {
                    let value = self.worth(of, &mut slots);
                    all.resize(all.len() + of_verb.len(), Some(value));
                }
                1 => all.extend(self.worths_of(of, ONE, of_verb, &mut slots)),
                _ => {
                    for of_first in of_verb.chunk_by(|a, b| a.values[0] == b.values[0]) {
                        slots[usize::from(ONE)] = of_first[0].values[0];
                        all.extend(self.worths_of(of, SECOND, of_first, &mut slots));
                    }
                }
            }
        }
        all
    }

    /// What there is to say where a player's rows take too long.
    pub(super) fn too_costly(&self, player: &Judgement) -> RuleError {
        let (file, line) = (player.span.file.to_string(), 0);
        let (message, stack) = (Game::exhausted(), Box::default());
        RuleError { rule: format!("players/{}", player.name), message, file, line, cite: Cite::NONE, stack }
    }

    /// Why an answer is worth what it is to a player, row by row; empty where its rows say nothing of it.
    pub(super) fn reasons<'a>(&self, player: &'a Judgement, question: &Question, action: Action) -> Vec<Reason<'a>> {
        let mut slots = slots_of(question);
        slots[..2].copy_from_slice(&action.values);
        let mut all = Vec::new();
        let mut worth = player.worth(question.key, action.verb);
        if worth.is_some_and(Worth::reads_cost) {
            set_costs(&mut slots, self.costs_of(question, &[action])[0]);
        }
        while let Some(Worth { rows, like, .. }) = worth {
            for row in &rows.rows {
                let adds = if self.asked(&row.when, &mut slots) != 0 { self.eval(&row.value, &mut slots) } else { 0 };
                if adds != 0 {
                    all.push(Reason { row, adds });
                }
            }
            // A verb that is like another one is like one that is like none.
            let Some((verb, one)) = like else { break };
            slots[usize::from(ONE)] = self.eval(one, &mut slots);
            set_costs(&mut slots, (0, 0));
            worth = player.worth(question.key, *verb).filter(|other| other.like.is_none());
        }
        all
    }

    /// What one answer is worth; what it takes stands in its slots.
    fn worth(&self, of: Valued<'_>, slots: &mut Slots) -> i64 {
        let (judgement, mood) = of.player;
        let own = self.sum(&of.worth.rows, mood, slots);
        let Some((verb, one)) = &of.worth.like else { return own };
        let one = self.eval(one, slots);
        let other = judgement.worth(of.question.key, *verb).filter(|other| other.like.is_none());
        let mut inner = slots_of(of.question);
        inner[usize::from(ONE)] = one;
        own + other.map_or(0, |other| self.sum(&other.rows, mood, &mut inner))
    }

    /// What rows come to in a mood.
    fn sum(&self, rows: &Rows, mood: Mood, slots: &mut Slots) -> i64 {
        let adds = |row: &Row| match self.asked(&row.when, slots) {
            0 => 0,
            _ => mood.of(rows, row).of(self.eval(&row.value, slots)),
        };
        i64::from(rows.rows.iter().map(adds).fold(0, i32::saturating_add))
    }

    /// What it costs to come to where each of some answers leads, and how much of it is beyond the allowance; they are of
    /// one verb, and where that takes two values the first is the same.
    fn costs_of(&self, question: &Question, actions: &[Action]) -> Vec<Costs> {
        let verb = actions[0].verb;
        let of_set = |set: &Set, at: usize| match set {
            Set::Reach(m) | Set::Ends { of: m, .. } => {
                let mut reached = self.reached(m);
                reached.sort_unstable_by_key(|reached| reached.space);
                let costs = |action: &Action| {
                    let to = SpaceId(action.values[at] as u32);
                    let Ok(found) = reached.binary_search_by_key(&to, |reached| reached.space) else { return (0, 0) };
                    let cost = reached[found].cost;
                    let beyond = if cost > m.allowance { self.beyond(m, to) } else { 0 };
                    (cost.into(), beyond.into())
                };
                actions.iter().map(costs).collect()
            }
            _ => vec![(0, 0); actions.len()],
        };
        match question.offers.iter().find(|offer| offer.verb == verb) {
            Some(Offer { then: Some(then), .. }) => self.following(then, actions[0].values[0], |set| of_set(set, 1)),
            Some(offer) => of_set(&offer.set, 0),
            None => vec![(0, 0); actions.len()],
        }
    }

    /// What answers are worth that differ in what stands in one slot, and in what it costs to come there.
    fn worths_of(&self, of: Valued<'_>, slot: u8, actions: &[Action], slots: &mut Slots) -> Vec<Option<i64>> {
        let value = |action: &Action| action.values[usize::from(slot)];
        let costs = of.worth.reads_cost().then(|| self.costs_of(of.question, actions));
        if of.worth.like.is_some() || actions.len() == 1 {
            let one_by_one = actions.iter().enumerate().map(|(at, action)| {
                slots[usize::from(slot)] = value(action);
                costs.iter().for_each(|costs| set_costs(slots, costs[at]));
                Some(self.worth(of, slots))
            });
            return one_by_one.collect();
        }
        let mut order: Vec<usize> = (0..actions.len()).collect();
        order.sort_unstable_by_key(|at| value(&actions[*at]));
        order.dedup_by_key(|at| value(&actions[*at]));
        let list: Vec<i32> = order.iter().map(|at| value(&actions[*at])).collect();
        let by_cost = costs.map_or_else(Vec::new, |costs| {
            let mut by_cost: Vec<(Costs, usize)> = (0..).zip(&order).map(|(at, of)| (costs[*of], at)).collect();
            by_cost.sort_unstable();
            by_cost
        });
        let by_cost = ByCost { rows: &of.worth.read_cost, places: &by_cost };
        let totals = self.totals((&of.worth.rows, of.player.1), slot, (&list, by_cost), slots);
        let found = |action| list.binary_search(&value(action)).map_or(0, |at| totals[at]);
        actions.iter().map(|action| Some(i64::from(found(action)))).collect()
    }

    /// What a sum of rows comes to for each of a list in rising order, which stand in `slot`.
    fn totals(
        &self,
        (rows, mood): (&Rows, Mood),
        slot: u8,
        (list, by_cost): (&[i32], ByCost<'_>),
        slots: &mut Slots,
    ) -> Vec<i32> {
        let mut totals = vec![0i32; list.len()];
        for (number, row) in rows.rows.iter().enumerate() {
            let counts = mood.of(rows, row);
            let mut add = |at: usize, value| totals[at] = totals[at].saturating_add(counts.of(value));
            if by_cost.rows.get(number) != Some(&true) {
                self.each_adds(row, slot, list, slots, add);
                continue;
            }
            for alike in by_cost.places.chunk_by(|(a, _), (b, _)| a == b) {
                set_costs(slots, alike[0].0);
                let of_cost: Vec<i32> = alike.iter().map(|(_, at)| list[*at]).collect();
                self.each_adds(row, slot, &of_cost, slots, |at, value| add(alike[at].1, value));
            }
        }
        totals.iter_mut().for_each(|total| *total = (*total).max(rows.least));
        totals
    }

    /// What a row adds for each of a list in rising order that it holds for: `add` gets its place in the list, and what it is.
    fn each_adds(&self, row: &Row, slot: u8, list: &[i32], slots: &mut Slots, mut add: impl FnMut(usize, i32)) {
        if !row.looks_at.slot(slot) {
            slots[usize::from(slot)] = -1;
            if self.asked(&row.when, slots) != 0 {
                let values = self.many(&row.value, slot, list, slots);
                (0..list.len()).for_each(|at| add(at, values.at(at)));
            }
            return;
        }
        let mut kept = list.to_vec();
        self.sift(&row.when, true, slot, &mut kept, slots);
        if kept.is_empty() {
            return;
        }
        let values = self.many(&row.value, slot, &kept, slots);
        let mut rest = kept.iter().enumerate().peekable();
        for (at, one) in list.iter().enumerate() {
            if let Some((number, _)) = rest.next_if(|(_, kept)| *kept == one) {
                add(at, values.at(number));
            }
        }
    }

    /// What an expression comes to for each of a list in rising order, which stand in `slot` while it is asked. What does
    /// not hang on them is worked out once.
    fn many(&self, expr: &Expr, slot: u8, list: &[i32], slots: &mut Slots) -> Many {
        if !reads_slot(expr, slot) {
            return Many::Same(self.asked(expr, slots));
        }
        if !self.takes_steps(1 + list.len() / Game::SIFTED_IN_A_STEP) {
            return Many::Same(0);
        }
        let mut again = |e: &Expr| self.many(e, slot, list, slots);
        match expr {
            Expr::Slot(_) => Many::Each(list.to_vec()),
            Expr::Add(a, b) => again(a).with(again(b), i32::saturating_add),
            Expr::Less(a, b) => again(a).with(again(b), i32::saturating_sub),
            Expr::Times(a, b) => again(a).with(again(b), i32::saturating_mul),
            Expr::Lesser(a, b) => again(a).with(again(b), i32::min),
            Expr::Greater(a, b) => again(a).with(again(b), i32::max),
            Expr::Share(a, by) => again(a).map(|a| a.div_euclid(*by)),
            Expr::SpaceOf(unit) => again(unit).map(|unit| self.space_of(unit)),
            Expr::State { of_nothing, cells, of, .. } => {
                let cells = self.values.slice(*cells);
                again(of).map(|of| cells.get(of as usize).copied().unwrap_or(i32::from(*of_nothing)))
            }
            Expr::Fixed { of_nothing, attribute, of } => {
                let values = &self.ruleset.attributes[*attribute as usize].values;
                again(of).map(|of| values.get(of as usize).copied().unwrap_or(i32::from(*of_nothing)))
            }
            Expr::Distance(a, b) => match (again(a), again(b)) {
                (Many::Each(from), Many::Same(to)) => self.distances(from, to),
                (a, b) => a.with(b, |a, b| self.far(a, b)),
            },
            Expr::If(parts) => {
                let [when, one, other] = parts.as_ref();
                if !reads_slot(when, slot) {
                    let chosen = if self.asked(when, slots) != 0 { one } else { other };
                    return self.many(chosen, slot, list, slots);
                }
                let mut kept = list.to_vec();
                self.sift(when, true, slot, &mut kept, slots);
                if kept.is_empty() || kept.len() == list.len() {
                    return self.many(if kept.is_empty() { other } else { one }, slot, list, slots);
                }
                let rest: Vec<i32> = list.iter().copied().filter(|one| kept.binary_search(one).is_err()).collect();
                let (ones, others) = (self.many(one, slot, &kept, slots), self.many(other, slot, &rest, slots));
                let (mut a, mut b) = (0, 0);
                let chosen = list.iter().map(|one| {
                    if kept.get(a) == Some(one) {
                        a += 1;
                        ones.at(a - 1)
                    } else {
                        b += 1;
                        others.at(b - 1)
                    }
                });
                Many::Each(chosen.collect())
            }
            // What a term, or a list, is given besides is worked out once.
            Expr::Term(term, args) => match self.handed_beside(args, slot, slots) {
                Some((at, inner)) => self.term_of_each(*term, at, list, inner),
                None => self.one_by_one(expr, slot, list, slots),
            },
            Expr::Listed(rows, args) => match self.handed_beside(args, slot, slots) {
                Some((at, mut inner)) if self.ruleset.rows[usize::from(*rows)].kind == Kind::Int => {
                    let rows = &self.ruleset.rows[usize::from(*rows)];
                    Many::Each(self.totals((rows, Mood::USUAL), at, (list, ByCost::default()), &mut inner))
                }
                _ => self.one_by_one(expr, slot, list, slots),
            },
            // Each member of a set that does not hang on them is looked at once, for all of them.
            Expr::Over { how: how @ (How::Min | How::Max | How::Total | How::Count), domain, slot: bound, body }
                if !hangs_on(domain, slot) =>
            {
                let members = self.members(domain, slots);
                let mut all: Option<Many> = None;
                for member in members {
                    slots[usize::from(*bound)] = member;
                    let mut value = self.many(body, slot, list, slots);
                    if *how == How::Count {
                        value = value.map(|value| i32::from(value != 0));
                    }
                    all = Some(match (all, how) {
                        (None, _) => value,
                        (Some(all), How::Min) => all.with(value, i32::min),
                        (Some(all), How::Max) => all.with(value, i32::max),
                        (Some(all), _) => all.with(value, i32::saturating_add),
                    });
                }
                all.unwrap_or(Many::Same(0))
            }
            Expr::Not(_) | Expr::Both(_) | Expr::Either(_) | Expr::Compare(..) | Expr::Zone { .. } => {
                let mut kept = list.to_vec();
                self.sift(expr, true, slot, &mut kept, slots);
                let mut at = 0;
                let flags = list.iter().map(|one| {
                    let holds = kept.get(at) == Some(one);
                    at += usize::from(holds);
                    i32::from(holds)
                });
                Many::Each(flags.collect())
            }
            _ => self.one_by_one(expr, slot, list, slots),
        }
    }

    /// What a term comes to for each of a list, which stand in `slot` of what it is given.
    fn term_of_each(&self, number: u16, slot: u8, list: &[i32], mut given: Slots) -> Many {
        let term = &self.ruleset.terms[usize::from(number)];
        let Some(of) = term.of_ground.as_ref().filter(|of| of.space == Some(slot)) else {
            return self.many(&term.body, slot, list, &mut given);
        };
        let kept = self.of_grounds((number, of), list, &mut given, |unknown, slots| {
            let values = self.many(&term.body, slot, unknown, slots);
            (0..unknown.len()).map(|at| values.at(at)).collect()
        });
        kept.map_or_else(|| self.many(&term.body, slot, list, &mut given), Many::Each)
    }

    fn one_by_one(&self, expr: &Expr, slot: u8, list: &[i32], slots: &mut Slots) -> Many {
        let value = |one: &i32| {
            slots[usize::from(slot)] = *one;
            self.asked(expr, slots)
        };
        Many::Each(list.iter().map(value).collect())
    }

    /// What stands in the slots of a term or a list that is given these, and in which of them the members of the list are to
    /// stand: where they are given as they are, and once.
    fn handed_beside(&self, args: &[Expr], slot: u8, slots: &mut Slots) -> Option<(u8, Slots)> {
        let (mut inner, mut at) = ([-1; 16], None);
        for (number, arg) in (0..).zip(args) {
            match arg {
                Expr::Slot(own) if *own == slot && at.is_none() => at = Some(number),
                arg if reads_slot(arg, slot) => return None,
                arg => inner[usize::from(number)] = self.eval(arg, slots),
            }
        }
        Some((at?, inner))
    }

    /// How far each of these spaces lies from one.
    fn distances(&self, from: Vec<i32>, to: i32) -> Many {
        let map = &self.ruleset.map;
        match u32::try_from(to).ok().and_then(|to| map.distances_to(SpaceId(to))) {
            Some(row) => Many::Each(from).map(|from| {
                let far = row.get(from as usize).copied().unwrap_or(crate::map::Map::NEVER);
                i32::from(far)
            }),
            None => Many::Each(from).map(|from| self.far(from, to)),
        }
    }
}

/// What stands in the slots of a player's rows before an answer does.
fn slots_of(question: &Question) -> Slots {
    let mut slots = [-1; 16];
    if let About::Thing(_, thing) = question.about {
        slots[2] = thing;
    }
    slots[3] = question.by;
    set_costs(&mut slots, (0, 0));
    slots
}

fn set_costs(slots: &mut Slots, (cost, beyond): Costs) {
    slots[usize::from(Worth::COST)] = cost;
    slots[usize::from(Worth::BEYOND)] = beyond;
}

/// Whether who is in a set hangs on what stands in a slot.
fn hangs_on(domain: &Domain, slot: u8) -> bool {
    domain.any(&mut |e| matches!(e, Expr::Slot(s) if *s == slot))
}
