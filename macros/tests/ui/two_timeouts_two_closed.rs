fn main() {
    insyn_macros::select! {
        closed => {}
        timeout(limit) => {}
        recv(receiver) -> message => drop(message),
        timeout(limit) => {}
        closed => {}
    }
}
