//! What a rule may use up: fuel, which is the same on every machine, and wall time, which is not.
//!
//! Luau calls the interrupt at every loop turn and call. As a plain C function it costs about nothing; as a
//! closure it would halve the speed of rules. This is the one place with `unsafe` code.
//!
//! Fuel does not see the time that a call into the library takes. A watchdog, one thread for the whole program,
//! looks fifty times a second whether an answer has taken longer than it may, and stops that thread's rule.
#![allow(unsafe_code, reason = "a C callback that only decrements a counter")]

use std::{
    cell::Cell,
    ffi::c_int,
    sync::{
        Mutex, Once, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use mlua::{Lua, ffi};

/// One thread's rules, as the watchdog sees them.
#[derive(Debug, Default)]
struct Watched {
    /// The watchdog's clock at which the answer must be done; 0 while none is under way.
    due: AtomicU64,
    /// The `due` that has passed: the answer it belongs to is stopped, and no later one.
    passed: AtomicU64,
}

impl Watched {
    fn is_stopped(&self) -> bool {
        let due = self.due.load(Ordering::Relaxed);
        due != 0 && self.passed.load(Ordering::Relaxed) == due
    }
}

thread_local!(static FUEL: Cell<i64> = const { Cell::new(i64::MAX) });
thread_local!(static MINE: Cell<Option<&'static Watched>> = const { Cell::new(None) });

/// Every thread that has ever carried out a rule; there are as many as there are cores.
static ALL: Mutex<Vec<&'static Watched>> = Mutex::new(Vec::new());
/// Milliseconds since the watchdog began, as of its last look.
static CLOCK: AtomicU64 = AtomicU64::new(1);
const LOOKS_EVERY: Duration = Duration::from_millis(20);

/// Gives the rules of this thread so much fuel.
pub fn refuel(fuel: i64) {
    FUEL.set(fuel);
}

/// Lets the rules of this thread run for so long, until [`finish`].
pub fn begin(wall: Duration) {
    let mine = MINE.get().unwrap_or_else(|| {
        // Kept for ever: the watchdog may look at it at any time, and a thread has only one.
        let mine: &'static Watched = Box::leak(Box::default());
        ALL.lock().unwrap_or_else(PoisonError::into_inner).push(mine);
        MINE.set(Some(mine));
        watch();
        mine
    });
    let due = CLOCK.load(Ordering::Relaxed).saturating_add(wall.as_millis() as u64);
    mine.due.store(due, Ordering::Relaxed);
}

/// The answer is given.
pub fn finish() {
    if let Some(mine) = MINE.get() {
        mine.due.store(0, Ordering::Relaxed);
    }
}

/// Starts the watchdog, once.
fn watch() {
    static STARTED: Once = Once::new();
    STARTED.call_once(|| {
        thread::spawn(|| {
            let began = Instant::now();
            loop {
                thread::sleep(LOOKS_EVERY);
                let now = 1 + began.elapsed().as_millis() as u64;
                CLOCK.store(now, Ordering::Relaxed);
                for watched in ALL.lock().unwrap_or_else(PoisonError::into_inner).iter() {
                    let due = watched.due.load(Ordering::Relaxed);
                    if due != 0 && now > due {
                        watched.passed.store(due, Ordering::Relaxed);
                    }
                }
            }
        });
    });
}

unsafe extern "C-unwind" fn interrupt(state: *mut ffi::lua_State, gc: c_int) {
    if gc >= 0 {
        return; // the collector is at work; an error here would break it
    }
    let left = FUEL.get() - 1;
    FUEL.set(left);
    // The clock is looked at now and then only: this is called more often than anything else.
    let stopped = || left & 0xF == 0 && MINE.get().is_some_and(Watched::is_stopped);
    if left < 0 || stopped() {
        let message = if left < 0 {
            c"the rule runs too long: it is out of fuel"
        } else {
            c"the rule takes too long: it was stopped by the clock"
        };
        // SAFETY: `state` is the running thread; no value with a destructor lives in this frame.
        unsafe {
            ffi::lua_pushstring(state, message.as_ptr());
            ffi::lua_error(state);
        }
    }
}

/// Installs the interrupt.
pub fn install(lua: &Lua) -> mlua::Result<()> {
    // SAFETY: sets one field of the callbacks of this Lua state.
    unsafe { lua.exec_raw::<()>((), |state| (*ffi::lua_callbacks(state)).interrupt = Some(interrupt)) }
}
