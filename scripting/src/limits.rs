//! What a rule may use up: fuel, which is the same on every machine, and wall time, which is not.
//!
//! Luau calls the interrupt at every loop turn and call. As a plain C function it costs about nothing; as a
//! closure it would halve the speed of rules. This is the one place with `unsafe` code.
#![allow(unsafe_code, reason = "a C callback that only decrements a counter")]

use std::{
    cell::Cell,
    ffi::c_int,
    sync::atomic::{AtomicBool, Ordering},
};

use mlua::{Lua, ffi};

thread_local!(static FUEL: Cell<i64> = const { Cell::new(i64::MAX) });
static STOP: AtomicBool = AtomicBool::new(false);

/// Gives the rules of this thread so much fuel.
pub fn refuel(fuel: i64) {
    FUEL.set(fuel);
}

/// Stops every rule of every thread at its next loop turn or call, or lets rules run again. A watchdog's last
/// word, where fuel does not see the time that a library call takes.
pub fn stop_all(stop: bool) {
    STOP.store(stop, Ordering::Relaxed);
}

unsafe extern "C-unwind" fn interrupt(state: *mut ffi::lua_State, gc: c_int) {
    if gc >= 0 {
        return; // the collector is at work; an error here would break it
    }
    let left = FUEL.get() - 1;
    FUEL.set(left);
    if left < 0 || STOP.load(Ordering::Relaxed) {
        let message = if left < 0 { c"the rule runs too long: it is out of fuel" } else { c"the rule was stopped" };
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
