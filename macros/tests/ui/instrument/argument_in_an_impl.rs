#[insyn::instrument]
mod shop {
    struct Shop;

    impl Shop {
        #[insyn::instrument(imports(std::sync::Mutex))]
        fn open(&self) {}

        #[insyn::instrument]
        fn close(&self) {}
    }

    trait Sell {
        #[insyn::instrument(keep(std::sync::Arc))]
        fn sell(&self);
    }
}

fn main() {}
