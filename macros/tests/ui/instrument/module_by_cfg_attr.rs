insyn::instrumented! {
    #[cfg_attr(unix, path = "files/refused.rs")]
    #[cfg_attr(not(unix), allow(dead_code), path = "files/no_rust.rs")]
    mod os;
}

fn main() {}
