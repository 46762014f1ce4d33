//! Selection among operations that are not known before the program runs.

use std::fmt;
use std::panic::Location;
use std::time::Duration;

use ::crossbeam_channel as real;
use real::{ReadyTimeoutError, SelectTimeoutError, TryReadyError, TrySelectError};

use super::moment::{self, Instant, Limit};
use super::operation::{Handle, SelectedOperation, Token, Where};
use super::receiver::Receiver;
use super::sender::Sender;
use super::timer::{select_within, wait_in_vain};
use insyn_engine::Place;
use insyn_engine::access::refuse_to_block;
use insyn_engine::channels::{Arm, Got, Selected};
use insyn_engine::ids::ExecutionId;

/// Waits for one of several operations. See `crossbeam_channel::Select`.
///
/// ```
/// use insyn::crossbeam_channel::{Select, unbounded};
///
/// let (s, r) = unbounded();
/// let (_s, never_sent) = unbounded::<u32>();
/// s.send(1).unwrap();
///
/// let mut select = Select::new();
/// let first = select.recv(&r);
/// select.recv(&never_sent);
/// let operation = select.select();
/// assert_eq!(operation.index(), first);
/// assert_eq!(operation.recv(&r), Ok(1));
/// ```
pub struct Select<'a> {
    /// In the order of preference.
    operations: Vec<Operation<'a>>,
    next_index: usize,
    biased: bool,
}

#[derive(Clone, Copy)]
struct Operation<'a> {
    index: usize,
    handle: &'a dyn Handle,
    /// The handle that must be used to complete it.
    address: *const u8,
}

// SAFETY: a select records which channels its operations are on and nothing more: messages move through the handles
// themselves, with whatever their types require.
unsafe impl Send for Select<'_> {}
// SAFETY: as above.
unsafe impl Sync for Select<'_> {}

impl<'a> Select<'a> {
    /// No operation yet; if several are ready, any may be chosen. See `crossbeam_channel::Select::new`.
    ///
    /// ```
    /// let mut select = insyn::crossbeam_channel::Select::new();
    /// assert!(select.try_select().is_err());
    /// ```
    pub fn new() -> Select<'a> {
        Select { operations: Vec::with_capacity(4), next_index: 0, biased: false }
    }

    /// No operation yet; if several are ready, the first is chosen. See `crossbeam_channel::Select::new_biased`.
    ///
    /// ```
    /// use insyn::crossbeam_channel::{Select, unbounded};
    ///
    /// let (s, r) = unbounded();
    /// s.send(1).unwrap();
    /// let mut select = Select::new_biased();
    /// let first = select.recv(&r);
    /// select.send(&s);
    /// assert_eq!(select.ready(), first);
    /// ```
    pub fn new_biased() -> Self {
        Select { biased: true, ..Select::new() }
    }

    fn add(&mut self, handle: &'a dyn Handle, address: *const u8) -> usize {
        let index = self.next_index;
        self.operations.push(Operation { index, handle, address });
        self.next_index += 1;
        index
    }

    /// Adds a send and returns its index. See `crossbeam_channel::Select::send`.
    ///
    /// ```
    /// use insyn::crossbeam_channel::{Select, bounded};
    ///
    /// let (s, r) = bounded(1);
    /// let mut select = Select::new();
    /// assert_eq!(select.send(&s), 0);
    /// assert_eq!(select.select().send(&s, "hello"), Ok(()));
    /// assert_eq!(r.recv(), Ok("hello"));
    /// ```
    pub fn send<T>(&mut self, s: &'a Sender<T>) -> usize {
        self.add(s, (&raw const *s).cast())
    }

    /// Adds a receive and returns its index. See `crossbeam_channel::Select::recv`.
    ///
    /// ```
    /// use insyn::crossbeam_channel::{Select, unbounded};
    ///
    /// let (s, r) = unbounded();
    /// s.send(1).unwrap();
    /// let mut select = Select::new();
    /// assert_eq!(select.recv(&r), 0);
    /// assert_eq!(select.select().recv(&r), Ok(1));
    /// ```
    pub fn recv<T>(&mut self, r: &'a Receiver<T>) -> usize {
        self.add(r, (&raw const *r).cast())
    }

    /// Removes an operation. See `crossbeam_channel::Select::remove`.
    ///
    /// ```
    /// use insyn::crossbeam_channel::{Select, unbounded};
    ///
    /// let (s, r) = unbounded();
    /// s.send(1).unwrap();
    /// let mut select = Select::new();
    /// let first = select.recv(&r);
    /// select.remove(first);
    /// assert!(select.try_select().is_err());
    /// ```
    ///
    /// # Panics
    /// If there is no operation with this number.
    #[track_caller]
    pub fn remove(&mut self, index: usize) {
        assert!(index < self.next_index, "index out of bounds; {} >= {}", index, self.next_index);
        let at = self.operations.iter().position(|o| o.index == index);
        self.operations.swap_remove(at.expect("no operation with this index"));
    }

    /// Chooses an operation that is ready now. See `crossbeam_channel::Select::try_select`.
    ///
    /// ```
    /// use insyn::crossbeam_channel::{Select, unbounded};
    ///
    /// let (s, r) = unbounded();
    /// let mut select = Select::new();
    /// select.recv(&r);
    /// assert!(select.try_select().is_err());
    /// s.send(1).unwrap();
    /// assert_eq!(select.try_select().unwrap().recv(&r), Ok(1));
    /// ```
    ///
    /// # Errors
    /// If none is.
    #[track_caller]
    pub fn try_select(&mut self) -> Result<SelectedOperation<'a>, TrySelectError> {
        self.choose(Limit::Now, Location::caller()).ok_or(TrySelectError)
    }

    /// Waits for an operation to be ready, and chooses it. See `crossbeam_channel::Select::select`.
    ///
    /// # Panics
    /// If there is no operation.
    #[track_caller]
    pub fn select(&mut self) -> SelectedOperation<'a> {
        self.check_not_empty();
        self.choose(Limit::None, Location::caller()).expect("it waits for good")
    }

    /// As [`select`](Self::select), but waits no longer than this. See `crossbeam_channel::Select::select_timeout`.
    ///
    /// ```
    /// use insyn::crossbeam_channel::{Select, unbounded};
    /// use std::time::Duration;
    ///
    /// let (_s, r) = unbounded::<()>();
    /// let mut select = Select::new();
    /// select.recv(&r);
    /// assert!(select.select_timeout(Duration::from_millis(1)).is_err());
    /// ```
    ///
    /// # Errors
    /// If none was ready in time.
    #[track_caller]
    pub fn select_timeout(&mut self, timeout: Duration) -> Result<SelectedOperation<'a>, SelectTimeoutError> {
        self.choose(Limit::For(timeout), Location::caller()).ok_or(SelectTimeoutError)
    }

    /// As [`select`](Self::select), but waits no longer than until `deadline`. See
    /// `crossbeam_channel::Select::select_deadline`.
    ///
    /// ```
    /// use insyn::crossbeam_channel::{Select, unbounded};
    /// use insyn::std::time::Instant;
    ///
    /// let (_s, r) = unbounded::<()>();
    /// let mut select = Select::new();
    /// select.recv(&r);
    /// assert!(select.select_deadline(Instant::now()).is_err());
    /// ```
    ///
    /// # Errors
    /// If none was ready in time.
    #[track_caller]
    pub fn select_deadline(
        &mut self,
        deadline: Instant,
    ) -> Result<SelectedOperation<'a>, SelectTimeoutError> {
        self.choose(Limit::Until(deadline), Location::caller()).ok_or(SelectTimeoutError)
    }

    /// The index of an operation that is ready now. Another thread may carry it out first. See
    /// `crossbeam_channel::Select::try_ready`.
    ///
    /// ```
    /// use insyn::crossbeam_channel::{Select, TryReadyError, unbounded};
    ///
    /// let (s, r) = unbounded();
    /// let mut select = Select::new();
    /// select.recv(&r);
    /// assert_eq!(select.try_ready(), Err(TryReadyError));
    /// s.send(1).unwrap();
    /// assert_eq!(select.try_ready(), Ok(0));
    /// ```
    ///
    /// # Errors
    /// If none is.
    #[track_caller]
    pub fn try_ready(&mut self) -> Result<usize, TryReadyError> {
        self.find_ready(Limit::Now, Location::caller()).ok_or(TryReadyError)
    }

    /// Waits for an operation to be ready and returns its index. See `crossbeam_channel::Select::ready`.
    ///
    /// # Panics
    /// If there is no operation.
    #[track_caller]
    pub fn ready(&mut self) -> usize {
        self.check_not_empty();
        self.find_ready(Limit::None, Location::caller()).expect("it waits for good")
    }

    /// As [`ready`](Self::ready), but waits no longer than this. See `crossbeam_channel::Select::ready_timeout`.
    ///
    /// ```
    /// use insyn::crossbeam_channel::{ReadyTimeoutError, Select, unbounded};
    /// use std::time::Duration;
    ///
    /// let (_s, r) = unbounded::<()>();
    /// let mut select = Select::new();
    /// select.recv(&r);
    /// assert_eq!(select.ready_timeout(Duration::from_millis(1)), Err(ReadyTimeoutError));
    /// ```
    ///
    /// # Errors
    /// If none was ready in time.
    #[track_caller]
    pub fn ready_timeout(&mut self, timeout: Duration) -> Result<usize, ReadyTimeoutError> {
        self.find_ready(Limit::For(timeout), Location::caller()).ok_or(ReadyTimeoutError)
    }

    /// As [`ready`](Self::ready), but waits no longer than until `deadline`. See
    /// `crossbeam_channel::Select::ready_deadline`.
    ///
    /// ```
    /// use insyn::crossbeam_channel::{ReadyTimeoutError, Select, unbounded};
    /// use insyn::std::time::Instant;
    ///
    /// let (_s, r) = unbounded::<()>();
    /// let mut select = Select::new();
    /// select.recv(&r);
    /// assert_eq!(select.ready_deadline(Instant::now()), Err(ReadyTimeoutError));
    /// ```
    ///
    /// # Errors
    /// If none was ready in time.
    #[track_caller]
    pub fn ready_deadline(&mut self, deadline: Instant) -> Result<usize, ReadyTimeoutError> {
        self.find_ready(Limit::Until(deadline), Location::caller()).ok_or(ReadyTimeoutError)
    }

    #[track_caller]
    fn check_not_empty(&self) {
        assert!(!self.operations.is_empty(), "no operations have been added to `Select`");
    }

    #[track_caller]
    fn choose(&mut self, limit: Limit, place: Place) -> Option<SelectedOperation<'a>> {
        match self.realm() {
            Realm::Nowhere => {
                wait_in_vain(limit, place);
                None
            }
            Realm::Real => {
                let mut select = self.really();
                let found = match select.try_select() {
                    Ok(found) => found,
                    Err(TrySelectError) => {
                        refuse_to_wait(limit);
                        match limit {
                            Limit::Now => None,
                            Limit::None => Some(select.select()),
                            Limit::For(timeout) => select.select_timeout(timeout).ok(),
                            Limit::Until(deadline) => select.select_deadline(moment::to_real(deadline)).ok(),
                        }?
                    }
                };
                let index = self.operations[found.index()].index;
                Some(SelectedOperation::real(index, found))
            }
            Realm::Controlled(execution) => {
                let (arms, operations) = self.controlled();
                let selected = select_within(execution, &arms, limit, false, self.biased, place);
                let Selected::Arm { index, got } = selected else { return None };
                let Operation { index, handle, address } = *operations[index];
                let token = match got {
                    Got::Put(event) => Token::Put(event),
                    Got::Message(event) => handle.delivered(event),
                    Got::Disconnected | Got::Ready => Token::Disconnected,
                };
                Some(SelectedOperation::controlled(index, execution, address, token))
            }
        }
    }

    #[track_caller]
    fn find_ready(&mut self, limit: Limit, place: Place) -> Option<usize> {
        match self.realm() {
            Realm::Nowhere => {
                wait_in_vain(limit, place);
                None
            }
            Realm::Real => {
                let mut select = self.really();
                let found = match select.try_ready() {
                    Ok(found) => found,
                    Err(TryReadyError) => {
                        refuse_to_wait(limit);
                        match limit {
                            Limit::Now => None,
                            Limit::None => Some(select.ready()),
                            Limit::For(timeout) => select.ready_timeout(timeout).ok(),
                            Limit::Until(deadline) => select.ready_deadline(moment::to_real(deadline)).ok(),
                        }?
                    }
                };
                Some(self.operations[found].index)
            }
            Realm::Controlled(execution) => {
                let (arms, operations) = self.controlled();
                match select_within(execution, &arms, limit, true, self.biased, place) {
                    Selected::Arm { index, got } => {
                        let Operation { index, handle, .. } = *operations[index];
                        handle.seen_ready(got);
                        Some(index)
                    }
                    Selected::Otherwise => None,
                }
            }
        }
    }

    /// Where the operations are to be carried out.
    ///
    /// # Panics
    /// If some are under control and others are not.
    #[track_caller]
    fn realm(&self) -> Realm {
        let mut realm = Realm::Nowhere;
        for operation in &self.operations {
            let its = match operation.handle.place() {
                Where::Never => continue,
                Where::Real => Realm::Real,
                Where::Controlled { execution, .. } => Realm::Controlled(execution),
            };
            assert!(
                realm == Realm::Nowhere || realm == its,
                "insyn: a select over channels of which some were made outside the program under test, or in \
                 another execution of it"
            );
            realm = its;
        }
        realm
    }

    /// The same operations on the real channels, numbered by their place in `operations`.
    fn really(&self) -> real::Select<'a> {
        let mut select = if self.biased { real::Select::new_biased() } else { real::Select::new() };
        for operation in &self.operations {
            operation.handle.add_to(&mut select);
        }
        select
    }

    /// The operations that can ever be ready, with the ids of the engine.
    fn controlled(&self) -> (Vec<Arm>, Vec<&Operation<'a>>) {
        let arm_of = |operation: &'_ Operation<'a>| match operation.handle.place() {
            Where::Controlled { arm, .. } => Some(arm),
            Where::Real | Where::Never => None,
        };
        self.operations.iter().filter_map(|operation| Some((arm_of(operation)?, operation))).unzip()
    }
}

/// Where the operations of a select are to be carried out.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Realm {
    /// None of them can ever be ready, if there are any.
    Nowhere,
    Real,
    /// In this execution.
    Controlled(ExecutionId),
}

/// A select over real channels must not wait in a program under test.
#[track_caller]
fn refuse_to_wait(limit: Limit) {
    if !matches!(limit, Limit::Now) {
        refuse_to_block();
    }
}

impl Clone for Select<'_> {
    fn clone(&self) -> Self {
        Select { operations: self.operations.clone(), ..*self }
    }
}

impl Default for Select<'_> {
    fn default() -> Self {
        Select::new()
    }
}

impl fmt::Debug for Select<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad("Select { .. }")
    }
}
