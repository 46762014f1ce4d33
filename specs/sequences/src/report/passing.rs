//! What passes instead of a failure: the pick that decides, as close to the failure as there is one, and its alternative.

use crate::causes::{step, thread_of};
use crate::failing::Difference;
use crate::scene::Scene;
use crate::sequence::{EventRef, Op};

/// What would have to be different, in a sentence; none if no single pick is known to decide.
pub(super) fn passes(scene: &Scene<'_>) -> Option<String> {
    let deciding = scene.deciding().filter_map(|it| Some((it.other.fail == 0, scene.step(it.event)?, it)));
    let (_, _, nearest) = deciding.max_by_key(|&(always, step, _)| (always, step))?;
    let condition = condition(scene, nearest)?;
    Some(match nearest.other.fail {
        0 => format!("if {condition}"),
        fail => {
            let pass = nearest.other.pass;
            format!("in {pass} of {} interleavings if {condition}", pass + fail)
        }
    })
}

fn condition(scene: &Scene<'_>, difference: &Difference) -> Option<String> {
    let sequence = scene.order.sequence();
    let name = |process: usize| scene.labels[process].as_str();
    let at = |at: EventRef| step(scene, at);
    let event = sequence.event(difference.event);
    let by = name(thread_of(scene, difference.event));
    let other = difference.instead.first().copied();
    if !sequence.is_thread(difference.event.process) {
        let other = other?;
        let (object, op) = (name(difference.event.process), sequence.event(other).op.word());
        let other_by = name(thread_of(scene, other));
        if thread_of(scene, other) == thread_of(scene, difference.event) {
            return None;
        }
        return Some(format!(
            "{other_by}'s {op} on {object}{} comes before {by}'s {}{}",
            at(other),
            event.op.word(),
            at(difference.event)
        ));
    }
    let here = at(difference.event);
    let object = event.object.map_or("", name);
    Some(match (event.op, other) {
        (Op::Send, None) => {
            let drop = event.pick.partners().first().map(|&drop| at(drop)).unwrap_or_default();
            format!("{by} sends on {object}{here} before its receiver is dropped{drop}")
        }
        (Op::Send, Some(_)) => format!("{by} sends on {object}{here} after its receiver is dropped"),
        (Op::Receive | Op::Accept, None) => format!("{by} finds nothing on {object}{here}"),
        (Op::Receive | Op::Accept, Some(other)) => match sequence.event(other).op {
            Op::Disconnect => format!("{by} finds {object} closed{here}"),
            _ => {
                let on = sequence.event(other).object.map_or("", name);
                format!(
                    "{by} takes the message of {} on {on}{}{}",
                    name(other.process),
                    at(other),
                    instead(&here)
                )
            }
        },
        (Op::Load, None) => format!("{by} reads the initial value of {object}{here}"),
        (Op::Load, Some(other)) => {
            format!("{by} reads{here} what {} wrote to {object}{}", name(thread_of(scene, other)), at(other))
        }
        _ => return None,
    })
}

/// In place of the step that is named.
fn instead(here: &str) -> String {
    here.strip_prefix(" (")
        .and_then(|it| it.strip_suffix(')'))
        .map(|it| format!(" in {it}"))
        .unwrap_or_default()
}
