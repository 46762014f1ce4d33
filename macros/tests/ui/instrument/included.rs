#[insyn::instrument]
mod shop {
    include!("files/real.rs");

    mod real {
        #[insyn::instrument(skip)]
        include!("files/real.rs");
    }
}

fn main() {}
