insyn::instrumented! {
    mod nowhere;
}

fn main() {}
