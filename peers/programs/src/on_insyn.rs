//! The programs on insyn, as a user would write them.

use crate::program::{
    CLIENTS, CONSUMERS, PHILOSOPHERS, PROD_CONS_LOCKS, PRODUCERS, Program, REQUESTS, SLOTS, forks_of,
};
use insyn::Explorer;
use insyn::std::sync::{Arc, Condvar, Mutex, mpsc};
use insyn::std::thread;

/// The text of `program`.
pub fn body(program: Program) -> fn() {
    match program {
        Program::FanIn6 => || fan_in(6),
        Program::FanIn7 => || fan_in(7),
        Program::ProdCons => prod_cons,
        Program::BufferMonitor => buffer_monitor,
        Program::BufferServer => buffer_server,
        Program::RequestReply => request_reply,
        Program::Philosophers => philosophers,
    }
}

/// How all of them are explored: with one worker. The peers' condition variables wake the longest waiter, so insyn's do
/// too; only the monitor has any.
pub fn explorer() -> Explorer {
    Explorer::new().workers(1).longest_waiter(true)
}

/// `n` threads send one message each on one channel; main receives them all.
pub fn fan_in(n: usize) {
    let (sender, receiver) = mpsc::channel();
    for i in 0..n {
        let sender = sender.clone();
        thread::spawn(move || sender.send(i).unwrap());
    }
    let sum: usize = (0..n).map(|_| receiver.recv().unwrap()).sum();
    assert_eq!(sum, n * (n - 1) / 2);
}

fn prod_cons() {
    let lock = Arc::new(Mutex::new(0));
    let threads = PROD_CONS_LOCKS.map(|times| {
        let lock = Arc::clone(&lock);
        thread::spawn(move || {
            for _ in 0..times {
                *lock.lock().unwrap() += 1;
            }
        })
    });
    for thread in threads {
        thread.join().unwrap();
    }
}

fn buffer_monitor() {
    struct Buffer {
        items: Mutex<usize>,
        not_full: Condvar,
        not_empty: Condvar,
    }
    let buffer =
        Arc::new(Buffer { items: Mutex::new(0), not_full: Condvar::new(), not_empty: Condvar::new() });
    let mut threads = Vec::new();
    for _ in 0..PRODUCERS {
        let buffer = Arc::clone(&buffer);
        threads.push(thread::spawn(move || {
            let mut items = buffer.items.lock().unwrap();
            while *items == SLOTS {
                items = buffer.not_full.wait(items).unwrap();
            }
            *items += 1;
            buffer.not_empty.notify_one();
        }));
    }
    for _ in 0..CONSUMERS {
        let buffer = Arc::clone(&buffer);
        threads.push(thread::spawn(move || {
            let mut items = buffer.items.lock().unwrap();
            while *items == 0 {
                items = buffer.not_empty.wait(items).unwrap();
            }
            *items -= 1;
            buffer.not_full.notify_one();
        }));
    }
    for thread in threads {
        thread.join().unwrap();
    }
}

fn buffer_server() {
    let (producer, deposit) = insyn::sync::entry::<(), ()>();
    let (consumer, withdraw) = insyn::sync::entry::<(), ()>();
    let mut threads = Vec::new();
    for _ in 0..PRODUCERS {
        let producer = producer.clone();
        threads.push(thread::spawn(move || producer.call(()).unwrap()));
    }
    for _ in 0..CONSUMERS {
        let consumer = consumer.clone();
        threads.push(thread::spawn(move || consumer.call(()).unwrap()));
    }
    let mut items = 0;
    for _ in 0..PRODUCERS + CONSUMERS {
        insyn::select! {
            accept(deposit) -> call if items < SLOTS => {
                items += 1;
                call.reply(());
            },
            accept(withdraw) -> call if items > 0 => {
                items -= 1;
                call.reply(());
            },
        }
    }
    for thread in threads {
        thread.join().unwrap();
    }
}

fn request_reply() {
    let (requests, server) = mpsc::channel::<(usize, mpsc::Sender<usize>)>();
    let clients: Vec<_> = (0..CLIENTS)
        .map(|client| {
            let requests = requests.clone();
            thread::spawn(move || {
                let (reply, answers) = mpsc::channel();
                for _ in 0..REQUESTS {
                    requests.send((client, reply.clone())).unwrap();
                    assert_eq!(answers.recv(), Ok(client + 1));
                }
            })
        })
        .collect();
    for _ in 0..CLIENTS * REQUESTS {
        let (number, reply) = server.recv().unwrap();
        reply.send(number + 1).unwrap();
    }
    for client in clients {
        client.join().unwrap();
    }
}

fn philosophers() {
    let forks: Arc<[Mutex<()>; PHILOSOPHERS]> = Arc::new(std::array::from_fn(|_| Mutex::new(())));
    let philosophers: Vec<_> = (0..PHILOSOPHERS)
        .map(|i| {
            let forks = Arc::clone(&forks);
            thread::spawn(move || {
                let (low, high) = forks_of(i);
                let _low = forks[low].lock().unwrap();
                let _high = forks[high].lock().unwrap();
            })
        })
        .collect();
    for philosopher in philosophers {
        philosopher.join().unwrap();
    }
}
