//! The procedural macros of insyn.
//!
//! Use them through the `insyn` crate, which exports them beside the runtime that their output calls. Each macro
//! has a folder with one file per phase: `parse` reads the tokens and refuses what has no meaning, at the place
//! where it stands; `expand` writes the program out and cannot fail.

mod select;

use proc_macro::TokenStream;

/// Waits for the first of several calls or messages, and runs the arm it belongs to.
///
/// ```ignore
/// let taken = insyn::select! {
///     accept(deposit) -> call if items.len() < slots => {
///         items.push(*call.request());
///         call.reply(());
///         None
///     }
///     recv(orders) -> order => Some(order),
///     closed => break,
/// };
/// ```
///
/// | arm | is taken |
/// |---|---|
/// | `accept(entry) -> pattern if guard => body` | when a call to the entry is accepted |
/// | `recv(receiver) -> pattern if guard => body` | when a message is received |
/// | `default => body` | when nothing is there, instead of waiting |
/// | `timeout(duration) => body` | when nothing came in time |
/// | `closed => body` | when every open arm is closed: its callers or senders are gone and nothing is left |
///
/// There is at least one `accept` or `recv` arm, and at most one of each other kind; `default` and `timeout`
/// exclude each other. Guards are optional. Without a `closed` arm the select panics when every open arm is closed.
///
/// The whole is an expression, with commas as in `match`. Bodies are ordinary code of the function around them:
/// `break`, `continue`, `return` and `?` do what they do in a `match`. Patterns must be irrefutable.
///
/// First all guards are evaluated, in order, and decide once and for all which arms are open; so a guard cannot
/// see what its pattern binds. Then the duration is evaluated, then what stands in `accept(..)` and `recv(..)`,
/// each once and by reference, whether or not its arm is open. Temporaries of guards and of the duration are gone
/// before the wait begins (a lock taken in a guard is not held); those of `accept(..)` and `recv(..)` live on, as
/// those of a `match` do.
#[proc_macro]
pub fn select(input: TokenStream) -> TokenStream {
    select::select(input.into()).into()
}
