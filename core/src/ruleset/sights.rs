//! What is known of lines of sight that nothing in a game changes.

use std::sync::{
    OnceLock,
    atomic::{AtomicU64, Ordering},
};

/// Pairs of spaces that see each other or do not, as far as it has been asked; two bits for each pair.
#[derive(Debug, Default)]
pub struct KnownSights(OnceLock<Box<[AtomicU64]>>);

impl KnownSights {
    const KNOWN: u64 = 0b01;
    const SEEN: u64 = 0b10;

    /// Whether the first of so many spaces sees the second; asked until it can be told.
    pub fn of(&self, spaces: usize, from: u32, to: u32, ask: impl FnOnce() -> Option<bool>) -> Option<bool> {
        let words = (spaces * spaces * 2).div_ceil(64);
        let all = self.0.get_or_init(|| (0..words).map(|_| AtomicU64::new(0)).collect());
        let bit = (from as usize * spaces + to as usize) * 2;
        let (word, shift) = (&all[bit / 64], bit % 64);
        // Whoever comes first writes the same as whoever comes second.
        let known = word.load(Ordering::Relaxed) >> shift;
        if known & KnownSights::KNOWN != 0 {
            return Some(known & KnownSights::SEEN != 0);
        }
        let seen = ask()?;
        let told = KnownSights::KNOWN | if seen { KnownSights::SEEN } else { 0 };
        word.fetch_or(told << shift, Ordering::Relaxed);
        Some(seen)
    }
}
