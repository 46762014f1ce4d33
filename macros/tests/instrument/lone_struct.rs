#[insyn::instrument(imports(std::sync::Arc))]
#[derive(Clone)]
pub struct Account<T: Send = std::sync::Mutex<u8>> {
    /// What is there.
    balance: Arc<T>,
    changes: std::sync::mpsc::Sender<Account<T>>,
}
