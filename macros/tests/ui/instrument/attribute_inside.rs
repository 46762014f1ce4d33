insyn::instrumented! {
    #![allow(dead_code)]
    fn f() {}
}

fn main() {}
