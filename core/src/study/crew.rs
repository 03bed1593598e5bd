//! Work that several threads share, heard of in its order.

use std::{
    collections::BTreeMap,
    sync::{
        atomic::{AtomicU64, Ordering},
        mpsc,
    },
    thread,
};

/// Pieces of work, and on how many threads they are done.
#[derive(Debug, Clone, Copy)]
pub(super) struct Crew {
    /// How many pieces, numbered from 0.
    pub pieces: u64,
    /// On so many threads; no more than there are pieces.
    pub jobs: usize,
}

impl Crew {
    /// Does them all. Each thread `begin`s with what it needs and does one piece after the other; `heard` hears of each, in
    /// the order of their numbers, whatever the threads.
    ///
    /// # Errors
    /// A thread could not begin; or what `heard` says, and no more pieces are begun then.
    pub fn work<S, T: Send, E: Send>(
        self,
        begin: impl Fn() -> Result<S, E> + Sync,
        work: impl Fn(&mut S, u64) -> T + Sync,
        mut heard: impl FnMut(T) -> Result<(), E>,
    ) -> Result<(), E> {
        let next = AtomicU64::new(0);
        let (send, receive) = mpsc::sync_channel::<(u64, T)>(64);
        let one = |send: mpsc::SyncSender<(u64, T)>| -> Result<(), E> {
            let mut held = begin()?;
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= self.pieces || send.send((number, work(&mut held, number))).is_err() {
                    return Ok(());
                }
            }
        };
        thread::scope(|scope| {
            let threads = 0..self.jobs.clamp(1, usize::try_from(self.pieces.max(1)).unwrap_or(usize::MAX));
            let workers: Vec<_> = threads.map(|_| (send.clone(), &one)).collect();
            let workers: Vec<_> = workers.into_iter().map(|(send, one)| scope.spawn(move || one(send))).collect();
            drop(send);
            let (mut waiting, mut due, mut told) = (BTreeMap::new(), 0, Ok(()));
            for (number, done) in &receive {
                waiting.insert(number, done);
                while let Some(done) = waiting.remove(&due) {
                    due += 1;
                    told = told.and_then(|()| heard(done));
                }
                if told.is_err() {
                    break;
                }
            }
            // Whoever still works finds nobody to tell.
            drop(receive);
            let joined = workers.into_iter().map(|other| other.join().unwrap_or_else(|p| std::panic::resume_unwind(p)));
            joined.fold(told, Result::and)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Crew;

    #[test]
    fn pieces_are_heard_of_in_their_order_and_none_is_begun_after_a_failure() {
        for jobs in [1, 3] {
            let (mut all, crew) = (Vec::new(), Crew { pieces: 40, jobs });
            let slow_first = |_: &mut (), piece: u64| {
                std::thread::sleep(std::time::Duration::from_micros(200 * (piece % 3)));
                piece
            };
            let done = crew.work(
                || Ok::<(), ()>(()),
                slow_first,
                |piece| {
                    all.push(piece);
                    Ok(())
                },
            );
            assert_eq!((done, all), (Ok(()), (0..40).collect()));
            let failed =
                crew.work(|| Ok::<(), u64>(()), slow_first, |piece| if piece < 5 { Ok(()) } else { Err(piece) });
            assert_eq!(failed, Err(5));
            assert_eq!(crew.work(|| Err::<(), _>(9), slow_first, |_| Ok(())), Err(9));
        }
    }
}
