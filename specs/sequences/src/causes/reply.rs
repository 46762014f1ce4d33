//! *Forgotten reply*: a thread cannot go on because it waits for the reply to its call of an entry; another thread accepted the
//! call, and has ended since then or waits for another message or call.

use super::{Cause, blocked};
use crate::failing::Wait;
use crate::scene::Scene;
use crate::sequence::{EventRef, Op};

pub(super) fn find(scene: &Scene<'_>) -> Option<Cause> {
    let sequence = scene.order.sequence();
    let all = blocked(scene);
    for waiting in all.iter().filter(|it| it.wait == Wait::Reply) {
        let Some(call) = scene.last_of(waiting).filter(|&at| sequence.event(at).op == Op::Call) else {
            continue;
        };
        let is_accept = |at: &EventRef| {
            let event = sequence.event(*at);
            event.op == Op::Accept && event.pick.partners().contains(&call)
        };
        let Some(accept) = sequence.events().find(is_accept) else { continue };
        let server = &sequence.processes[accept.process].id;
        let is_free = all.iter().find(|it| it.thread == *server).is_none_or(|it| it.wait == Wait::Message);
        if is_free {
            return Some(Cause::ForgottenReply { call, accept });
        }
    }
    None
}
