#[cfg(test)]
#[allow(warnings)]
pub mod server {
    //! A server.
    #![allow(dead_code)]
    mod store {
        //! In a file of its own.
        pub(super) fn price(order: u32) -> u32 {
            ::insyn::macro_support::place("files/store.rs", 4, 5);
            ::insyn::macro_support::at(
                ::insyn::macro_support::place("files/store.rs", 4, 18),
                ::insyn::std::thread::yield_now(),
            );
            order
        }
        const _: &[u8] = ::insyn::macro_support::core::include_bytes!("files/store.rs");
    }
    mod elsewhere {
        use ::insyn::std::thread;
        const _: &[u8] = ::insyn::macro_support::core::include_bytes!("files/other.rs");
    }
    #[cfg(windows)]
    mod missing;
    use ::insyn::std::sync::mpsc::Receiver;
    use ::insyn::std::sync::Arc;
    use ::insyn::std::sync::Mutex;
    const LIMIT: usize = { 1 + 1 };
    /// Serves.
    pub fn serve(orders: Receiver<u32>, total: Arc<Mutex<u32>>) -> u32 {
        ::insyn::macro_support::place("files/server.rs", 19, 5);
        for order in orders {
            ::insyn::macro_support::place("files/server.rs", 20, 9);
            *::insyn::macro_support::then(
                    ::insyn::macro_support::at(
                        ::insyn::macro_support::place("files/server.rs", 20, 16),
                        total.lock(),
                    ),
                    ::insyn::macro_support::place("files/server.rs", 20, 23),
                )
                .unwrap() += store::price(order);
        }
        ::insyn::macro_support::place("files/server.rs", 22, 5);
        let all = vec![1, 2];
        ::insyn::macro_support::place("files/server.rs", 23, 5);
        let sum = ::insyn::macro_support::at(
                ::insyn::macro_support::place("files/server.rs", 23, 21),
                total.lock(),
            )
            .map(|n| *n);
        ::insyn::macro_support::place("files/server.rs", 24, 5);
        assert!(
            all[0] > 0, "{}",
            ::insyn::macro_support::then(::insyn::macro_support::at(::insyn::macro_support::place("files/server.rs",
            24, 37), total.lock()), ::insyn::macro_support::place("files/server.rs", 24,
            44)).unwrap()
        );
        ::insyn::macro_support::place("files/server.rs", 25, 5);
        ::insyn::macro_support::then(
                reply(&total)
                    .send(
                        ::insyn::macro_support::then(
                            ::insyn::macro_support::at(
                                ::insyn::macro_support::place("files/server.rs", 25, 28),
                                sum.unwrap(),
                            ),
                            ::insyn::macro_support::place("files/server.rs", 25, 19),
                        ),
                    ),
                ::insyn::macro_support::place("files/server.rs", 25, 38),
            )
            .unwrap();
        ::insyn::macro_support::place("files/server.rs", 26, 5);
        ::insyn::std::thread::sleep(
            ::insyn::macro_support::then(
                ::insyn::std::time::Duration::from_secs(LIMIT as u64),
                ::insyn::macro_support::place("files/server.rs", 26, 18),
            ),
        );
        mod inline {
            use super::*;
        }
        0
    }
    const _: &[u8] = ::insyn::macro_support::core::include_bytes!("files/server.rs");
}
