fn main() {
    insyn_macros::select! {
        recv(receiver)
    }
}
