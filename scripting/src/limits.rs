//! What a rule may use up: fuel and what it makes in memory, which are the same on every machine, and wall time, which is
//! not.
//!
//! Luau calls the interrupt at every loop turn and call. As a plain C function it costs about nothing; as a
//! closure it would halve the speed of rules. This is the one file with `unsafe` code, so what looks into a function,
//! or at the stack of a rule that has failed, stands here too.
//!
//! What is made is counted whether anybody still needs it or not: how much of it has been collected hangs on what ran
//! before, and a rule is to fail in every game or in none. It is counted as it is made, and the next interrupt stops the
//! rule.
//!
//! Fuel does not see all the time that a call into the library takes. A watchdog, one thread for the whole program,
//! looks fifty times a second whether an answer has taken longer than it may, and stops that thread's rule.
#![allow(
    unsafe_code,
    reason = "C callbacks that decrement a counter or look at a stack, and a look at what a function has captured"
)]

use std::{
    cell::{Cell, RefCell},
    ffi::{CStr, c_char, c_int, c_void},
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
// Bytes that may still be made; less than nothing once there is too much.
thread_local!(static ROOM: Cell<i64> = const { Cell::new(i64::MAX) });
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
    /// Bytes that it makes, and no text that is longer than [`LONGEST_TEXT`].
    pub room: i64,
    /// Time on the clock.
    pub wall: Duration,
}

/// A rule that makes a longer text is stopped, in bytes: texts are compared and read as numbers where fuel does not see it.
pub const LONGEST_TEXT: usize = 16 << 10;
/// The room of a rule that has made one.
const TOO_LONG: i64 = i64::MIN;

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
    ROOM.set(left.room);
    let due = CLOCK.load(Ordering::Relaxed).saturating_add(left.wall.as_millis() as u64);
    mine.due.store(due, Ordering::Relaxed);
}

/// The answer is given; hands back what is left. The engine's own Luau is not stopped.
pub fn finish() -> Left {
    let fuel = FUEL.replace(i64::MAX).max(0);
    let room = ROOM.replace(i64::MAX);
    let due = MINE.get().map_or(0, |mine| mine.due.swap(0, Ordering::Relaxed));
    Left { fuel, room, wall: Duration::from_millis(due.saturating_sub(CLOCK.load(Ordering::Relaxed))) }
}

/// Counts what takes as long as so many calls.
pub fn charge(calls: i64) {
    FUEL.set(FUEL.get().saturating_sub(calls));
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
        let room = ROOM.get();
        let message = if room == TOO_LONG {
            c"the rule makes a text of more than 16384 bytes"
        } else if room < 0 {
            c"the rule makes more lists and texts than it has memory for"
        } else if left < 0 {
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

/// Something has been made, or made larger.
unsafe extern "C-unwind" fn made(
    _: *mut ffi::lua_State,
    _: *mut c_void,
    _: usize,
    bytes: usize,
    _: u8,
    kind: c_int,
    _: c_int,
) {
    let room = ROOM.get();
    let left = room.saturating_sub_unsigned(bytes as u64);
    let is_long = kind == ffi::LUA_TSTRING && bytes > LONGEST_TEXT && room < i64::MAX / 2;
    ROOM.set(if is_long { TOO_LONG } else { left });
    if left < 0 || is_long {
        // An error here would lose what has just been made; the interrupt comes soon.
        FUEL.set(0);
    }
}

/// Installs the interrupt, the count of what is made, and the look at the stack of a rule that has failed.
pub fn install(lua: &Lua) -> mlua::Result<()> {
    // SAFETY: sets three fields of the callbacks of this Lua state.
    unsafe {
        lua.exec_raw::<()>((), |state| {
            let callbacks = ffi::lua_callbacks(state);
            (*callbacks).interrupt = Some(interrupt);
            (*callbacks).onallocate = Some(made);
            (*callbacks).postresume = Some(resumed);
        })
    }
}

/// A function that was being carried out when a rule failed.
#[derive(Debug)]
pub struct Frame {
    /// Its file.
    pub file: String,
    /// The line it had come to.
    pub line: usize,
    /// Its name, where it has one.
    pub name: String,
    /// Its locals and what they held.
    pub locals: Vec<(String, String)>,
}

thread_local!(static FAILED: RefCell<Vec<Frame>> = const { RefCell::new(Vec::new()) });

/// The functions that were being carried out when a rule of this thread failed last, the innermost first; once.
pub fn failed() -> Vec<Frame> {
    FAILED.take()
}

/// After a rule has failed its stack still stands: Luau calls this before anything unwinds it. Nothing here takes memory
/// of Luau's, of which there may be none left.
unsafe extern "C-unwind" fn resumed(state: *mut ffi::lua_State) {
    const MOST_FRAMES: usize = 10;
    const MOST_LOCALS: c_int = 12;
    // SAFETY: the thread stands still; one value at a time is put on its stack, for which Luau always keeps room, and
    // taken off again. What is pointed to belongs to functions on that stack.
    unsafe {
        // How far a rule comes before memory runs out is not the same on every machine.
        if matches!(ffi::lua_status(state), ffi::LUA_OK | ffi::LUA_YIELD | ffi::LUA_ERRMEM) {
            return;
        }
        let mut frames = Vec::new();
        for level in 0..200 {
            let mut about: ffi::lua_Debug = std::mem::zeroed();
            if frames.len() == MOST_FRAMES || ffi::lua_getinfo(state, level, c"sln".as_ptr(), &mut about) == 0 {
                break;
            }
            let file = text(about.short_src);
            if !file.ends_with(".luau") {
                continue; // the engine's own
            }
            let mut locals = Vec::new();
            for at in 1..=MOST_LOCALS {
                let name = ffi::lua_getlocal(state, level, at);
                if name.is_null() {
                    break;
                }
                locals.push((text(name), value(state)));
                ffi::lua_settop(state, -2);
            }
            locals.retain(|(name, _)| !name.starts_with('('));
            let line = usize::try_from(about.currentline).unwrap_or(0);
            frames.push(Frame { file, line, name: text(about.name), locals });
        }
        FAILED.set(frames);
    }
}

/// A text of Luau's; empty for none.
unsafe fn text(text: *const c_char) -> String {
    // SAFETY: Luau's own texts end with a zero.
    if text.is_null() { String::new() } else { unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned() }
}

/// The value on top of the stack in words, of what has none its kind.
unsafe fn value(state: *mut ffi::lua_State) -> String {
    const MOST: usize = 40;
    // SAFETY: each is asked of a value of its own kind, so that nothing is converted.
    unsafe {
        match ffi::lua_type(state, -1) {
            ffi::LUA_TNIL => "nil".into(),
            ffi::LUA_TBOOLEAN => (ffi::lua_toboolean(state, -1) != 0).to_string(),
            ffi::LUA_TNUMBER => ffi::lua_tonumber(state, -1).to_string(),
            ffi::LUA_TSTRING => {
                let mut length = 0;
                let start = ffi::lua_tolstring(state, -1, &mut length);
                let said = std::slice::from_raw_parts(start.cast::<u8>(), length.min(4 * MOST));
                let said: String = String::from_utf8_lossy(said).chars().take(MOST).collect();
                format!("{said:?}")
            }
            kind => text(ffi::lua_typename(state, kind)),
        }
    }
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
