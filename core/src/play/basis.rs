//! What something was worked out from, so that it can be kept as long as that has not changed.

use std::cell::RefCell;

use super::game::Game;
use crate::ruleset::Part;

/// The parts of a state that something was worked out from, as they then stood. Every write has a stamp of its own, so
/// parts with the same stamps are the same, in whichever game.
#[derive(Debug, Clone, Default)]
pub(super) struct Basis {
    /// The version of the game it was last seen to stand in. Nothing was ever worked out in version 0.
    version: u64,
    stamps: Vec<u64>,
}

impl Basis {
    /// Whether it was last seen to stand in the very version that a game is in.
    #[inline]
    pub fn is_of_now(&self, game: &Game) -> bool {
        self.version == game.values.version()
    }

    /// Whether what was worked out from these parts still stands.
    #[inline]
    pub fn stands(&mut self, game: &Game, parts: &[Part]) -> bool {
        if self.is_of_now(game) {
            return true;
        }
        let stands =
            self.version != 0 && parts.iter().map(|part| game.values.stamp(*part)).eq(self.stamps.iter().copied());
        if stands {
            self.version = game.values.version();
        }
        stands
    }

    /// Something has been worked out from these parts; unless it was given up halfway, as conditions that cost too much
    /// are, it may be kept.
    pub fn renew(&mut self, game: &Game, parts: &[Part]) {
        self.version = if game.is_exhausted() { 0 } else { game.values.version() };
        self.stamps.clear();
        self.stamps.extend(parts.iter().map(|part| game.values.stamp(*part)));
    }
}

/// What has been worked out from the states of a game, and is kept. A copy of the game begins without: it is as soon worked
/// out as copied.
#[derive(Debug, Default)]
pub(super) struct Cache<T>(pub RefCell<T>);

impl<T: Default> Clone for Cache<T> {
    fn clone(&self) -> Cache<T> {
        Cache::default()
    }
}

/// Numbers that no two writes share, even in different games on different threads, so that a derived value
/// may be kept as long as the stamps it was made under are the same.
pub(super) fn fresh_stamp() -> u64 {
    use std::{
        cell::Cell,
        sync::atomic::{AtomicU64, Ordering},
    };
    const BLOCK: u64 = 1 << 20;
    static NEXT: AtomicU64 = AtomicU64::new(BLOCK);
    thread_local!(static MINE: Cell<(u64, u64)> = const { Cell::new((0, 0)) });
    MINE.with(|mine| {
        let (mut at, mut end) = mine.get();
        if at == end {
            at = NEXT.fetch_add(BLOCK, Ordering::Relaxed);
            end = at + BLOCK;
        }
        mine.set((at + 1, end));
        at
    })
}
