//! *Dropped sender*: a receive finds its channel closed, and that is the failure: either a thread panics in the line of its last
//! event, which is this receive, or it decides whether the receive finds a message instead.
//!
//! *Dropped receiver*: the same with a send that finds no receiver, and whether the send comes before the drop.

use super::Cause;
use crate::failing::Difference;
use crate::scene::Scene;
use crate::sequence::{EventRef, Op, Pick};

pub(super) fn find(scene: &Scene<'_>) -> Option<Cause> {
    let panic = scene.fatal()?;
    let last = scene.last_before(panic).filter(|&at| {
        let place = scene.order.sequence().event(at).location.as_ref();
        let line = place.map(|it| format!("{}:{}:", it.file, it.line));
        let panicked = panic.location.as_deref().unwrap_or_default();
        line.is_some_and(|line| panicked.starts_with(&line))
    });
    if let Some(cause) = last.and_then(|at| ended(scene, at)) {
        return Some(cause);
    }
    let decisive = |it: &&Difference| match ended(scene, it.event) {
        Some(Cause::DroppedSender { .. }) => is_message(scene, it),
        Some(_) => it.instead.is_empty(),
        None => false,
    };
    let difference = scene.deciding().find(decisive)?;
    ended(scene, difference.event)
}

/// Whether the event takes a message in other interleavings.
fn is_message(scene: &Scene<'_>, difference: &Difference) -> bool {
    let op = |at: &EventRef| scene.order.sequence().event(*at).op;
    difference.instead.iter().any(|at| op(at) == Op::Send)
}

/// The cause that an event is, if it is a receive that finds the channel closed, or a send that finds no receiver.
fn ended(scene: &Scene<'_>, at: EventRef) -> Option<Cause> {
    let sequence = scene.order.sequence();
    let event = sequence.event(at);
    let Pick::Partners(partners) = &event.pick else { return None };
    let &partner = partners.first().filter(|_| sequence.is_thread(at.process))?;
    match (event.op, sequence.event(partner).op) {
        (Op::Receive, Op::Disconnect) => Some(Cause::DroppedSender { receive: at, end: partner }),
        (Op::Send, Op::DropReceiver | Op::HangUp) => Some(Cause::DroppedReceiver { send: at, drop: partner }),
        _ => None,
    }
}
