fn main() {
    insyn_macros::select! {
        accept(entry) -> call if let Some(_) = free => call.reply(()),
    }
}
