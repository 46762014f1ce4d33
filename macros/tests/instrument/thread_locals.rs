#[insyn::instrument]
thread_local! {
    /// How often.
    pub static COUNT: std::cell::Cell<u32> = const { std::cell::Cell::new(0) };
    static LOCK: std::sync::Mutex<u32> = const { std::sync::Mutex::new(0) };
    static CHANNEL: (std::sync::mpsc::Sender<u8>, std::sync::mpsc::Receiver<u8>) = std::sync::mpsc::channel();
    static LAST: std::sync::Arc<str> = { "last".into() }
}
