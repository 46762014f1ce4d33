fn main() {
    insyn_macros::select! {
        #[cfg(test)]
        recv(receiver) -> message => drop(message),
    }
}
