fn main() {
    insyn_macros::select! {
        timeout(limit) => {}
        recv(receiver) -> message => drop(message),
        default => {}
    }
}
