mod imports {
    use ::insyn::std::thread;
    use ::insyn::std::sync::mpsc;
    use ::insyn::std::sync::mpsc::Receiver;
    use ::insyn::std::sync::mpsc::channel as make_channel;
    use std::{collections::BTreeMap, io::{self, Read}};
    use ::insyn::std::sync::Arc;
    use ::insyn::std::sync::atomic::*;
    use ::insyn::std::sync::Mutex as Lock;
    use ::insyn::std::time::Duration;
    use ::insyn::std::time::Instant;
    pub(crate) use ::insyn::std::sync::atomic::AtomicBool;
    pub(crate) use ::insyn::std::sync::atomic::Ordering;
    pub(crate) use ::insyn::std::sync::atomic::Ordering::*;
    use ::insyn::std::sync::*;
    use ::insyn::std::hint::*;
    use core::time::*;
    use ::insyn::std::sync::Weak;
    #[cfg(test)]
    #[allow(unused)]
    pub use ::insyn::crossbeam_channel;
    #[cfg(test)]
    #[allow(unused)]
    pub use ::insyn::crossbeam_channel::Sender;
    #[cfg(test)]
    #[allow(unused)]
    pub use ::insyn::crossbeam_channel::select;
    use crossbeam::utils;
    use ::insyn::crossbeam_channel as channel;
    use ::insyn::crossbeam_channel::unbounded;
    use ::insyn::crossbeam_channel as chan;
    use ::insyn::crossbeam_utils::sync::WaitGroup;
    use crossbeam_utils::Backoff;
    use ::insyn::crossbeam_utils::sync::WaitGroup as Group;
    use std::fmt;
    use ::insyn::std::hint::spin_loop;
    use std::collections::BTreeSet;
    use ::insyn::std::sync::PoisonError as _;
    use ::insyn::std::thread::spawn;
    use ::insyn::std::thread::sleep;
    use other_locks::RwLock;
}
