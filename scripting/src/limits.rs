//! What a rule may use up: fuel, which is the same on every machine, and wall time, which is not.
//!
//! Luau calls the interrupt at every loop turn and call. As a plain C function it costs about nothing; as a
//! closure it would halve the speed of rules. This is the one file with `unsafe` code, so what looks into a function stands
//! here too.
//!
//! Fuel does not see the time that a call into the library takes. A watchdog, one thread for the whole program,
//! looks fifty times a second whether an answer has taken longer than it may, and stops that thread's rule.
#![allow(
    unsafe_code,
    reason = "a C callback that only decrements a counter, and a look at what a function has captured"
)]

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

use mlua::{FromLuaMulti, Function, Lua, ffi};

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

/// What rules may still use up.
#[derive(Debug, Clone, Copy)]
pub struct Left {
    /// Loop turns and calls.
    pub fuel: i64,
    /// Time on the clock.
    pub wall: Duration,
}

/// Lets the rules of this thread use up so much, until [`finish`].
pub fn begin(left: Left) {
    let mine = MINE.get().unwrap_or_else(|| {
        // Kept for ever: the watchdog may look at it at any time, and a thread has only one.
        let mine: &'static Watched = Box::leak(Box::default());
        ALL.lock().unwrap_or_else(PoisonError::into_inner).push(mine);
        MINE.set(Some(mine));
        watch();
        mine
    });
    FUEL.set(left.fuel);
    let due = CLOCK.load(Ordering::Relaxed).saturating_add(left.wall.as_millis() as u64);
    mine.due.store(due, Ordering::Relaxed);
}

/// The answer is given; hands back what is left. The engine's own Luau is not stopped.
pub fn finish() -> Left {
    let fuel = FUEL.replace(i64::MAX).max(0);
    let due = MINE.get().map_or(0, |mine| mine.due.swap(0, Ordering::Relaxed));
    Left { fuel, wall: Duration::from_millis(due.saturating_sub(CLOCK.load(Ordering::Relaxed))) }
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

/// What a Luau function has captured of the functions around it.
pub fn captured<R: FromLuaMulti>(lua: &Lua, function: &Function) -> mlua::Result<R> {
    // SAFETY: the function is the only value on the stack, there is room for as many as can be captured, and what is
    // left on it are values.
    unsafe {
        lua.exec_raw(function, |state| {
            const MOST_CAPTURED: c_int = 255;
            ffi::luaL_checkstack(state, MOST_CAPTURED + 1, c"captured".as_ptr());
            let is_native = ffi::lua_iscfunction(state, 1) != 0;
            let mut at = 1;
            while !is_native && !ffi::lua_getupvalue(state, 1, at).is_null() {
                at += 1;
            }
            ffi::lua_remove(state, 1);
        })
    }
}
