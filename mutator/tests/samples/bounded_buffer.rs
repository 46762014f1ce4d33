//! The textbook's bounded buffer: a server that accepts a deposit when there is room, and a withdrawal when there is
//! an item.

use insyn::sync::Entry;

#[insyn::instrument]
pub fn bounded_buffer(deposit: Entry<char, ()>, withdraw: Entry<(), char>, capacity: usize) {
    let mut buffer = vec![' '; capacity];
    let (mut full_slots, mut next_in, mut next_out) = (0, 0, 0);
    loop {
        insyn::select! {
            accept(deposit) -> mut call if full_slots < capacity => {
                buffer[next_in] = call.take().unwrap();
                call.reply(());
                next_in = (next_in + 1) % capacity;
                full_slots += 1;
            }
            accept(withdraw) -> call if full_slots > 0 => {
                call.reply(buffer[next_out]);
                next_out = (next_out + 1) % capacity;
                full_slots -= 1;
            }
            closed => break,
        }
    }
}
