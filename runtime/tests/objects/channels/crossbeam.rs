//! `insyn::crossbeam_channel`: the same calls have the same results as crossbeam's.

use std::fmt::Debug;
use std::iter::FusedIterator;
use std::panic::{AssertUnwindSafe, RefUnwindSafe, UnwindSafe};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use insyn::crossbeam_channel::{
    IntoIter, Iter, ReadyTimeoutError, Receiver, RecvError, RecvTimeoutError, Select, SelectTimeoutError,
    SelectedOperation, SendError, SendTimeoutError, Sender, TryIter, TryReadyError, TryRecvError,
    TrySelectError, TrySendError, bounded, never, unbounded,
};
use insyn::std::panic::catch_unwind;
use insyn::std::sync::mpsc;
use insyn::std::time::Instant;

use super::{assert_outcomes, same, say};

same!(unbounded_channels, cc: crossbeam_channel, insyn::crossbeam_channel, {
    let (s, r) = cc::unbounded();
    log!(r.try_recv());
    log!((s.send(1), s.try_send(2), s.send_timeout(3, Duration::ZERO)));
    log!(s.send_deadline(4, Instant::now()));
    log!((s.len(), r.len(), s.is_empty(), r.is_empty(), s.is_full(), r.is_full()));
    log!((s.capacity(), r.capacity()));
    log!((r.recv(), r.clone().try_recv(), r.recv_timeout(Duration::from_secs(1))));
    log!(r.recv_deadline(Instant::now() + Duration::from_secs(1)));
    log!((r.len(), s.is_empty()));
    log!(r.recv_timeout(Duration::from_millis(1)));
    log!(r.recv_deadline(Instant::now()));
    log!(s.clone().send(5));
    log!(r.iter().next());
    log!((s.send(6), s.send(7)));
    log!(r.try_iter().collect::<Vec<_>>());
    log!(s.send(8));
    drop(s);
    log!((r.recv(), r.recv(), r.try_recv()));
    log!(r.recv_timeout(Duration::MAX));
    log!(r.recv_deadline(Instant::now()));
    log!((&r).into_iter().next());
    log!(r.into_iter().next());
});

same!(bounded_channels, cc: crossbeam_channel, insyn::crossbeam_channel, {
    let (s, r) = cc::bounded(2);
    log!((s.send(1), s.try_send(2), s.try_send(3)));
    log!(s.send_timeout(4, Duration::from_millis(1)));
    log!(s.send_deadline(5, Instant::now()));
    log!((s.len(), r.len(), s.is_empty(), r.is_empty(), s.is_full(), r.is_full()));
    log!((s.capacity(), r.capacity()));
    log!(r.recv());
    log!((s.len(), s.is_full()));
    log!(s.send_timeout(6, Duration::from_millis(1)));
    drop(s);
    log!(r.iter().collect::<Vec<_>>());
    log!((r.recv(), r.try_recv(), r.recv_timeout(Duration::ZERO)));
});

same!(channels_of_capacity_zero, cc: crossbeam_channel, insyn::crossbeam_channel, {
    let (s, r) = cc::bounded(0);
    log!((s.len(), r.len(), s.is_empty(), r.is_empty(), s.is_full(), r.is_full()));
    log!((s.capacity(), r.capacity()));
    log!((s.try_send(1), r.try_recv()));
    log!(s.send_timeout(2, Duration::from_millis(1)));
    log!(r.recv_timeout(Duration::from_millis(1)));
    let sender = thread::spawn(move || s.send(3));
    log!(r.recv());
    log!(sender.join().unwrap());
    log!((r.recv(), r.try_recv(), r.recv_timeout(Duration::ZERO)));
});

same!(without_receivers, cc: crossbeam_channel, insyn::crossbeam_channel, {
    for capacity in [None, Some(0), Some(1), Some(2)] {
        let (s, r) = capacity.map_or_else(cc::unbounded, cc::bounded);
        if capacity != Some(0) {
            log!(s.send(0));
        }
        let another = r.clone();
        drop(r);
        if capacity == Some(2) {
            log!(s.send(1));
        }
        drop(another);
        log!((s.send(2), s.try_send(3), s.send_timeout(4, Duration::ZERO)));
        log!(s.send_deadline(5, Instant::now()));
        log!((s.is_empty(), s.len()));
    }
});

same!(never_ready, cc: crossbeam_channel, insyn::crossbeam_channel, {
    const NEVER: cc::Receiver<u8> = cc::never();
    let r = NEVER;
    log!((r.len(), r.is_empty(), r.is_full(), r.capacity()));
    log!((r.try_recv(), r.recv_timeout(Duration::from_millis(1)), r.recv_deadline(Instant::now())));
    log!((r.same_channel(&r.clone()), r.same_channel(&cc::never())));
    log!(r.try_iter().next());
    log!(r);
});

same!(which_channel, cc: crossbeam_channel, insyn::crossbeam_channel, {
    let (s1, r1) = cc::unbounded::<u8>();
    let (s2, r2) = cc::unbounded::<u8>();
    let (s3, r3) = cc::bounded::<u8>(1);
    log!((s1.same_channel(&s1.clone()), s1.same_channel(&s2), s1.same_channel(&s3)));
    log!((r1.same_channel(&r1.clone()), r1.same_channel(&r2), r1.same_channel(&r3), r1.same_channel(&cc::never())));
    let (a, b) = (cc::after(Duration::MAX), cc::tick(Duration::from_secs(9)));
    log!((a.same_channel(&a.clone()), b.same_channel(&b.clone()), a.same_channel(&b)));
    log!((cc::after(Duration::from_secs(9)).capacity(), b.capacity()));
});

same!(as_text, cc: crossbeam_channel, insyn::crossbeam_channel, {
    let (s, r) = cc::unbounded::<i32>();
    log!((&s, &r, r.iter(), r.try_iter(), cc::Select::new()));
    log!(format!("{s:>20?} {r:<20?}|"));
    log!((cc::SendError(1), cc::SendError(1).to_string(), cc::SendError(1).into_inner()));
    log!((cc::TrySendError::Full(1), cc::TrySendError::Disconnected(1).to_string()));
    log!((cc::SendTimeoutError::Timeout(1), cc::SendTimeoutError::Disconnected(1).is_disconnected()));
    log!((cc::RecvError.to_string(), cc::TryRecvError::Empty.to_string()));
    log!((cc::RecvTimeoutError::Timeout.to_string(), cc::RecvTimeoutError::from(cc::RecvError)));
    log!((cc::TrySelectError.to_string(), cc::SelectTimeoutError.to_string()));
    log!((cc::TryReadyError, cc::ReadyTimeoutError));
    log!(r.into_iter());
});

same!(messages_of_any_kind, cc: crossbeam_channel, insyn::crossbeam_channel, {
    let (s, r) = cc::unbounded();
    (0..20).for_each(|_| s.send(()).unwrap());
    log!((r.len(), r.try_iter().count()));
    let (s, r) = cc::bounded(1);
    s.send((Box::new(1), [7_u8; 4096])).unwrap();
    log!(r.recv().map(|m| (m.0, m.1.len())));
    let (s, r) = cc::unbounded::<(cc::Sender<i32>, cc::Receiver<i32>)>();
    let (s1, r1) = cc::bounded(1);
    s.send((s1, r1)).unwrap();
    let (s1, r1) = r.recv().unwrap();
    log!((s1.send(1), r1.recv()));
    struct Dying<'a>(u32, &'a std::cell::RefCell<Vec<u32>>);
    impl Drop for Dying<'_> {
        fn drop(&mut self) {
            self.1.borrow_mut().push(self.0);
        }
    }
    let dead = std::cell::RefCell::default();
    let (s1, r1) = cc::unbounded();
    let (s2, r2) = cc::bounded(3);
    for n in 0..3 {
        let _ = s1.send(Dying(n, &dead));
        let _ = s2.send(Dying(n + 10, &dead));
    }
    drop(r1.recv());
    drop((r1.clone(), r2.clone()));
    log!(dead.borrow());
    drop((r1, r2));
    log!(dead.borrow());
    drop((s2.clone(), s1));
    log!(dead.borrow());
    drop(s2);
    log!(dead.borrow());
});

/// Compiles if the handles have the traits that crossbeam's have.
#[test]
fn traits() {
    type Message = std::cell::Cell<u8>;
    fn shared<T: Send + Sync + Clone + Debug + UnwindSafe + RefUnwindSafe>() {}
    fn iterator<T: Send + Sync + Debug + Iterator>() {}
    fn fused<T: FusedIterator>() {}
    fn error<T: std::error::Error + Copy + Eq>() {}
    shared::<Sender<Message>>();
    shared::<Receiver<Message>>();
    iterator::<Iter<'_, Message>>();
    iterator::<TryIter<'_, Message>>();
    iterator::<IntoIter<Message>>();
    fused::<Iter<'_, Message>>();
    fused::<IntoIter<Message>>();
    fn select<T: Send + Sync + Clone + Default + Debug>() {}
    select::<Select<'_>>();
    fn debug<T: Debug>() {}
    debug::<SelectedOperation<'_>>();
    error::<SendError<u8>>();
    error::<TrySendError<u8>>();
    error::<SendTimeoutError<u8>>();
    error::<RecvError>();
    error::<TryRecvError>();
    error::<RecvTimeoutError>();
    error::<TrySelectError>();
    error::<SelectTimeoutError>();
    fn plain_error<T: Debug + Copy + Eq>() {}
    plain_error::<TryReadyError>();
    plain_error::<ReadyTimeoutError>();
}

/// An object made outside must not wait inside, where no thread could end the wait; operations that need not wait work.
#[test]
fn real_channels_inside() {
    let outside = || std::thread::spawn(|| bounded::<u32>(1)).join().unwrap();
    let ways: [fn(&Sender<u32>, &Receiver<u32>); 8] = [
        |_, r| drop(r.recv()),
        |_, r| drop(r.recv_timeout(Duration::from_millis(1))),
        |s, _| drop((s.send(1), s.send(2))),
        |s, _| drop((s.send(1), s.send_timeout(2, Duration::from_millis(1)))),
        |_, r| {
            let mut select = Select::new();
            select.recv(r);
            select.select().recv(r).unwrap();
        },
        |_, r| {
            let mut select = Select::new();
            select.recv(r);
            drop(select.select_timeout(Duration::from_millis(1)).map(|o| o.recv(r)));
        },
        |_, r| {
            let mut select = Select::new();
            select.recv(r);
            select.ready();
        },
        |_, r| {
            let mut select = Select::new();
            select.recv(r);
            drop(select.ready_timeout(Duration::from_millis(1)));
        },
    ];
    for way in ways {
        let found = insyn::explore(move || {
            let (s, r) = outside();
            assert_eq!((s.try_send(1), r.recv()), (Ok(()), Ok(1)));
            let mut select = Select::new();
            select.recv(&r);
            select.recv(const { &never::<u8>() });
            assert!(select.try_select().is_err() && select.try_ready().is_err());
            s.send(1).unwrap();
            assert_eq!(select.select().recv(&r), Ok(1));
            way(&s, &r);
        });
        let [failure] = &found.failures[..] else { panic!("{found}") };
        assert!(failure.to_string().contains("would have to wait inside it"), "{failure}");
        assert!(failure.to_string().contains("tests/objects/channels/crossbeam.rs"), "{failure}");
    }
}

/// Real instants cannot be used inside, nor can channels of both sorts be used in one select.
#[test]
fn what_cannot_be_mixed() {
    let outside = std::sync::Mutex::new(Some(unbounded::<u32>()));
    let found = insyn::explore(move || {
        let (_s, real) = outside.lock().unwrap().take().unwrap();
        let (_s, controlled) = unbounded::<u32>();
        let mut select = Select::new();
        select.recv(&controlled);
        select.recv(&real);
        drop(select.try_select());
    });
    let [failure] = &found.failures[..] else { panic!("{found}") };
    assert!(
        failure.to_string().contains("a select over channels of which some were made outside"),
        "{failure}"
    );

    let now = Instant::now();
    let found = insyn::explore(move || drop(unbounded::<u32>().1.recv_deadline(now)));
    let [failure] = &found.failures[..] else { panic!("{found}") };
    assert!(failure.to_string().contains("virtual instant"), "{failure}");
}

/// Time passes for a thread that waits without success.
#[test]
fn time_passes() {
    assert_outcomes(
        || {
            let (s, r) = bounded(1);
            s.send(1).unwrap();
            let start = Instant::now();
            let hour = Duration::from_secs(3600);
            let mut hours = Vec::new();
            let mut look = |what: String| hours.push((what, start.elapsed().as_secs() / 3600));
            look(say(s.send_timeout(2, hour)));
            look(say(s.send_deadline(2, start + 2 * hour)));
            look(say(s.send_deadline(2, start)));
            look(say(r.recv()));
            look(say(r.recv_timeout(hour)));
            look(say(r.recv_deadline(start + 4 * hour)));
            look(say(never::<()>().recv_timeout(hour)));
            look(say(Select::new().select_timeout(hour).map(|o| o.index())));
            let mut select = Select::new();
            select.recv(&r);
            look(say(select.ready_deadline(start + 7 * hour)));
            look(say(select.ready_timeout(hour)));
            hours.iter().map(|(what, hour)| format!("{hour}h {what}")).collect::<Vec<_>>()
        },
        &[(
            r#"["1h \"SendTimeoutError(..)\"","2h \"SendTimeoutError(..)\"","2h \"SendTimeoutError(..)\"","2h 1","3h Timeout","4h Timeout","5h Timeout","6h SelectTimeoutError","7h ReadyTimeoutError","8h ReadyTimeoutError"]"#,
            1,
        )],
    );
}

/// What the destructor of a message notes, before it may panic.
struct Loud(Arc<Mutex<Vec<u32>>>, u32, bool);

impl Drop for Loud {
    fn drop(&mut self) {
        self.0.lock().unwrap().push(self.1);
        assert!(!self.2, "dropped {}", self.1);
    }
}

/// The channel is dropped with three messages, of which the second and the third panic: as with the real channels, the
/// first panic counts, and what comes after it leaks. The numbers that were dropped, and the panic.
fn drop_loudly<H>(make: impl FnOnce([Loud; 3]) -> H) -> (Vec<u32>, String) {
    let dropped = Arc::new(Mutex::new(Vec::new()));
    let handles = make([1, 2, 3].map(|n| Loud(dropped.clone(), n, n > 1)));
    let panic = catch_unwind(AssertUnwindSafe(|| drop(handles))).unwrap_err();
    let dropped = dropped.lock().unwrap().clone();
    (dropped, panic.downcast_ref::<String>().unwrap().clone())
}

#[test]
fn destructors_that_panic() {
    fn fill<H>(send: impl Fn(Loud), messages: [Loud; 3], handles: H) -> H {
        messages.into_iter().for_each(send);
        handles
    }
    let all = || {
        let from_bounded = |messages| {
            let (s, r) = bounded(3);
            fill(move |it| s.send(it).unwrap(), messages, r)
        };
        let from_unbounded = |messages| {
            let (s, r) = unbounded();
            fill(move |it| s.send(it).unwrap(), messages, r)
        };
        // A message that is larger than most, of which there are many.
        let from_large = |messages: [Loud; 3]| {
            let (s, r) = unbounded();
            fill(move |it| s.send((it, [0_u64; 9])).unwrap(), messages, r)
        };
        // The receiver is gone, and the sender drops what stays inside.
        let behind = |messages| {
            let (s, r) = bounded(3);
            let s = fill(|it| s.send(it).unwrap(), messages, s.clone());
            drop(r);
            s
        };
        let from_mpsc = |messages| {
            let (s, r) = mpsc::channel();
            fill(move |it| s.send(it).unwrap(), messages, r)
        };
        let from_sync = |messages| {
            let (s, r) = mpsc::sync_channel(3);
            fill(move |it| s.send(it).unwrap(), messages, r)
        };
        [
            drop_loudly(from_bounded),
            drop_loudly(from_unbounded),
            drop_loudly(from_large),
            drop_loudly(behind),
            drop_loudly(from_mpsc),
            drop_loudly(from_sync),
        ]
    };
    let expected = (vec![1, 2], "dropped 2".to_owned());
    // Outside, the channels are the real ones.
    assert_eq!(all(), [(); 6].map(|()| expected.clone()));
    let found = insyn::explore(move || assert_eq!(all(), [(); 6].map(|()| expected.clone())));
    assert!(found.failures.is_empty() && found.sequences == 1, "{found}");
}
