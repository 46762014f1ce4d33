fn main() {
    insyn_macros::select! {
        default => {}
        closed => {}
    }
}
