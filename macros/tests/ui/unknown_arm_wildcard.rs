fn main() {
    insyn_macros::select! {
        recv(receiver) -> message => drop(message),
        _ => {}
    }
}
