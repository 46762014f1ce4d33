//! The macros, each with an example: only in this crate can the examples run. The rest of their documentation is where they
//! are defined.

/// Rewrites ordinary code so that [`explore`](crate::explore) and the like can run it under control.
///
/// ```
/// #[insyn::instrument]
/// mod bank {
///     use std::sync::{Arc, Mutex};
///     use std::thread;
///
///     /// Two clients pay one into an account each.
///     pub fn pay() -> u32 {
///         let account = Arc::new(Mutex::new(0));
///         let clients = [(); 2].map(|()| {
///             let account = Arc::clone(&account);
///             thread::spawn(move || *account.lock().unwrap() += 1)
///         });
///         clients.map(|client| client.join().unwrap());
///         let balance = *account.lock().unwrap();
///         balance
///     }
/// }
///
/// // Either client may be first.
/// let exploration = insyn::explore(|| assert_eq!(bank::pay(), 2));
/// exploration.assert_ok();
/// assert_eq!(exploration.sequences, 2);
/// ```
///
/// A function whose imports the macro cannot see lists them:
///
/// ```
/// mod orders {
///     use std::sync::mpsc::Receiver;
///
///     #[insyn::instrument(imports(std::sync::mpsc::Receiver))]
///     pub fn total(orders: Receiver<u32>) -> u32 {
///         orders.iter().sum()
///     }
/// }
///
/// let exploration = insyn::explore(|| {
///     let (sender, orders) = insyn::std::sync::mpsc::channel();
///     insyn::std::thread::spawn(move || (1..=3).for_each(|order| sender.send(order).unwrap()));
///     orders::total(orders)
/// });
/// exploration.assert_ok();
/// ```
pub use insyn_macros::instrument;

/// Rewrites all items inside, as [`#[instrument]`](macro@crate::instrument) does.
///
/// ```
/// insyn::instrumented! {
///     use std::sync::mpsc;
///     use std::thread;
///
///     pub fn first_of_two() -> u32 {
///         let (sender, receiver) = mpsc::channel();
///         for n in 0..2 {
///             let sender = sender.clone();
///             thread::spawn(move || sender.send(n));
///         }
///         receiver.recv().unwrap()
///     }
/// }
///
/// assert!(insyn::explore(first_of_two).sequences >= 2);
/// ```
pub use insyn_macros::instrumented;

/// Marks an event that a specification can name, with a value or without.
///
/// ```
/// let execution = insyn::Explorer::new().run(|| {
///     insyn::label!("begin");
///     insyn::label!("deposit", 3);
/// });
/// let main = &execution.sequence.processes[0];
/// let labels: Vec<_> = main.events.iter().filter_map(|event| event.label.as_ref()).collect();
/// assert_eq!([&*labels[0].text, &*labels[1].text], ["begin", "deposit"]);
/// ```
pub use insyn_macros::label;

/// Evaluates an expression; the objects and threads that it makes have a name.
///
/// ```
/// use insyn::std::sync::Mutex;
///
/// let exploration = insyn::explore(|| {
///     let forks: Vec<_> = (0..3).map(|_| insyn::name!("fork", Mutex::new(()))).collect();
///     let _taken = forks[0].lock();
///     let _taken_twice = forks[0].lock();
/// });
/// assert!(exploration.failures[0].to_string().contains("lock fork"));
/// ```
pub use insyn_macros::name;

/// Waits for the first of several calls or messages, and runs the arm it belongs to.
///
/// ```
/// use insyn::std::thread;
/// use insyn::sync::entry;
///
/// // A buffer with one slot.
/// let exploration = insyn::explore(|| {
///     let (deposit, deposits) = entry();
///     let (withdraw, withdrawals) = entry();
///     thread::spawn(move || {
///         let mut slot = None;
///         loop {
///             insyn::select! {
///                 accept(deposits) -> call if slot.is_none() => {
///                     slot = Some(*call.request());
///                     call.reply(());
///                 },
///                 accept(withdrawals) -> call if slot.is_some() => call.reply(slot.take().unwrap()),
///                 closed => break,
///             }
///         }
///     });
///     thread::spawn(move || (1..=2).for_each(|item| deposit.call(item).unwrap()));
///     assert_eq!([withdraw.call(()), withdraw.call(())], [Ok(1), Ok(2)]);
/// });
/// exploration.assert_ok();
/// assert_eq!(exploration.sequences, 1);
/// ```
///
/// Outside a program under test it waits for real threads:
///
/// ```
/// use insyn::std::sync::mpsc;
/// use insyn::sync::{Delivery, port};
///
/// let (sender, orders) = mpsc::channel();
/// let (cancel, cancelled) = port(Delivery::Mailbox);
/// let customer = std::thread::spawn(move || {
///     sender.send(3).unwrap();
///     sender.send(4).unwrap();
///     cancel.send(4).unwrap();
/// });
/// let mut total = 0;
/// loop {
///     insyn::select! {
///         recv(orders) -> order => total += order,
///         recv(cancelled) -> order if total == 7 => total -= order,
///         closed => break,
///     }
/// }
/// assert_eq!(total, 3);
/// customer.join().unwrap();
/// ```
pub use insyn_macros::select;

/// Turns a function into a program: a test that runs the function once for every synchronization behaviour it has.
///
/// ```test_harness
/// #[insyn::test]
/// fn no_message_is_lost() -> Vec<u32> {
///     let (sender, receiver) = std::sync::mpsc::channel();
///     for n in 0..2 {
///         let sender = sender.clone();
///         std::thread::spawn(move || sender.send(n));
///     }
///     drop(sender);
///     let received: Vec<u32> = receiver.iter().collect();
///     assert_eq!(received.len(), 2);
///     received
/// }
/// ```
///
/// With a parameter, the function is a program with an input:
///
/// ```test_harness
/// #[derive(Clone, serde::Deserialize)]
/// struct Config {
///     senders: usize,
/// }
///
/// #[insyn::test(input = "{senders: 2}")]
/// fn fan_in(config: Config) -> Vec<usize> {
///     let (sender, receiver) = std::sync::mpsc::channel();
///     for n in 0..config.senders {
///         let sender = sender.clone();
///         std::thread::spawn(move || sender.send(n));
///     }
///     drop(sender);
///     receiver.iter().collect()
/// }
/// ```
pub use insyn_macros::test;
