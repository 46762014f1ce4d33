#[insyn::instrument]
mod pointers {
    use std::sync::Arc;

    fn f() -> Arc<dyn Fn(u8) -> u8 + Send + Sync> {
        let task: Arc<dyn Fn()> = Arc::new(|| ());
        let cast = Arc::new(1) as Arc<dyn Send>;
        let sized = Arc::<u8>::new(1);
        takes(Arc::new([1, 2]));
        let all = [1, 2].map(Arc::new);
        Arc::new(|n| n + 1)
    }
}
