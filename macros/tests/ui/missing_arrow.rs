fn main() {
    insyn_macros::select! {
        accept(entry) => {}
    }
}
