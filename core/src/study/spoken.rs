//! What of a game's content spoke in play: which paragraphs were cited, which rows held, which cells were looked up, over
//! many games, decision by decision.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    thread,
};

use super::{Minds, Player, Series, coverage::is_called};
use crate::{
    map::{Flood, SpaceId},
    play::{Effect, Event, Game, Limits, Match, Move, Question, Rules, Session, SessionError, Set, Stands},
    ruleset::{
        Amendment, Cite, Kind, Mover, Points, PrintedTable, RulebookEntry, Ruleset, StepRow,
        rows::{Row, Rows},
    },
};

/// How often what spoke.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Spoken {
    /// Games that were played to their end.
    pub games: u64,
    /// Games that could not be: the seeds of the first few, and why.
    pub failed: Vec<(u64, String)>,
    /// Answers of sides, forced ones too.
    pub decisions: u64,
    /// At how many of them a path of the content spoke: `rules/combat.fight`, `may/attack/unless/far`,
    /// `tables/crt/1-2/6`, `chance/combat`, `cards/card-3`, `questions/march.to`.
    pub paths: BTreeMap<String, u64>,
    /// At how many a paragraph was cited, by its id.
    pub cited: BTreeMap<String, u64>,
}

/// The same game twice: one is told, and in the other what rules ask is heard, since rules that tell more where somebody
/// listens ask for it.
pub(super) struct Ears<R: Rules> {
    /// The one with a log.
    pub told: Session<R>,
    /// The one without.
    pub asked: Session<R>,
}

/// How a game is played to listen to it. Forced answers are looked at too: guards have spoken where only one is left.
pub(super) fn listening(log: bool) -> Limits {
    Limits { log, forced: false, ..Limits::BULK }
}

/// What became of a part of the content in play.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Voice {
    /// It spoke, at so many decisions.
    Spoke(u64),
    /// Something that carries it was asked, at so many decisions, and it had nothing to say.
    Asked(u64),
    /// It is there all the time, and nobody asks it: counters, a setup, the sequence of play.
    Standing,
    /// It was never asked.
    Never,
}

impl Voice {
    /// At how many decisions it spoke.
    pub fn times(self) -> u64 {
        if let Voice::Spoke(times) = self { times } else { 0 }
    }
}

impl Spoken {
    /// Failures that are told.
    const TOLD: usize = 10;

    /// Plays a series and listens. `make` makes rules that look closely. Whatever the jobs, it comes to the same.
    ///
    /// # Errors
    /// The rules could not be made.
    pub fn over<R: Rules, E: Send>(
        series: &Series,
        ruleset: &Arc<Ruleset>,
        make: impl Fn() -> Result<R, E> + Sync,
        done: impl Fn() + Sync,
    ) -> Result<Spoken, E> {
        let next = AtomicU64::new(0);
        let all: Mutex<Spoken> = Mutex::default();
        let begin = |seed, log| Match::new(ruleset.clone(), series.scenario, seed, listening(log));
        let cites = cites(ruleset);
        let work = || -> Result<(), E> {
            let session = |log| Ok(Session::of(make()?, begin(series.seed, log)));
            let mut ears = Ears { told: session(true)?, asked: session(false)? };
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= series.games {
                    return Ok(());
                }
                let seed = series.seed.wrapping_add(number);
                let mut heard = Spoken::default();
                match heard.listen(&mut ears, |log| begin(seed, log), &series.players, &cites) {
                    Ok(()) => heard.games = 1,
                    Err(wrong) => heard.failed.push((seed, wrong.to_string())),
                }
                done();
                all.lock().unwrap_or_else(PoisonError::into_inner).add(heard);
            }
        };
        thread::scope(|scope| {
            let threads = 1..series.jobs.min(usize::try_from(series.games).unwrap_or(usize::MAX));
            let others: Vec<_> = threads.map(|_| scope.spawn(work)).collect();
            let own = work();
            let joined = others.into_iter().map(|other| other.join().unwrap_or_else(|p| std::panic::resume_unwind(p)));
            joined.fold(own, Result::and)
        })?;
        Ok(all.into_inner().unwrap_or_else(PoisonError::into_inner))
    }

    fn add(&mut self, other: Spoken) {
        self.games += other.games;
        self.decisions += other.decisions;
        self.failed.extend(other.failed);
        self.failed.sort();
        self.failed.truncate(Spoken::TOLD);
        other.paths.into_iter().for_each(|(path, times)| *self.paths.entry(path).or_default() += times);
        other.cited.into_iter().for_each(|(cite, times)| *self.cited.entry(cite).or_default() += times);
    }

    /// Plays one game and listens; `begin` begins it, with a log or without, as [`listening`] has it.
    pub(super) fn listen<R: Rules>(
        &mut self,
        Ears { told: loud, asked: session }: &mut Ears<R>,
        begin: impl Fn(bool) -> Match,
        players: &[Player],
        cites: &BTreeMap<String, Cite>,
    ) -> Result<(), SessionError> {
        let taken = loud.take_up(begin(true)).and(session.take_up(begin(false)));
        debug_assert!(taken.is_ok(), "all are of one ruleset");
        let ruleset = session.ruleset().clone();
        let seed = session.record().seed;
        session.rules_at_work();
        session.advance()?;
        loud.advance()?;
        let mut minds = Minds::new(players);
        let mut told = 0;
        loop {
            let mut paths = session_paths(session);
            let mut cited: BTreeSet<Cite> = BTreeSet::new();
            let mut now = 0;
            for event in loud.told() {
                now += 1;
                if now > told {
                    hear(event, &ruleset, &mut paths, &mut cited);
                }
            }
            told = now;
            cited.extend(paths.iter().filter_map(|path| cites.get(path)));
            cited.remove(&Cite::NONE);
            paths.into_iter().for_each(|path| *self.paths.entry(path).or_default() += 1);
            cited.into_iter().for_each(|cite| *self.cited.entry(ruleset.cite(cite).to_owned()).or_default() += 1);
            match session.stands() {
                Stands::Asks(question) => {
                    let by = question.by;
                    let action = minds.choose(session, seed)?;
                    // What a player asks to make its choice is not what the game's rules ask.
                    session.rules_at_work();
                    session.act(by, action)?;
                    loud.act(by, action)?;
                }
                Stands::Failed(failed) => return Err(failed.clone().into()),
                Stands::Over(_) | Stands::Rolls(_) | Stands::Before => return Ok(()),
            }
            self.decisions += 1;
        }
    }

    /// What became of a part of the content, by its path.
    pub fn voice(&self, path: &str) -> Voice {
        self.paths.get(path).map_or(Voice::Never, |times| Voice::Spoke(*times))
    }

    /// What became of each paragraph that is not left out, in the order of the sources.
    pub fn paragraphs<'r>(&self, ruleset: &'r Ruleset) -> Vec<(&'r str, Voice)> {
        let carried = ruleset.rulebook.entries.iter().filter(|entry| entry.skip.is_none());
        let voice = |entry: &RulebookEntry| {
            if let Some(times) = self.cited.get(&entry.id) {
                return Voice::Spoke(*times);
            }
            let called: Vec<String> = entry.by.iter().filter_map(|carrier| is_called(&carrier.path)).collect();
            let asked = called.iter().filter_map(|path| self.paths.get(path)).max();
            match asked {
                Some(times) => Voice::Asked(*times),
                None if called.len() < entry.by.len() => Voice::Standing,
                None => Voice::Never,
            }
        };
        carried.map(|entry| (entry.id.as_str(), voice(entry))).collect()
    }

    /// What became of each row of the printed lists that has a condition: its path, its paragraph.
    pub fn rows(&self, ruleset: &Ruleset) -> Vec<(String, Cite, Voice)> {
        let row = |list: &Rows, row: &Row| {
            let path = list.path_of(row);
            let voice = match (self.voice(&path), self.paths.get(&list.path())) {
                (Voice::Never, Some(times)) => Voice::Asked(*times),
                (voice, _) => voice,
            };
            (path, row.cite, voice)
        };
        let of_lists = ruleset.rows.iter().flat_map(|list| list.rows.iter().map(move |one| row(list, one)));
        let own_steps = ruleset.movers.iter().filter(|mover| mover.steps_of == mover.name);
        let of_steps = own_steps.flat_map(|mover| {
            let asked = self.paths.get(&format!("movers/{}", mover.name));
            step_rows(mover).map(move |(path, cite)| {
                let voice = match (self.voice(&path), asked) {
                    (Voice::Never, Some(times)) => Voice::Asked(*times),
                    (voice, _) => voice,
                };
                (path, cite, voice)
            })
        });
        of_lists.chain(of_steps).collect()
    }

    /// How often each cell of a table was looked up, by row, then column.
    pub fn cells(&self, table: &PrintedTable) -> Vec<Vec<u64>> {
        let times = |column: usize, row: usize| self.voice(&table.path_of(column, row)).times();
        let line = |row: usize| (0..table.columns.texts.len()).map(|column| times(column, row)).collect();
        (0..table.rows.texts.len()).map(line).collect()
    }

    /// What became of an amendment that is on: what it changes or brings, and its paragraphs.
    pub fn amendment(&self, ruleset: &Ruleset, amendment: &Amendment) -> Voice {
        let is_its = |path: &str| amendment.changes(path, ruleset);
        // A list that was asked is not a row of it that spoke.
        let is_list = |path: &str| ruleset.rows.iter().any(|list| list.path() == path);
        let its = |wants_lists: bool| {
            let paths = self.paths.iter().filter(|(path, _)| is_list(path) == wants_lists && is_its(path));
            paths.map(|(_, times)| *times).max()
        };
        // Terms, settings and the like speak through the paragraphs that they carry.
        let named = |path: &str| path.splitn(3, '/').take(2).collect::<Vec<_>>().join("/");
        let others: BTreeSet<String> = amendment
            .edits
            .iter()
            .filter(|edit| is_called(&edit.path).is_none())
            .map(|edit| named(&edit.path))
            .collect();
        let carries = |id: &str| {
            let entry = ruleset.rulebook.entries.iter().find(|entry| entry.id == id);
            entry.is_some_and(|entry| entry.by.iter().any(|carrier| others.contains(&named(&carrier.path))))
        };
        let paragraphs = self.paragraphs(ruleset);
        let through = paragraphs.iter().filter(|(id, _)| carries(id)).map(|(_, voice)| *voice);
        let own = match (its(false), its(true)) {
            (Some(times), _) => Voice::Spoke(times),
            (None, Some(times)) => Voice::Asked(times),
            _ if amendment.edits.iter().all(|edit| is_called(&edit.path).is_some()) => Voice::Never,
            _ => Voice::Standing,
        };
        // The loudest of them.
        through
            .chain([own])
            .max_by_key(|voice| match voice {
                Voice::Spoke(times) => (3, *times),
                Voice::Asked(times) => (2, *times),
                Voice::Standing => (1, 0),
                Voice::Never => (0, 0),
            })
            .unwrap_or(own)
    }
}

/// The paragraphs of everything that can speak, by its path.
pub(super) fn cites(ruleset: &Ruleset) -> BTreeMap<String, Cite> {
    let rows = ruleset.rows.iter().flat_map(|list| list.rows.iter().map(|row| (list.path_of(row), row.cite)));
    let rules = ruleset.rules.iter().map(|rule| (format!("rules/{}", rule.name), rule.cite));
    let questions = ruleset.questions.iter().map(|asked| (format!("questions/{}", asked.key), asked.cite));
    let chances = ruleset.chances.iter().map(|chance| (format!("chance/{}", chance.purpose), chance.cite));
    let tables = ruleset.tables.iter().map(|table| (format!("tables/{}", table.name), table.cite));
    let steps = ruleset.movers.iter().flat_map(step_rows);
    rows.chain(rules).chain(questions).chain(chances).chain(tables).chain(steps).collect()
}

/// What has spoken since the last answer, and what speaks in the question that waits.
fn session_paths<R: Rules>(session: &mut Session<R>) -> BTreeSet<String> {
    let mut paths = session.rules_at_work();
    if let Some(question) = session.question() {
        let game = session.game();
        paths.insert(format!("questions/{}", game.ruleset.questions[usize::from(question.key)].key));
        refused(game, question, &mut paths);
    }
    paths
}

/// What speaks in what a question offers: guards that keep anything out of it, and what steps cost.
fn refused(game: &Game, question: &Question, paths: &mut BTreeSet<String>) {
    for offer in &question.offers {
        refused_of(game, question, &offer.set, paths);
        let firsts = if offer.then.is_some() { game.values(&offer.set) } else { Vec::new() };
        for (then, first) in offer.then.iter().flat_map(|then| firsts.iter().map(move |first| (then, *first))) {
            game.following(then, first, |set| refused_of(game, question, set, paths));
        }
    }
}

/// The same of one set.
fn refused_of(game: &Game, question: &Question, set: &Set, paths: &mut BTreeSet<String>) {
    let ruleset = &game.ruleset;
    match set {
        Set::Passing { rows, given } => {
            paths.insert(ruleset.rows[usize::from(*rows)].path());
            paths.extend(game.refusing(*rows, given));
        }
        Set::Allowed { rows, given } => {
            let count = ruleset.rows[usize::from(*rows)].given.len();
            speak(game, usize::from(*rows), &[given[..count].to_vec()], paths);
        }
        Set::Reach(m) => moves(game, m, paths),
        Set::Retreat(retreat) => {
            let kind = &ruleset.retreats[usize::from(retreat.kind)];
            let ends = game.retreat_ends(retreat);
            let by = &ruleset.rows[kind.by];
            paths.insert(by.path());
            paths.extend(ends.iter().map(|end| by.path_of(&by.rows[end.row])));
            let from = u32::try_from(game.space_of(retreat.unit)).map(SpaceId);
            let along = ends.iter().flat_map(|end| end.path.iter().copied()).chain(from);
            let steps = along.collect::<BTreeSet<_>>().into_iter().flat_map(|from| {
                let out = ruleset.map.out(from).map(|border| ruleset.map.target(border));
                out.map(move |to| vec![retreat.unit, from.0 as i32, to.0 as i32])
            });
            speak(game, kind.may_step, &steps.collect::<Vec<_>>(), paths);
        }
        Set::Cover { contact, .. } => {
            let on_map = (0..ruleset.units.len() as i32).filter(|unit| game.space_of(*unit) >= 0);
            let (own, others): (Vec<i32>, Vec<i32>) =
                on_map.partition(|unit| ruleset.units[*unit as usize].side == question.by);
            let pairs = own.iter().flat_map(|one| others.iter().map(|other| vec![*one, *other]));
            speak(game, ruleset.contacts[usize::from(*contact)].pairs, &pairs.collect::<Vec<_>>(), paths);
        }
        Set::Ends { of, rows, .. } => {
            moves(game, of, paths);
            let ends = known_spaces(game, of).into_iter().map(|space| vec![of.unit, space.0 as i32]);
            speak(game, usize::from(*rows), &ends.collect::<Vec<_>>(), paths);
        }
        _ => (),
    }
}

/// Adds the rows of a list that hold for any of these, and the list itself.
fn speak(game: &Game, list: usize, given: &[Vec<i32>], paths: &mut BTreeSet<String>) {
    let rows = &game.ruleset.rows[list];
    if rows.given.len() > given.first().map_or(0, Vec::len) {
        return;
    }
    paths.insert(rows.path());
    for row in &rows.rows {
        let path = rows.path_of(row);
        if !paths.contains(&path) && given.iter().any(|given| game.holds(&row.when, &given[..rows.given.len()])) {
            paths.insert(path);
        }
    }
}

/// Where a move comes to, whether it may end there or not, and where it begins.
fn known_spaces(game: &Game, m: &Move) -> BTreeSet<SpaceId> {
    let come = |flood: &Flood| flood.reached.iter().chain(&flood.passed).map(|r| r.space).collect();
    let reached: Vec<SpaceId> = game.reach(m, come);
    let from = u32::try_from(game.space_of(m.unit)).map(SpaceId);
    m.seeds.iter().map(|seed| seed.space).chain(from).chain(reached).collect()
}

/// What speaks in a move: its guards at every border that it comes to, and what the steps over them cost.
fn moves(game: &Game, m: &Move, paths: &mut BTreeSet<String>) {
    let ruleset = &game.ruleset;
    let mover = &ruleset.movers[usize::from(m.mover)];
    let known = known_spaces(game, m);
    let symbols = mover.symbols.len().max(1) as i32;
    let out =
        known.iter().flat_map(|from| ruleset.map.out(*from).map(move |border| (*from, ruleset.map.target(border))));
    let steps: Vec<(SpaceId, SpaceId)> = out.collect();
    let given = |(from, to): (SpaceId, SpaceId)| {
        (0..symbols).map(move |symbol| vec![m.unit, from.0 as i32, to.0 as i32, symbol])
    };
    let all: Vec<Vec<i32>> = steps.iter().copied().flat_map(given).collect();
    let of_marks = mover.marks.iter().filter_map(|mark| mark.may_step);
    for list in mover.may_step.iter().chain(&mover.may_pass).chain(&mover.may_go_on).copied().chain(of_marks) {
        speak(game, list, &all, paths);
    }
    for points in mover.allowance.iter().chain(&mover.extra) {
        if let Points::Rows(list) = points {
            speak(game, *list, &[vec![m.unit]], paths);
        }
    }
    if let Some(list) = mover.may_stop {
        let start = game.space_of(m.unit);
        let ends = known.iter().flat_map(|to| (0..symbols).map(move |symbol| vec![m.unit, start, to.0 as i32, symbol]));
        speak(game, list, &ends.collect::<Vec<_>>(), paths);
    }
    if let Some(list) = mover.entering {
        // By the entries that it was told of, or by none.
        let told = m.starts.iter().filter_map(|start| start.entry).map(|entry| entry.0 as i32);
        let entries: Vec<i32> = if m.starts.is_empty() { vec![-1] } else { told.collect() };
        let begun = m.seeds.iter().filter(|seed| seed.entered).map(|seed| seed.space.0 as i32);
        let by_entry = begun.flat_map(|space| entries.iter().map(move |entry| (space, *entry)));
        let all = by_entry.flat_map(|(at, by)| (0..symbols).map(move |symbol| vec![m.unit, at, by, symbol]));
        speak(game, list, &all.collect::<Vec<_>>(), paths);
    }
    let mut silent: Vec<String> = step_rows(mover).map(|(path, _)| path).filter(|path| !paths.contains(path)).collect();
    for (given, to) in all.iter().map(|given| (given, SpaceId(given[2] as u32))) {
        if silent.is_empty() {
            return;
        }
        if !known.contains(&to) {
            continue;
        }
        let is_for = |row: &&StepRow| row.symbol.is_none_or(|only| i32::from(only) == given[3]);
        let Some(row) = mover.step.iter().filter(is_for).find(|row| game.holds(&row.when, given)) else { continue };
        let path = step_path(mover, row);
        let plus =
            row.plus.iter().filter(|plus| game.holds(&plus.when, given)).map(|plus| format!("{path}/plus/{}", plus.id));
        let spoke: Vec<String> = plus.chain([path.clone()]).collect();
        silent.retain(|path| !spoke.contains(path));
        paths.extend(spoke);
    }
}

fn step_path(mover: &Mover, row: &StepRow) -> String {
    format!("movers/{}/step/{}", mover.steps_of, row.id)
}

/// The rows of what steps cost, with what they add, and their paragraphs.
fn step_rows(mover: &Mover) -> impl Iterator<Item = (String, Cite)> + '_ {
    mover.step.iter().flat_map(move |row| {
        let path = step_path(mover, row);
        let plus: Vec<_> = row.plus.iter().map(|plus| (format!("{path}/plus/{}", plus.id), plus.cite)).collect();
        [(path, row.cite)].into_iter().chain(plus)
    })
}

/// What an event says.
fn hear(event: &Event, ruleset: &Ruleset, paths: &mut BTreeSet<String>, cited: &mut BTreeSet<Cite>) {
    match &event.effect {
        Effect::Place { cite, .. }
        | Effect::Set { cite, .. }
        | Effect::New { cite, .. }
        | Effect::Drop { cite, .. }
        | Effect::Note { cite, .. } => _ = cited.insert(*cite),
        Effect::Tally { tally } => cited.extend(tally.lines.iter().map(|line| line.cite)),
        Effect::Finish { outcome } => _ = cited.insert(outcome.cite),
        Effect::Enter { place } => _ = cited.insert(ruleset.sequence.places[*place].cite),
        Effect::Rolled { chance, value, faces, .. } => {
            let chance = &ruleset.chances[usize::from(*chance)];
            paths.insert(format!("chance/{}", chance.purpose));
            if *faces == 0 && chance.draws == Some(Kind::Card) {
                paths.insert(format!("cards/{}", ruleset.id_of(Kind::Card, *value)));
            }
        }
        Effect::Push { .. } => (),
    }
}
