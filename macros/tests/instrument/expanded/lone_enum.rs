enum Lock<T> {
    One(::insyn::std::sync::Mutex<T>),
    Many {
        lock: ::insyn::std::sync::RwLock<T>,
        count: ::insyn::crossbeam_channel::Receiver<Lock<T>>,
    },
    None = 3,
}
