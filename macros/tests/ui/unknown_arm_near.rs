fn main() {
    insyn_macros::select! {
        recieve(receiver) -> message => drop(message),
    }
}
