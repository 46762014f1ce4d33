macro_rules! make {
    ($path:path) => {
        $path(0)
    };
}

use std::sync::Mutex;

#[insyn::instrument]
fn f() {
    make!(Mutex::new);
}

fn main() {}
