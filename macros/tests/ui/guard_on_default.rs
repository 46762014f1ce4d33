fn main() {
    insyn_macros::select! {
        accept(entry) -> call => call.reply(()),
        default if idle => {}
    }
}
