macro_rules! if_any {
    ($($tokens:tt)*) => {};
}

insyn::instrumented! {
    if_any! {
        if #[cfg(unix)] {
            mod unix;
            mod inline { use std::thread; }
        }
    }

    #[insyn::instrument(skip)]
    if_any! { mod real; }
}

fn main() {}
