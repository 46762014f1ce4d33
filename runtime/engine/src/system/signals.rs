//! Signals that end a process, and whether another process has sent them. Linux reports the sender of each signal.

use std::mem::{self, MaybeUninit};
use std::sync::OnceLock;

use libc::{c_int, c_void, sigaction, siginfo_t};

/// A handler: it is called with a signal, its origin, and the registers of the thread that it interrupts.
pub type Handler = extern "C" fn(c_int, *mut siginfo_t, *mut c_void);

/// Handles a signal on the alternate stack of its thread. Returns how it was handled before.
///
/// # Safety
/// The handler does nothing but what signal handlers may do.
pub unsafe fn handle(signal: c_int, handler: Handler) -> sigaction {
    // SAFETY: all zeroes are an action, and it is completed before it is used.
    let [mut action, mut previous]: [sigaction; 2] = unsafe { MaybeUninit::zeroed().assume_init() };
    action.sa_sigaction = handler as usize;
    action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
    // SAFETY: both structures live until it returns; the caller vouches for the handler.
    unsafe { libc::sigaction(signal, &raw const action, &raw mut previous) };
    previous
}

/// Restores the previous handling of a signal. For use in a handler.
pub fn forward(previous: Option<&sigaction>, signal: c_int, info: *mut siginfo_t, context: *mut c_void) {
    match previous {
        // A fault cannot be ignored.
        Some(it) if !matches!(it.sa_sigaction, libc::SIG_DFL | libc::SIG_IGN) => {
            // SAFETY: the system has reported that this is how the signal was handled; the flags determine which signature
            // it has.
            unsafe {
                if it.sa_flags & libc::SA_SIGINFO != 0 {
                    mem::transmute::<usize, Handler>(it.sa_sigaction)(signal, info, context);
                } else {
                    mem::transmute::<usize, extern "C" fn(c_int)>(it.sa_sigaction)(signal);
                }
            }
        }
        _ => die_of(signal),
    }
}

/// Ends the process by a signal. The signal is blocked while it is handled, so it ends the process when the handler
/// returns.
fn die_of(signal: c_int) {
    // SAFETY: a handler may call both.
    unsafe {
        libc::signal(signal, libc::SIG_DFL);
        libc::raise(signal);
    }
}

/// The signals that may follow from what a program does: it aborts, or the processor faults.
const OWN: [c_int; 6] =
    [libc::SIGABRT, libc::SIGBUS, libc::SIGFPE, libc::SIGILL, libc::SIGSEGV, libc::SIGTRAP];

static NOTE: OnceLock<fn(i32)> = OnceLock::new();
static PREVIOUS: OnceLock<[sigaction; 6]> = OnceLock::new();

/// From now on, a signal that may follow from what a program does ends the process if another process has sent it, and
/// `note` is called with it before. `note` does nothing but what signal handlers may do. A signal that the program itself
/// causes is handled as before.
pub fn watch(note: fn(i32)) {
    let _ = NOTE.set(note);
    // SAFETY: the handler reads what was set before, stores, and calls what handlers may call.
    PREVIOUS.get_or_init(|| OWN.map(|signal| unsafe { handle(signal, sort) }));
}

extern "C" fn sort(signal: c_int, info: *mut siginfo_t, context: *mut c_void) {
    // SAFETY: the system passes the origin of the signal. The sender is part of that if another process, or this one, has
    // sent it.
    let is_sent = unsafe {
        matches!((*info).si_code, libc::SI_USER | libc::SI_QUEUE | libc::SI_TKILL)
            && (*info).si_pid() != libc::getpid()
    };
    if is_sent {
        if let Some(note) = NOTE.get() {
            note(signal);
        }
        return die_of(signal);
    }
    let previous = OWN.iter().position(|own| *own == signal).and_then(|n| PREVIOUS.get()?.get(n));
    forward(previous, signal, info, context);
}
