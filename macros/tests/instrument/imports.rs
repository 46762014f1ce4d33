#[insyn::instrument]
mod imports {
    use std::thread;
    use std::sync::mpsc::{self, Receiver, channel as make_channel};
    use std::{collections::BTreeMap, io::{self, Read}, sync::{Arc, atomic::*, Mutex as Lock}};
    use ::std::time::{Duration, Instant};
    pub(crate) use core::sync::atomic::{AtomicBool, Ordering::{self, *}};
    use std::sync::*;
    use core::hint::*;
    use core::time::*;
    use alloc::sync::Weak;
    #[cfg(test)]
    #[allow(unused)]
    pub use crossbeam_channel::{self, Sender, select};
    use crossbeam::{channel, utils};
    use crossbeam::channel::unbounded;
    use crossbeam_channel as chan;
    use crossbeam::sync::WaitGroup;
    use crossbeam_utils::{Backoff, sync::WaitGroup as Group};
    use {std::hint::spin_loop, std::fmt};
    use std::collections::{BTreeSet};
    use std::sync::PoisonError as _;
    use thread::spawn;
    use self::thread::sleep;
    use other_locks::RwLock;
}
