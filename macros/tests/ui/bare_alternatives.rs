fn main() {
    insyn_macros::select! {
        recv(receiver) -> Ok(value) | Err(value) => drop(value),
    }
}
