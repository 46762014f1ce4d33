#[insyn::instrument]
enum Lock<T> {
    One(std::sync::Mutex<T>),
    Many { lock: std::sync::RwLock<T>, count: crossbeam_channel::Receiver<Lock<T>> },
    None = 3,
}
