fn main() {
    insyn_macros::select! {
        accept(entry) -> call => call.reply(()),
        timeout(limit) if patient => {}
    }
}
