//! A limit on the memory of a worker: a mutant that allocates without end dies of it, and nothing else does.

use insyn_verdicts::protocol::MEMORY;

/// Sets the limit that whoever has started the process asks for. Where the system knows none, there is none.
pub(super) fn limit() {
    let Some(megabytes) = std::env::var(MEMORY).ok().and_then(|text| text.parse::<u64>().ok()) else {
        return;
    };
    set(megabytes << 20);
}

#[cfg(unix)]
fn set(bytes: u64) {
    let bytes = bytes as libc::rlim_t;
    let limit = libc::rlimit { rlim_cur: bytes, rlim_max: bytes };
    // SAFETY: it reads a structure that lives until it returns. If it fails, things are as they were.
    unsafe { libc::setrlimit(libc::RLIMIT_DATA, &raw const limit) };
}

#[cfg(not(unix))]
fn set(_: u64) {}
