#[insyn::instrument(path = "files/circle.rs")]
mod circle {
    fn f() {}
}

fn main() {}
