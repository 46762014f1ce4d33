#[insyn::instrument(imports(std::sync::atomic::AtomicUsize))]
pub(crate) static COUNT: AtomicUsize = AtomicUsize::new(0);
