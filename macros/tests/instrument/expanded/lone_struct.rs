#[derive(Clone)]
pub struct Account<T: Send = ::insyn::std::sync::Mutex<u8>> {
    /// What is there.
    balance: ::insyn::std::sync::Arc<T>,
    changes: ::insyn::std::sync::mpsc::Sender<Account<T>>,
}
