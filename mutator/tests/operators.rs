//! Every operator, by what it makes of a piece of code.

use std::collections::BTreeSet;

use insyn_mutator::{Operator, Options, Selection, find};

/// The operator, a statement, and all that becomes of it.
const ROWS: &[(&str, &str, &[&str])] = &[
    // guards
    ("GNG", "if a < b { f(); }", &["if !(a < b) { f(); }"]),
    ("GNG", "if !done { f(); }", &["if done { f(); }"]),
    ("GNG", "while q.is_empty() { f(); }", &["while !q.is_empty() { f(); }"]),
    ("GNG", "if let Some(x) = y && x.ok { f(); }", &["if let Some(x) = y && !x.ok { f(); }"]),
    ("GNG", "while true { f(); }", &[]),
    ("GTR", "match x { n if n > 1 => 1, _ => 2 };", &["match x { n if true => 1, _ => 2 };"]),
    ("GFA", "if a { f(); }", &["if false { f(); }"]),
    ("GBS", "if a < b { f(); }", &["if a <= b { f(); }"]),
    ("GBS", "while a as u8 > b { f(); }", &["while a as u8 >= b { f(); }"]),
    (
        "GBS",
        "if a as u8 >= b || c <= d { f(); }",
        &["if a as u8 > b || c <= d { f(); }", "if a as u8 >= b || c < d { f(); }"],
    ),
    ("GOB", "if n < cap { f(); }", &["if n + 1 < cap { f(); }"]),
    ("GOB", "if n > 0 { f(); }", &[]),
    ("GOB", "if n == cap { f(); }", &["if n + 1 == cap { f(); }", "if n == cap + 1 { f(); }"]),
    ("GDC", "if a && b { f(); }", &["if a { f(); }", "if b { f(); }"]),
    ("GCR", "if a && b && c { f(); }", &["if (a || b) && c { f(); }", "if a && b || c { f(); }"]),
    ("GSC", "if a() && b { f(); }", &["if b && a() { f(); }"]),
    ("GSC", "if a && b { f(); }", &[]),
    // operators
    (
        "ROR",
        "let c = a < b;",
        &["let c = a != b;", "let c = a <= b;", "let c = a == b;", "let c = a > b;", "let c = a >= b;"],
    ),
    (
        "ROR",
        "if a == b { f(); }",
        &["if a < b { f(); }", "if a <= b { f(); }", "if a > b { f(); }", "if a >= b { f(); }"],
    ),
    ("AOR", "let c = a + b;", &["let c = a % b;", "let c = a * b;", "let c = a - b;", "let c = a / b;"]),
    (
        "AOR",
        "let c = a * (b + d);",
        &[
            "let c = a % (b + d);",
            "let c = a * (b % d);",
            "let c = a * (b * d);",
            "let c = a * (b - d);",
            "let c = a * (b / d);",
            "let c = a + (b + d);",
            "let c = a - (b + d);",
            "let c = a / (b + d);",
        ],
    ),
    (
        "AOR",
        "let c = a * b - d;",
        &[
            "let c = (a + b) - d;",
            "let c = (a - b) - d;",
            "let c = a % b - d;",
            "let c = a * b % d;",
            "let c = a * b * d;",
            "let c = a * b + d;",
            "let c = a * b / d;",
            "let c = a / b - d;",
        ],
    ),
    ("LCR", "let c = a && b;", &["let c = a || b;"]),
    ("BOR", "let c = a & b;", &["let c = a ^ b;", "let c = a | b;"]),
    ("BOR", "let c = a >> 1;", &["let c = a << 1;"]),
    ("UOD", "let c = !a;", &["let c = a;"]),
    ("ASR", "n += k;", &["n %= k;", "n *= k;", "n -= k;", "n /= k;"]),
    ("CRP", "let n = 5;", &["let n = 0;", "let n = 1;", "let n = 4;", "let n = 6;"]),
    ("CRP", "let n = 0u8;", &["let n = 1u8;", "let n = u8::MAX;"]),
    (
        "CRP",
        "let n = 1i32;",
        &["let n = (-1i32);", "let n = 0i32;", "let n = 2i32;", "let n = i32::MAX;", "let n = i32::MIN;"],
    ),
    ("CRP", "let n = -1;", &["let n = -2;", "let n = 0;", "let n = 1;"]),
    ("CRP", "let n = [0; 4];", &["let n = [1; 4];"]),
    ("RNG", "for i in 0..n { f(); }", &["for i in 0..=n { f(); }"]),
    ("BLR", "let b = true;", &["let b = false;"]),
    (
        "SDL",
        "f(x); let y = 1; g(y)?; y = 2;",
        &[" let y = 1; g(y)?; y = 2;", "f(x); let y = 1;  y = 2;", "f(x); let y = 1; g(y)?; "],
    ),
    ("SDL", "if a { f(); } else { return; }", &["if a {  } else { return; }"]),
    ("RET", "f(x);", &[" return;f(x);"]),
    (
        "BCR",
        "loop { if a { break; } continue; }",
        &["loop { if a { break; } break; }", "loop { if a { continue; } continue; }"],
    ),
    ("BCR", "'a: { break 'a; }", &[]),
    (
        "MAD",
        "match x { A => 1, B if c => 2, _ => 3 };",
        &["match x { A if false => 1, B if c => 2, _ => 3 };"],
    ),
    ("MAD", "match x { Some(n) => n, None => 3 };", &[]),
    // channels
    ("SND", "tx.send(v).unwrap();", &["drop(v);"]),
    (
        "SND",
        "if tx.send(v).is_err() { f(); }",
        &["if (if true { drop(v); Ok(()) } else { tx.send(unreachable!()) }).is_err() { f(); }"],
    ),
    (
        "SDU",
        "tx.send(v)?;",
        &[
            "({ let insyn_message = v; let _ = tx.send(Clone::clone(&insyn_message)); tx.send(insyn_message) })?;",
        ],
    ),
    (
        "STS",
        "let (a, b) = c; a.send(1); b.send(2);",
        &["let (a, b) = c; a.send(1); a.send(2);", "let (a, b) = c; b.send(1); b.send(2);"],
    ),
    (
        "STS",
        "let a = c; a.send(1); { let b = d; b.send(2); }",
        &["let a = c; a.send(1); { let b = d; a.send(2); }"],
    ),
    ("SOS", "a.send(1).unwrap(); b.send(2).unwrap();", &["b.send(2).unwrap(); a.send(1).unwrap();"]),
    (
        "CCP",
        "let c = sync_channel(2);",
        &["let c = sync_channel(0);", "let c = sync_channel(1);", "let c = sync_channel(3);"],
    ),
    (
        "CCP",
        "let c = bounded(a & b);",
        &["let c = bounded((a & b) + 1);", "let c = bounded((a & b) - 1);", "let c = bounded(0);"],
    ),
    ("CSY", "let c = crossbeam_channel::bounded(1);", &["let c = crossbeam_channel::unbounded();"]),
    ("RTR", "let v = rx.recv();", &["let v = rx.try_recv().map_err(|_| std::sync::mpsc::RecvError);"]),
    (
        "TRR",
        "let v = rx.try_recv();",
        &["let v = rx.recv().map_err(|_| std::sync::mpsc::TryRecvError::Disconnected);"],
    ),
    (
        "STT",
        "let (tx, rx) = crossbeam_channel::bounded(1); tx.send(v);",
        &[
            "let (tx, rx) = crossbeam_channel::bounded(1); tx.try_send(v).map_err(|e| crossbeam_channel::SendError(e.into_inner()));",
        ],
    ),
    ("STT", "let (tx, rx) = channel(); tx.send(v);", &[]),
    ("RDD", "let v = rx.recv();", &["let v = ({ let _ = rx.recv(); rx.recv() });"]),
    ("DSR", "drop(tx);", &["std::mem::forget(tx);"]),
    ("DSE", "f(x); drop(tx);", &["drop(tx); f(x);"]),
    (
        "DSE",
        "let (tx, rx) = channel(); g(&tx); f(rx); h();",
        &["let (tx, rx) = channel(); g(&tx); drop(tx); f(rx); h();"],
    ),
    ("DSE", "let (tx, rx) = channel(); g(tx); f(rx);", &[]),
    (
        "ARD",
        "insyn::select! { recv(a) -> m => f(m), recv(b) -> m if g => h(m) }",
        &["insyn::select! { recv(a) -> m if false => f(m), recv(b) -> m if g => h(m) }"],
    ),
    (
        "ARD",
        "crossbeam_channel::select! { recv(a) -> m => f(m) }",
        &["crossbeam_channel::select! { recv(crossbeam_channel::never()) -> m => f(m) }"],
    ),
    (
        "ARD",
        "crossbeam_channel::select! { send(a, 1) -> r => f(r), default(d) => () }",
        &[
            "crossbeam_channel::select! {  default(d) => () }",
            "crossbeam_channel::select! { send(a, 1) -> r => f(r),  }",
        ],
    ),
    (
        "ARD",
        "insyn::select! { recv(a) -> m if g => f(m), timeout(d) => () }",
        &["insyn::select! { recv(a) -> m if g => f(m),  }"],
    ),
    (
        "ARS",
        "select! { recv(a) -> m => f(m), recv(b) -> m => h(m), default => () }",
        &["select! { recv(b) -> m => f(m), recv(a) -> m => h(m), default => () }"],
    ),
    (
        "ARO",
        "select_biased! { recv(a) -> m => f(m), recv(b) -> m => h(m) }",
        &["select_biased! { recv(b) -> m => h(m), recv(a) -> m => f(m) }"],
    ),
    ("RPD", "call.reply(v);", &["drop((call, v));"]),
    ("RPM", "let v = 1; f(x); call.reply(v);", &["let v = 1; call.reply(v); f(x);"]),
    ("RPM", "f(call.take()); call.reply(v);", &[]),
    // locks and conditions
    (
        "LSP",
        "let g = m.lock().unwrap(); f(&g); h(&g);",
        &["let g = m.lock().unwrap(); f(&g); drop(g); let g = m.lock().unwrap(); h(&g);"],
    ),
    (
        "LSK",
        "let g = m.lock().unwrap(); f(); h(&g); i();",
        &[
            "f(); let g = m.lock().unwrap(); h(&g); i();",
            "let g = m.lock().unwrap(); f(); h(&g); drop(g); i();",
        ],
    ),
    (
        "LEX",
        "f(); let g = m.lock().unwrap(); h(&g); drop(g); i();",
        &[
            "f(); let g = m.lock().unwrap(); h(&g);  i();",
            "let g = m.lock().unwrap(); f(); h(&g); drop(g); i();",
        ],
    ),
    (
        "LSO",
        "let a = m.lock().unwrap(); let b = n.lock().unwrap(); f(a, b);",
        &["let b = n.lock().unwrap(); let a = m.lock().unwrap(); f(a, b);"],
    ),
    ("LSO", "let a = m.lock().unwrap(); let b = a.n.lock().unwrap(); f(a, b);", &[]),
    (
        "LEO",
        "let (m, n) = c; let a = m.lock().unwrap(); n.lock().unwrap();",
        &[
            "let (m, n) = c; let a = m.lock().unwrap(); m.lock().unwrap();",
            "let (m, n) = c; let a = n.lock().unwrap(); n.lock().unwrap();",
        ],
    ),
    (
        "LEO",
        "let (m, n) = c; let a = m.read().unwrap(); *n.write().unwrap() = 1;",
        &[
            "let (m, n) = c; let a = m.read().unwrap(); *m.write().unwrap() = 1;",
            "let (m, n) = c; let a = n.read().unwrap(); *n.write().unwrap() = 1;",
        ],
    ),
    ("LTL", "let a = m.lock().unwrap();", &["let a = m.try_lock().unwrap();"]),
    ("LTL", "let a = m.lock();", &[]),
    (
        "LLK",
        "let a = m.lock().unwrap(); f(&a); drop(a);",
        &["let a = m.lock().unwrap(); f(&a); std::mem::forget(a);"],
    ),
    ("CWI", "while a { g = c.wait(g).unwrap(); }", &["if a { g = c.wait(g).unwrap(); }"]),
    ("CWI", "while a { g = c.wait(g).unwrap(); break; }", &[]),
    ("CWD", "g = c.wait(g).unwrap();", &["g = g;"]),
    ("CWD", "items.wait(&self.not_full);", &[""]),
    ("CWT", "g = c.wait(g).unwrap();", &["g = c.wait_timeout(g, std::time::Duration::ZERO).unwrap().0;"]),
    ("CWW", "g = c.wait_while(g, |n| n > 1).unwrap();", &["g = c.wait(g).unwrap();"]),
    (
        "CNX",
        "c.notify_one(); m.signal_all(&c);",
        &["c.notify_all(); m.signal_all(&c);", "c.notify_one(); m.signal(&c);"],
    ),
    (
        "CND",
        "if a { c.notify_one() } else { c.notify_all(); }",
        &["if a { () } else { c.notify_all(); }", "if a { c.notify_one() } else {  }"],
    ),
    ("CNB", "f(x); c.notify_one();", &["c.notify_one(); f(x);"]),
    // semaphores, threads, time
    ("SMP", "let s = Semaphore::new(1);", &["let s = Semaphore::new(0);", "let s = Semaphore::new(2);"]),
    (
        "BRP",
        "let b = Barrier::new(n);",
        &["let b = Barrier::new(0);", "let b = Barrier::new(n + 1);", "let b = Barrier::new(n - 1);"],
    ),
    ("SAD", "s.acquire(); f(); s.release();", &[" f(); s.release();", "s.acquire(); f(); "]),
    ("SAR", "s.acquire();", &["s.acquire(); s.acquire();"]),
    ("SAO", "s.acquire(); t.acquire();", &["t.acquire(); s.acquire();"]),
    (
        "SPF",
        "let p = s.acquire(); f(); drop(p);",
        &[
            "let p = s.acquire(); f(); std::mem::forget(p);",
            "let p = s.acquire(); std::mem::forget(p); f(); drop(p);",
        ],
    ),
    ("BWD", "b.wait();", &[""]),
    ("TJD", "h.join().unwrap();", &[""]),
    (
        "TJO",
        "let a = h.join().unwrap(); let b = i.join().unwrap();",
        &["let b = i.join().unwrap(); let a = h.join().unwrap();"],
    ),
    ("TSI", "thread::spawn(f);", &["({ let insyn_value = f(); thread::spawn(move || insyn_value) });"]),
    (
        "TSF",
        "thread::spawn(f);",
        &[
            "(match thread::spawn(f).join() { Ok(value) => thread::spawn(move || value), Err(panic) => std::panic::resume_unwind(panic) });",
        ],
    ),
    ("TSD", "spawn(|| 1);", &["spawn(move || { let _never = (|| 1); loop { std::thread::park(); } });"]),
    (
        "ARM",
        "a.fetch_add(1, Ordering::Relaxed);",
        &[
            "({ let insyn_old = a.load(std::sync::atomic::Ordering::SeqCst); a.store(insyn_old.wrapping_add(1), std::sync::atomic::Ordering::SeqCst); insyn_old });",
        ],
    ),
    ("ARM", "list.swap(1, 2);", &[]),
    ("AFD", "fence(Ordering::SeqCst);", &[""]),
    (
        "MXT",
        "let r = rx.recv_timeout(d);",
        &["let r = rx.recv_timeout(d * 2);", "let r = rx.recv_timeout(std::time::Duration::ZERO);"],
    ),
    (
        "MXT",
        "insyn::select! { recv(a) -> m => f(m), timeout(d) => () }",
        &[
            "insyn::select! { recv(a) -> m => f(m), timeout(d * 2) => () }",
            "insyn::select! { recv(a) -> m => f(m), timeout(std::time::Duration::ZERO) => () }",
        ],
    ),
    (
        "MTD",
        "let r = rx.recv_timeout(d);",
        &["let r = rx.recv().map_err(|_| std::sync::mpsc::RecvTimeoutError::Disconnected);"],
    ),
    (
        "MTD",
        "let r = tx.send_timeout(v, d);",
        &["let r = tx.send(v).map_err(|e| std::sync::mpsc::SendTimeoutError::Disconnected(e.0));"],
    ),
    ("MTD", "thread::park_timeout(d);", &["thread::park();"]),
    ("MTD", "g = cv.wait_timeout(g, d).unwrap().0;", &["g = cv.wait(g).unwrap();"]),
    ("MTD", "let (g, r) = cv.wait_timeout(g, d).unwrap();", &[]),
    ("MSD", "thread::sleep(d);", &[""]),
];

#[test]
fn operators_make_what_they_say() {
    let mut wrong = Vec::new();
    for (code, before, after) in ROWS {
        let (head, tail) = ("#[insyn::instrument] fn f() {", "}");
        let source = format!("{head}{before}{tail}");
        let options =
            Options { operators: Selection::parse(code).expect("it is there"), ..Options::default() };
        let found = find("src/lib.rs", &source, &options).unwrap_or_else(|error| panic!("{before}: {error}"));
        let mut made: Vec<String> = found
            .mutants
            .iter()
            .map(|mutant| mutant.apply(&source).expect("it is of this text"))
            .map(|text| text[head.len()..text.len() - tail.len()].to_owned())
            .collect();
        made.sort();
        if made != *after {
            wrong.push(format!("{code} of `{before}` makes\n{made:#?}\nand not\n{after:#?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_operator_is_tried() {
    let tried: BTreeSet<&str> = ROWS.iter().filter(|row| !row.2.is_empty()).map(|row| row.0).collect();
    let all: BTreeSet<&str> = Operator::all().map(|operator| operator.code).collect();
    assert_eq!(tried, all);
    assert_eq!(Operator::all().count(), all.len(), "two operators have one code");
}
