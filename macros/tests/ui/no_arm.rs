fn main() {
    insyn_macros::select! {}
}
