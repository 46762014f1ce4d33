fn main() {
    insyn_macros::select! {
        recv() -> message => drop(message),
    }
}
