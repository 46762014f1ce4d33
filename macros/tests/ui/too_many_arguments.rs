fn main() {
    insyn_macros::select! {
        recv(first, second) -> message => drop(message),
    }
}
