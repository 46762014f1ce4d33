fn main() {
    insyn_macros::select! {
        accept(entry) if free -> call => call.reply(()),
    }
}
