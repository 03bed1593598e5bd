//! Which amendments a difference between two versions is laid to: a set that makes it by itself and that no member can be
//! left out of. It is found by playing what lies between: versions in which some of what differs is as in the first, and
//! the rest as in the second. What turns the first version and what turns the second are looked for on a thread each, beside
//! the walk, which does not wait for them.

use std::{
    collections::BTreeMap,
    io, panic,
    sync::{
        Arc,
        mpsc::{self, TryRecvError},
    },
    thread,
};

use super::{
    follower::{Follower, Item, Scene},
    mixtures::{Make, Mixtures},
};
use crate::{play::Rules, ruleset::Ruleset};

/// Lays differences to what two versions differ in: what must be in the first version as in the second for it to show what
/// the second does, and what must be in the second as in the first for it to show what the first does.
pub(super) struct Laying {
    mixtures: Mixtures,
    turners: Vec<Turner>,
    /// Of the differences that are handed out, how many have been laid to the end.
    laid: usize,
    handed_out: usize,
}

/// A thread that turns one of the versions.
struct Turner {
    send: mpsc::Sender<Wanted>,
    found: mpsc::Receiver<Vec<String>>,
    /// What it has found and nobody has taken.
    ready: Option<Vec<String>>,
    thread: Option<thread::JoinHandle<()>>,
}

enum Wanted {
    /// A record of another version is walked from here on.
    Begins(Arc<Ruleset>),
    /// A difference is to be laid.
    Laid(Scene, Shown),
}

/// A difference: what is looked at, and what the other version has there.
struct Shown {
    item: Item,
    seen: Option<Vec<String>>,
    /// What it may well be laid to.
    suspects: Vec<usize>,
}

impl Laying {
    pub fn new<R: Rules + 'static>(
        mixtures: &Mixtures,
        make: &Arc<Make<R>>,
        versions: &[Arc<Ruleset>; 2],
    ) -> io::Result<Laying> {
        let turner = |turned: usize| -> io::Result<Turner> {
            let (send, wanted) = mpsc::channel();
            let (tell, found) = mpsc::channel();
            let (mixtures, make, versions) = (mixtures.clone(), make.clone(), versions.clone());
            let work = move || {
                let mut turning = Turning::new(turned, mixtures, make, versions);
                for wanted in wanted {
                    match wanted {
                        Wanted::Begins(record) => turning.begin(&record),
                        Wanted::Laid(scene, shown) => {
                            if tell.send(turning.lay(&scene, &shown)).is_err() {
                                return;
                            }
                        }
                    }
                }
            };
            let thread = Some(thread::Builder::new().name("laying".into()).spawn(work)?);
            Ok(Turner { send, found, ready: None, thread })
        };
        let is_none = mixtures.names.is_empty();
        let turners = if is_none { Vec::new() } else { vec![turner(0)?, turner(1)?] };
        Ok(Laying { mixtures: mixtures.clone(), turners, laid: 0, handed_out: 0 })
    }

    /// A record of another version is walked from here on.
    pub fn begin(&mut self, record: &Arc<Ruleset>) {
        self.turners.iter().for_each(|turner| turner.send(Wanted::Begins(record.clone())));
    }

    /// Hands out a difference, with what each version has there and the citations it is told with.
    pub fn lay<'a>(
        &mut self,
        scene: &Scene,
        item: Item,
        seen: [&Option<Vec<String>>; 2],
        cites: impl Iterator<Item = &'a str>,
    ) {
        self.handed_out += 1;
        let suspects = self.mixtures.suspects(cites);
        for (turner, seen) in self.turners.iter().zip([seen[1], seen[0]]) {
            let shown = Shown { item, seen: seen.clone(), suspects: suspects.clone() };
            turner.send(Wanted::Laid(scene.clone(), shown));
        }
    }

    /// How many differences wait to be laid.
    pub fn waiting(&self) -> usize {
        self.handed_out - self.laid
    }

    /// What the first of the differences that wait is laid to; nothing while that is not known, unless `to_the_end`.
    pub fn next(&mut self, to_the_end: bool) -> Option<[Vec<String>; 2]> {
        let is_known = self.turners.iter_mut().all(|turner| turner.wait(to_the_end));
        if self.waiting() == 0 || !is_known {
            return None;
        }
        self.laid += 1;
        let mut sets = self.turners.iter_mut().map(|turner| turner.ready.take().unwrap_or_default());
        Some([(); 2].map(|()| sets.next().unwrap_or_default()))
    }
}

impl Turner {
    fn send(&self, wanted: Wanted) {
        // A thread that is gone is noticed where its answer is waited for.
        let _ = self.send.send(wanted);
    }

    /// Whether something is found and not taken yet.
    fn wait(&mut self, to_the_end: bool) -> bool {
        if self.ready.is_none() {
            let found = match to_the_end {
                true => self.found.recv().map_err(|_| TryRecvError::Disconnected),
                false => self.found.try_recv(),
            };
            if matches!(found, Err(TryRecvError::Disconnected)) {
                // It goes on for as long as it can be asked, unless it fails.
                let ended = self.thread.take().map_or(Ok(()), thread::JoinHandle::join);
                ended.unwrap_or_else(|failed| panic::resume_unwind(failed));
            }
            self.ready = found.ok();
        }
        self.ready.is_some()
    }
}

/// Looks for what turns one version into showing what the other does.
struct Turning<R: Rules> {
    turned: usize,
    mixtures: Mixtures,
    make: Arc<Make<R>>,
    versions: [Arc<Ruleset>; 2],
    /// The record's version.
    record: Arc<Ruleset>,
    /// Sets that were found, the last one first.
    known: Vec<Vec<usize>>,
    /// All members of sets that were found, in the order in which they were first.
    members: Vec<usize>,
    /// Versions that have been made, each with when it was last asked for.
    made: BTreeMap<Vec<bool>, (u64, Option<Follower<R>>)>,
    asked: u64,
}

impl<R: Rules> Turning<R> {
    /// More versions are not kept: one takes some megabytes.
    const MOST_MADE: usize = 64;
    /// More sets are not tried before a difference is looked into from the beginning.
    const MOST_KNOWN: usize = 12;

    fn new(turned: usize, mixtures: Mixtures, make: Arc<Make<R>>, versions: [Arc<Ruleset>; 2]) -> Turning<R> {
        let record = versions[0].clone();
        Turning {
            turned,
            mixtures,
            make,
            versions,
            record,
            known: Vec::new(),
            members: Vec::new(),
            made: BTreeMap::new(),
            asked: 0,
        }
    }

    fn begin(&mut self, record: &Arc<Ruleset>) {
        self.record = record.clone();
        self.made.values_mut().filter_map(|(_, made)| made.as_mut()).for_each(|follower| follower.begin(record));
    }

    /// The set that a difference is laid to.
    fn lay(&mut self, scene: &Scene, shown: &Shown) -> Vec<String> {
        self.least(scene, shown).into_iter().map(|at| self.mixtures.names[at].clone()).collect()
    }

    fn least(&mut self, scene: &Scene, shown: &Shown) -> Vec<usize> {
        for at in 0..self.known.len() {
            let set = self.known[at].clone();
            if self.turns(scene, shown, &set) && self.needs_all(scene, shown, &set) {
                self.known[..=at].rotate_right(1);
                return set;
            }
        }
        let all: Vec<usize> = (0..self.mixtures.names.len()).collect();
        let members = self.members.clone();
        let alone = shown.suspects.iter().map(|at| vec![*at]).find(|alone| self.turns(scene, shown, alone));
        let mut set = match alone {
            Some(alone) => alone,
            None if self.turns(scene, shown, &members) => self.among(scene, shown, &members),
            None => self.among(scene, shown, &all),
        };
        // What is found so is least where more never undoes what less does; so each is left out once more.
        let mut at = 0;
        while at < set.len() {
            let mut fewer = set.clone();
            fewer.remove(at);
            if self.turns(scene, shown, &fewer) {
                (set, at) = (fewer, 0);
            } else {
                at += 1;
            }
        }
        set.sort_unstable();
        if !self.turns(scene, shown, &set) {
            // No version between them shows it: it takes all that differs.
            return all;
        }
        self.members.extend(set.iter().filter(|at| !members.contains(at)));
        self.known.insert(0, set.clone());
        self.known.truncate(Self::MOST_KNOWN);
        set
    }

    /// Of these, which turn it together, as few as turn it. The shortest beginning of them that does needs its last; with
    /// that one turned, the next is looked for in the same way.
    fn among(&mut self, scene: &Scene, shown: &Shown, all: &[usize]) -> Vec<usize> {
        let mut found: Vec<usize> = Vec::new();
        while found.is_empty() || !self.turns(scene, shown, &found) {
            let (mut too_few, mut enough) = (0, all.len());
            while enough - too_few > 1 {
                let half = (too_few + enough) / 2;
                let turns = self.turns(scene, shown, &[&found, &all[..half]].concat());
                *(if turns { &mut enough } else { &mut too_few }) = half;
            }
            match all[..enough].last() {
                Some(last) if !found.contains(last) => found.push(*last),
                _ => return all.to_vec(),
            }
        }
        found
    }

    fn needs_all(&mut self, scene: &Scene, shown: &Shown, set: &[usize]) -> bool {
        set.len() < 2
            || (0..set.len()).all(|at| {
                let mut fewer = set.to_vec();
                fewer.remove(at);
                !self.turns(scene, shown, &fewer)
            })
    }

    /// Whether one version with these as in the other shows what the other does.
    fn turns(&mut self, scene: &Scene, shown: &Shown, set: &[usize]) -> bool {
        let mut as_in_second = vec![self.turned == 1; self.mixtures.names.len()];
        set.iter().for_each(|at| as_in_second[*at] = self.turned == 0);
        let is_kept = |made: &(u64, Option<Follower<R>>)| made.1.is_some();
        if self.made.values().filter(|made| is_kept(made)).count() > Self::MOST_MADE
            && !self.made.contains_key(&as_in_second)
        {
            let oldest = self.made.iter().filter(|(_, made)| is_kept(made)).min_by_key(|(_, (asked, _))| *asked);
            if let Some(oldest) = oldest.map(|(set, _)| set.clone()) {
                self.made.remove(&oldest);
            }
        }
        self.asked += 1;
        let follower = self.made.entry(as_in_second).or_insert_with_key(|as_in_second| {
            let made = (self.make)(&self.mixtures.selection(as_in_second));
            let made = made.map(|(ruleset, rules)| Follower::new(rules, &ruleset, &self.versions, &self.record));
            (0, made)
        });
        follower.0 = self.asked;
        let Some(follower) = &mut follower.1 else { return false };
        follower.stand(scene, [1 - self.turned, self.turned]) && follower.seen(&shown.item) == shown.seen
    }
}
