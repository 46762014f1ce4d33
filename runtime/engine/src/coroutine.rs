//! Threads under test as stackful coroutines on pooled stacks. The only file that touches the coroutine library.
//!
//! A [`Coroutine`] runs a closure on a stack of its own until the closure calls [`suspend`]; [`Coroutine::resume`]
//! goes on from there. Stacks come from a [`Stacks`] pool and go back to it, so that starting a thread costs a few
//! nanoseconds once the pool is warm.

use std::cell::Cell;
use std::io;
use std::ptr;
use std::sync::{Mutex, PoisonError};

use corosensei::stack::{DefaultStack, StackPointer};
use corosensei::trap::CoroutineTrapHandler;
use corosensei::{CoroutineResult, Yielder};

/// Why a coroutine stopped running.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Left {
    /// It called [`suspend`] and can be resumed.
    Suspended,
    /// Its closure returned.
    Finished,
    /// Its stack overflowed; it was abandoned at that point.
    Overflowed,
}

/// What a coroutine returns: whether its stack overflowed.
type Overflow = bool;
type Inner = corosensei::Coroutine<(), (), Overflow, Stack>;
type Suspender = Yielder<(), ()>;

/// What an OS thread knows of the coroutine that runs on it. One thread-local, since finding it costs more than using it.
struct Running {
    suspender: Cell<*const Suspender>,
    /// For the signal handler: where the running coroutine's stack lies, and how to leave it.
    handler: Cell<*const CoroutineTrapHandler<Overflow>>,
}

thread_local! {
    static RUNNING: Running = const { Running { suspender: Cell::new(ptr::null()), handler: Cell::new(ptr::null()) } };
}

/// A closure that runs on a stack of its own.
pub struct Coroutine {
    inner: Inner,
    suspender: *const Suspender,
}

impl Coroutine {
    /// A coroutine that will run `body` when first resumed.
    ///
    /// # Safety
    /// `body` must not unwind, and what it borrows must outlive the coroutine.
    pub unsafe fn new<F: FnOnce()>(stack: Stack, body: F) -> Self {
        // SAFETY: the caller vouches for what `body` borrows.
        let inner = unsafe {
            Inner::with_stack_unchecked(stack, move |suspender: &Suspender, ()| {
                RUNNING.with(|running| running.suspender.set(suspender));
                body();
                false
            })
        };
        Coroutine { inner, suspender: ptr::null() }
    }

    /// Runs on until the closure suspends or returns.
    #[inline]
    pub fn resume(&mut self) -> Left {
        let handler = self.inner.trap_handler();
        // A coroutine stays on the OS thread that it was started on, so the variable is the same one afterwards.
        let (result, suspender) = RUNNING.with(|running| {
            running.suspender.set(self.suspender);
            running.handler.set(&raw const handler);
            let result = self.inner.resume(());
            running.handler.set(ptr::null());
            (result, running.suspender.replace(ptr::null()))
        });
        match result {
            CoroutineResult::Yield(()) => {
                self.suspender = suspender;
                Left::Suspended
            }
            CoroutineResult::Return(false) => Left::Finished,
            CoroutineResult::Return(true) => Left::Overflowed,
        }
    }

    /// Whether its closure has returned, or its stack has overflowed.
    pub fn is_finished(&self) -> bool {
        self.inner.done()
    }

    /// Takes the stack back from a coroutine that has finished.
    pub(crate) fn into_stack(self) -> Stack {
        self.inner.into_stack()
    }

    /// Gives up a suspended coroutine where it is: nothing on its stack is dropped.
    pub(crate) fn abandon(mut self) -> Stack {
        // SAFETY: what lives on the stack is leaked. Nothing will use it again: the execution that the coroutine
        // belonged to is over, and scoped children have been ended before their owners.
        unsafe { self.inner.force_reset() };
        self.inner.into_stack()
    }
}

/// Leaves the running coroutine; returns when it is resumed.
///
/// # Panics
/// If no coroutine is running on this OS thread.
#[inline]
pub(crate) fn suspend() {
    let suspender = RUNNING.with(|running| running.suspender.get());
    assert!(!suspender.is_null(), "suspend outside a coroutine");
    // SAFETY: the pointer was set when this coroutine was last resumed and lives on its stack, which is the one we
    // are running on.
    unsafe { (*suspender).suspend(()) };
}

/// A stack that begins somewhere in its first page.
///
/// Memory for stacks begins at page boundaries. So the first bytes of each stack, which are used most, would all have the
/// same offset in their page; and a cache, which finds its lines by that offset, holds only a few of them at a time.
///
/// Boxed, since it is passed around for each thread, and one word is passed in a register.
pub struct Stack(Box<Memory>);

struct Memory {
    all: DefaultStack,
    base: StackPointer,
}

/// The difference between the offsets at which the stacks of two consecutive threads begin.
const SHIFT: usize = 1088;

const PAGE: usize = 4096;

/// No system has more memory than this, and larger sizes would overflow in the library.
const LARGEST: usize = isize::MAX as usize / 2;

impl Stack {
    fn new(size: usize) -> io::Result<Self> {
        let all = DefaultStack::new(size.min(LARGEST) + PAGE)?;
        Ok(Stack(Box::new(Memory { base: corosensei::stack::Stack::base(&all), all })))
    }

    /// The same memory for the `n`-th thread that another starts. How deep its stack can grow is then the same in every
    /// execution, whichever thread had the memory before.
    #[inline]
    pub(crate) fn of_thread(mut self, n: u32) -> Self {
        // Less than the page that was added.
        let shift = n as usize * SHIFT % PAGE;
        let base = corosensei::stack::Stack::base(&self.0.all).get() - shift;
        self.0.base = StackPointer::new(base).expect("memory does not begin at zero");
        self
    }
}

// SAFETY: it is a part of the memory, at least as large as was asked for, down to the guard page below it.
unsafe impl corosensei::stack::Stack for Stack {
    #[inline]
    fn base(&self) -> StackPointer {
        self.0.base
    }

    #[inline]
    fn limit(&self) -> StackPointer {
        self.0.all.limit()
    }

    #[cfg(windows)]
    fn teb_fields(&self) -> corosensei::stack::StackTebFields {
        self.0.all.teb_fields()
    }

    #[cfg(windows)]
    fn update_teb_fields(&mut self, stack_limit: usize, guaranteed_stack_bytes: usize) {
        self.0.all.update_teb_fields(stack_limit, guaranteed_stack_bytes);
    }
}

/// A worker's pool of stacks of one size. When the worker is done its stacks wait for the next one.
pub(crate) struct Stacks {
    size: usize,
    free: Vec<Stack>,
}

/// Stacks, with their size, that no worker uses. A fresh stack costs as much as several short executions.
static IDLE: Mutex<Vec<(usize, Stack)>> = Mutex::new(Vec::new());

/// How many stacks are kept for later.
const MOST_IDLE: usize = 64;

impl Stacks {
    pub(crate) fn new(size: usize) -> Self {
        Stacks { size, free: Vec::new() }
    }

    #[inline]
    pub(crate) fn take(&mut self) -> io::Result<Stack> {
        match self.free.pop() {
            Some(stack) => Ok(stack),
            None => self.another(),
        }
    }

    #[cold]
    #[inline(never)]
    fn another(&self) -> io::Result<Stack> {
        let mut idle = IDLE.lock().unwrap_or_else(PoisonError::into_inner);
        match idle.iter().position(|(size, _)| *size == self.size) {
            Some(at) => Ok(idle.swap_remove(at).1),
            None => Stack::new(self.size),
        }
    }

    #[inline]
    pub(crate) fn give(&mut self, stack: Stack) {
        self.free.push(stack);
    }
}

impl Drop for Stacks {
    fn drop(&mut self) {
        let mut idle = IDLE.lock().unwrap_or_else(PoisonError::into_inner);
        let room = MOST_IDLE.saturating_sub(idle.len());
        idle.extend(self.free.drain(..).take(room).map(|stack| (self.size, stack)));
    }
}

#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
pub use overflow::watch;

/// Elsewhere a stack overflow ends the process, as it does outside insyn.
#[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))))]
pub fn watch() {}

/// Catches stack overflow in a coroutine and turns it into [`Left::Overflowed`].
///
/// The page below each stack is unmapped, so overflow is a fault at an address close to the stack pointer. The handler,
/// which runs on an alternate stack, then makes the coroutine return at once; what was on its stack is leaked. Every other
/// fault goes to the previous handler.
#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod overflow {
    use super::*;
    use std::sync::OnceLock;

    use corosensei::trap::TrapHandlerRegs;

    use crate::system::signals;

    static PREVIOUS: OnceLock<[libc::sigaction; 2]> = OnceLock::new();
    const SIGNALS: [libc::c_int; 2] = [libc::SIGSEGV, libc::SIGBUS];

    /// How far from the stack pointer an overflowing frame may touch.
    const REACH: usize = 64 * 1024;

    /// Makes sure that overflow is caught. (The standard library gives every thread it starts an alternate signal
    /// stack to handle it on; insyn's workers are such threads.)
    pub fn watch() {
        // SAFETY: the handler reads thread-locals that need no initialisation and rewrites the interrupted registers.
        PREVIOUS.get_or_init(|| SIGNALS.map(|signal| unsafe { signals::handle(signal, handle) }));
    }

    extern "C" fn handle(signal: libc::c_int, info: *mut libc::siginfo_t, context: *mut libc::c_void) {
        let running = RUNNING.with(|running| running.handler.get());
        if !running.is_null() {
            // SAFETY: `RUNNING` points into the frame of `Coroutine::resume` that is waiting for this coroutine;
            // the kernel passes valid `info` and `context`.
            unsafe {
                let address = (*info).si_addr() as usize;
                let sp = stack_pointer(context);
                // A fault far from the stack pointer is some other bad access, which the previous handler reports.
                if address.abs_diff(sp) < REACH && (*running).stack_ptr_in_bounds(sp) {
                    let regs = (*running).setup_trap_handler(|| true);
                    set_registers(context, regs);
                    return;
                }
            }
        }
        let previous = SIGNALS.iter().position(|it| *it == signal).and_then(|n| PREVIOUS.get()?.get(n));
        signals::forward(previous, signal, info, context);
    }

    #[cfg(target_arch = "x86_64")]
    unsafe fn stack_pointer(context: *mut libc::c_void) -> usize {
        // SAFETY: the kernel passes a `ucontext_t`.
        unsafe { (*context.cast::<libc::ucontext_t>()).uc_mcontext.gregs[libc::REG_RSP as usize] as usize }
    }

    #[cfg(target_arch = "x86_64")]
    unsafe fn set_registers(context: *mut libc::c_void, regs: TrapHandlerRegs) {
        // SAFETY: as above; these are the registers the library asks to be set.
        unsafe {
            let gregs = &mut (*context.cast::<libc::ucontext_t>()).uc_mcontext.gregs;
            gregs[libc::REG_RIP as usize] = regs.rip as i64;
            gregs[libc::REG_RSP as usize] = regs.rsp as i64;
            gregs[libc::REG_RBP as usize] = regs.rbp as i64;
            gregs[libc::REG_RDI as usize] = regs.rdi as i64;
            gregs[libc::REG_RSI as usize] = regs.rsi as i64;
        }
    }

    #[cfg(target_arch = "aarch64")]
    unsafe fn stack_pointer(context: *mut libc::c_void) -> usize {
        // SAFETY: the kernel passes a `ucontext_t`.
        unsafe { (*context.cast::<libc::ucontext_t>()).uc_mcontext.sp as usize }
    }

    #[cfg(target_arch = "aarch64")]
    unsafe fn set_registers(context: *mut libc::c_void, regs: TrapHandlerRegs) {
        // SAFETY: as above; these are the registers the library asks to be set.
        unsafe {
            let m = &mut (*context.cast::<libc::ucontext_t>()).uc_mcontext;
            m.pc = regs.pc;
            m.sp = regs.sp;
            m.regs[29] = regs.x29;
            m.regs[30] = regs.lr;
            m.regs[0] = regs.x0;
            m.regs[1] = regs.x1;
        }
    }
}
