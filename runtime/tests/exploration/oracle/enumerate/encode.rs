//! A state as bytes: equal bytes, equal futures.

use super::state::{Channel, Message, ObjectState, Payload, State};

impl State {
    /// All that matters for the future, as bytes.
    pub(super) fn encode(&self) -> Vec<u8> {
        let mut code = Vec::with_capacity(128);
        for history in &self.histories {
            code.extend_from_slice(&history.to_le_bytes()[..3]);
        }
        for thread in &self.threads {
            let [has, last] = thread.last.map_or([0, 0], |last| [1, last]);
            let flags = u8::from(thread.expired) | u8::from(thread.panicked) << 1;
            code.extend_from_slice(&[thread.pc, thread.phase as u8, has, last, thread.request, flags]);
            thread.kept.encode(&mut code);
            thread.dying.encode(&mut code);
        }
        code.extend_from_slice(&[self.tokens, self.joined]);
        code.extend_from_slice(&self.poisoned.to_le_bytes());
        code.extend_from_slice(&self.numbers);
        for object in &self.objects {
            object.encode(&mut code);
        }
        code
    }
}

impl ObjectState {
    fn encode(&self, code: &mut Vec<u8>) {
        let owned = |owner: &Option<u8>| owner.unwrap_or(u8::MAX);
        match self {
            ObjectState::Channel(channel) => {
                let Channel {
                    messages, senders, clones, handles, owners, receivers, gone, has_fired, ..
                } = channel;
                code.extend_from_slice(clones);
                code.push(u8::from(gone.is_some()) | u8::from(*has_fired) << 1);
                code.extend_from_slice(&[*senders, *handles, *owners, *receivers, messages.len() as u8]);
                for Message { at, payload } in messages {
                    code.extend_from_slice(&[at.process, at.index]);
                    code.extend_from_slice(&match payload {
                        Payload::Number(number) => [0, *number],
                        Payload::Handle(o) => [1, *o],
                        Payload::Time => [2, 0],
                        Payload::Receiver(o) => [3, *o],
                    });
                }
            }
            ObjectState::Lock { owner, depth } => code.extend_from_slice(&[owned(owner), *depth]),
            ObjectState::Condvar { waiters } => {
                code.push(waiters.len() as u8);
                for (thread, index) in waiters {
                    code.extend_from_slice(&[*thread, *index]);
                }
            }
            ObjectState::Semaphore { value } => code.push(*value),
            ObjectState::Monitor { owner, conditions, urgent } => {
                code.push(owned(owner));
                for waiting in conditions.iter().chain([urgent]) {
                    code.push(waiting.len() as u8);
                    code.extend_from_slice(waiting);
                }
            }
            // The events determine what wrote it.
            ObjectState::Atomic { value, .. } => code.push(*value),
            ObjectState::RwLock { writer, readers, queue } => {
                code.extend_from_slice(&[owned(writer), *queue as u8]);
                code.extend_from_slice(readers);
            }
            ObjectState::Barrier => {}
            ObjectState::WaitGroup { handles } => code.extend_from_slice(handles),
            ObjectState::Once { running, done, value, poisoned } => {
                let state = u8::from(done.is_some()) | u8::from(*poisoned) << 1;
                code.extend_from_slice(&[owned(running), state, *value]);
            }
            ObjectState::Arc { strong, weak } => {
                code.extend_from_slice(strong);
                code.extend_from_slice(weak);
            }
        }
    }
}
