//! What the engine and its workers ask of the operating system. `docs/systems.md` lists what each system provides, and what
//! is missing where a system does not.

use std::fs::File;
use std::io;
use std::path::Path;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

#[cfg(target_os = "linux")]
pub mod signals;

#[cfg(target_os = "linux")]
pub use signals::watch as watch_signals;

/// On other systems, a signal that a program raises itself cannot be distinguished from one that another process sends.
#[cfg(not(target_os = "linux"))]
pub fn watch_signals(_: fn(i32)) {}

/// Ends the process at once. No exit handler or destructor of the program runs, so none can keep the process from ending.
pub fn leave(code: i32) -> ! {
    #[cfg(unix)]
    // SAFETY: it has no preconditions and does not return.
    unsafe {
        libc::_exit(code)
    };
    #[cfg(not(unix))]
    std::process::exit(code)
}

/// Ends the process as soon as the thread that has started it is gone, whatever this process does; at once if the parent
/// has already changed. This holds for the lifetime of the calling thread. Where the system cannot do it, the process ends
/// when its requests do.
pub fn end_with(parent: u32) {
    #[cfg(target_os = "linux")]
    // SAFETY: it takes two numbers, and changes nothing but when this process gets a signal.
    unsafe {
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL as libc::c_ulong)
    };
    #[cfg(unix)]
    if std::os::unix::process::parent_id() != parent {
        leave(1);
    }
    #[cfg(not(unix))]
    let _ = parent;
}

/// The processor time that the process has used; none where the system does not report it.
pub fn processor_time() -> Option<Duration> {
    #[cfg(unix)]
    {
        let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: it writes to a structure that lives until it returns.
        let result = unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &raw mut time) };
        (result == 0).then(|| Duration::new(time.tv_sec as u64, time.tv_nsec as u32))
    }
    #[cfg(not(unix))]
    None
}

/// How many columns the terminal has that standard output goes to; none if that is no terminal, or the system does not say.
pub fn terminal_width() -> Option<usize> {
    #[cfg(unix)]
    {
        let mut size = libc::winsize { ws_row: 0, ws_col: 0, ws_xpixel: 0, ws_ypixel: 0 };
        // SAFETY: it writes to a structure that lives until it returns.
        let result = unsafe { libc::ioctl(libc::STDOUT_FILENO, libc::TIOCGWINSZ, &raw mut size) };
        (result == 0 && size.ws_col > 0).then_some(usize::from(size.ws_col))
    }
    #[cfg(not(unix))]
    None
}

/// Writes to standard error without its lock, which the program under test may hold forever.
pub fn shout(text: &str) {
    #[cfg(unix)]
    // SAFETY: it reads the bytes of a text that lives until it returns. What cannot be written is lost, as with any warning.
    unsafe {
        libc::write(libc::STDERR_FILENO, text.as_ptr().cast(), text.len())
    };
    #[cfg(not(unix))]
    drop(io::Write::write_all(&mut io::stderr(), text.as_bytes()));
}

/// Limits the memory of the process, and prevents core dumps: of hundreds of mutants, many die. On systems without such a
/// limit, memory is not limited.
pub fn limit_memory(bytes: u64) {
    LIMIT.store(bytes, Ordering::Relaxed);
    #[cfg(unix)]
    // A core of at most one byte is written nowhere, not even to a service that takes cores whatever their size.
    for (what, most) in [(libc::RLIMIT_DATA, bytes), (libc::RLIMIT_CORE, 1)] {
        let limit = libc::rlimit { rlim_cur: most as libc::rlim_t, rlim_max: most as libc::rlim_t };
        // SAFETY: it reads a structure that lives until it returns. If it fails, things are as they were.
        unsafe { libc::setrlimit(what, &raw const limit) };
    }
}

static LIMIT: AtomicU64 = AtomicU64::new(u64::MAX);

/// Whether the process shares more memory than it may have: shared memory does not count towards the limit of a process.
/// False where the system does not report it.
pub fn shares_too_much() -> bool {
    #[cfg(target_os = "linux")]
    {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("RssShmem:"));
        let kilobytes = line.and_then(|line| line.trim().strip_suffix("kB")?.trim_end().parse::<u64>().ok());
        kilobytes.is_some_and(|it| it << 10 > LIMIT.load(Ordering::Relaxed))
    }
    #[cfg(not(target_os = "linux"))]
    false
}

/// Takes standard input and standard output away from the program, and gives it empty ones instead. Processes that the
/// program starts do not inherit the original streams. Where the system cannot do it, the program keeps them.
pub fn take_streams() -> io::Result<(File, File)> {
    #[cfg(unix)]
    {
        use std::os::fd::AsFd;

        let (input, output) =
            (io::stdin().as_fd().try_clone_to_owned()?, io::stdout().as_fd().try_clone_to_owned()?);
        for (stream, write) in [(libc::STDIN_FILENO, false), (libc::STDOUT_FILENO, true)] {
            let nothing = File::options().read(!write).write(write).open("/dev/null")?;
            // SAFETY: both descriptors are open, and nothing owns the second one.
            if unsafe { libc::dup2(std::os::fd::AsRawFd::as_raw_fd(&nothing), stream) } == -1 {
                return Err(io::Error::last_os_error());
            }
        }
        Ok((input.into(), output.into()))
    }
    #[cfg(windows)]
    {
        use std::os::windows::io::AsHandle;

        let input = io::stdin().as_handle().try_clone_to_owned()?;
        let output = io::stdout().as_handle().try_clone_to_owned()?;
        Ok((input.into(), output.into()))
    }
    #[cfg(not(any(unix, windows)))]
    Err(io::ErrorKind::Unsupported.into())
}

/// Maps a file of just this size into memory, for the life of the process. None where the system cannot do it.
pub fn map(path: &Path, size: usize) -> Option<NonNull<u8>> {
    #[cfg(unix)]
    {
        use std::os::fd::AsRawFd;

        let file = File::options().read(true).write(true).open(path).ok()?;
        if file.metadata().ok()?.len() != size as u64 {
            return None;
        }
        let access = libc::PROT_READ | libc::PROT_WRITE;
        // SAFETY: a new mapping of a file that is open and as long as the mapping, at a place that the system chooses.
        let mapped =
            unsafe { libc::mmap(std::ptr::null_mut(), size, access, libc::MAP_SHARED, file.as_raw_fd(), 0) };
        if mapped == libc::MAP_FAILED { None } else { NonNull::new(mapped.cast()) }
    }
    #[cfg(not(unix))]
    {
        let _ = (path, size);
        None
    }
}
