//! The operations that atomic types have in common, as macros: each type has its own real counterpart.

/// Declares the operations that read a value and write another in one step.
macro_rules! fetches {
    ($t:ident: $($(#[$doc:meta])* $name:ident = $with:expr;)*) => {$(
        $(#[$doc])*
        #[track_caller]
        pub fn $name(&self, value: $t, order: Ordering) -> $t {
            match &self.0 {
                Backend::Real(real) => real.$name(value, order),
                Backend::Controlled(variable) => {
                    let with: fn(u64, u64, u64) -> Option<u64> = |old, value, _| {
                        let with: fn($t, $t) -> $t = $with;
                        Some(with($t::from_bits(old), $t::from_bits(value)).to_bits())
                    };
                    variable.change(with, value.to_bits(), Location::caller())
                }
            }
        }
    )*};
}
pub(super) use fetches;

/// Declares what all atomic types have.
macro_rules! common {
    ([$($generics:tt)*] $name:ty, $real:ident, $t:ty) => {
        impl<$($generics)*> $name {
            /// A variable. (Not `const`: under control it belongs to the execution it is made in.)
            #[must_use]
            pub fn new(value: $t) -> Self {
                Self(Backend::new(value, real::$real::new))
            }

            /// The value; the exclusive borrow keeps all other threads out.
            #[track_caller]
            pub fn get_mut(&mut self) -> &mut $t {
                match &mut self.0 {
                    Backend::Real(real) => real.get_mut(),
                    Backend::Controlled(variable) => variable.lend(),
                }
            }

            /// The value.
            #[track_caller]
            pub fn into_inner(self) -> $t {
                match self.0 {
                    Backend::Real(real) => real.into_inner(),
                    Backend::Controlled(variable) => variable.latest(),
                }
            }

            /// Does not compile; the compiler's message explains why. (A bound that no type meets is allowed on a function
            /// if it seems to depend on a parameter.)
            #[doc(hidden)]
            pub const fn as_ptr(&self) -> *mut $t
            where
                for<'never> Self: super::InMemory,
            {
                unreachable!()
            }

            /// Does not compile; the compiler's message explains why.
            ///
            /// # Safety
            /// It cannot be called.
            #[doc(hidden)]
            pub const unsafe fn from_ptr<'a>(_: *mut $t) -> &'a Self
            where
                for<'never> Self: super::InMemory,
            {
                unreachable!()
            }

            /// Reads the value.
            ///
            /// # Panics
            /// If `order` is [`Ordering::Release`] or [`Ordering::AcqRel`].
            #[track_caller]
            pub fn load(&self, order: Ordering) -> $t {
                match &self.0 {
                    Backend::Real(real) => real.load(order),
                    Backend::Controlled(variable) => variable.load(order, Location::caller()),
                }
            }

            /// Writes a value.
            ///
            /// # Panics
            /// If `order` is [`Ordering::Acquire`] or [`Ordering::AcqRel`].
            #[track_caller]
            pub fn store(&self, value: $t, order: Ordering) {
                match &self.0 {
                    Backend::Real(real) => real.store(value, order),
                    Backend::Controlled(variable) => variable.store(value, order, Location::caller()),
                }
            }

            /// Writes a value; returns the old value.
            #[track_caller]
            pub fn swap(&self, value: $t, order: Ordering) -> $t {
                match &self.0 {
                    Backend::Real(real) => real.swap(value, order),
                    Backend::Controlled(variable) => {
                        variable.change(|_, new, _| Some(new), value.to_bits(), Location::caller())
                    }
                }
            }

            /// Writes `new` if the value is `current`; returns the old value either way.
            #[deprecated(note = "replaced by `compare_exchange`, as in the standard library")]
            #[track_caller]
            pub fn compare_and_swap(&self, current: $t, new: $t, order: Ordering) -> $t {
                let failure = match order {
                    Ordering::Release => Ordering::Relaxed,
                    Ordering::AcqRel => Ordering::Acquire,
                    order => order,
                };
                let (Ok(old) | Err(old)) = self.compare_exchange(current, new, order, failure);
                old
            }

            /// Writes `new` if the value is `current`; returns the old value, as an error if it differs from `current`.
            ///
            /// # Errors
            /// If the value is not `current`.
            ///
            /// # Panics
            /// If `failure` is [`Ordering::Release`] or [`Ordering::AcqRel`].
            #[track_caller]
            pub fn compare_exchange(
                &self,
                current: $t,
                new: $t,
                success: Ordering,
                failure: Ordering,
            ) -> Result<$t, $t> {
                match &self.0 {
                    Backend::Real(real) => real.compare_exchange(current, new, success, failure),
                    Backend::Controlled(variable) => {
                        variable.compare_exchange(current, new, [success, failure], Location::caller())
                    }
                }
            }

            /// As [`compare_exchange`](Self::compare_exchange), but may fail spuriously; in a program under test only if
            /// [`Explorer::spurious_failures`](crate::Explorer::spurious_failures) is set.
            ///
            /// # Errors
            /// As [`compare_exchange`](Self::compare_exchange).
            ///
            /// # Panics
            /// As [`compare_exchange`](Self::compare_exchange).
            #[track_caller]
            pub fn compare_exchange_weak(
                &self,
                current: $t,
                new: $t,
                success: Ordering,
                failure: Ordering,
            ) -> Result<$t, $t> {
                match &self.0 {
                    Backend::Real(real) => real.compare_exchange_weak(current, new, success, failure),
                    Backend::Controlled(variable) => {
                        variable.compare_exchange_weak(current, new, [success, failure], Location::caller())
                    }
                }
            }

            /// Writes what `f` makes of the value, and tries again until no other write comes in between; returns the old
            /// value, as an error if `f` returns none. Under control: a load, and then a `compare_exchange_weak` for every
            /// attempt.
            ///
            /// # Errors
            /// If `f` returns none.
            ///
            /// # Panics
            /// If `fetch_order` is [`Ordering::Release`] or [`Ordering::AcqRel`].
            #[track_caller]
            pub fn fetch_update<F>(
                &self,
                set_order: Ordering,
                fetch_order: Ordering,
                mut f: F,
            ) -> Result<$t, $t>
            where
                F: FnMut($t) -> Option<$t>,
            {
                let mut old = self.load(fetch_order);
                while let Some(new) = f(old) {
                    match self.compare_exchange_weak(old, new, set_order, fetch_order) {
                        Ok(old) => return Ok(old),
                        Err(another) => old = another,
                    }
                }
                Err(old)
            }

            /// As [`fetch_update`](Self::fetch_update), by its new name.
            ///
            /// # Errors
            /// As [`fetch_update`](Self::fetch_update).
            ///
            /// # Panics
            /// As [`fetch_update`](Self::fetch_update).
            #[track_caller]
            pub fn try_update(
                &self,
                set_order: Ordering,
                fetch_order: Ordering,
                f: impl FnMut($t) -> Option<$t>,
            ) -> Result<$t, $t> {
                self.fetch_update(set_order, fetch_order, f)
            }

            /// As [`fetch_update`](Self::fetch_update), where `f` always returns a value; returns the old value.
            ///
            /// # Panics
            /// As [`fetch_update`](Self::fetch_update).
            #[track_caller]
            pub fn update(
                &self,
                set_order: Ordering,
                fetch_order: Ordering,
                mut f: impl FnMut($t) -> $t,
            ) -> $t {
                let (Ok(old) | Err(old)) = self.fetch_update(set_order, fetch_order, |old| Some(f(old)));
                old
            }
        }

        impl<$($generics)*> From<$t> for $name {
            fn from(value: $t) -> Self {
                Self::new(value)
            }
        }

        impl<$($generics)*> RefUnwindSafe for $name {}

        /// This reads the value: under control, an operation of the program.
        impl<$($generics)*> fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(&self.load(Ordering::Relaxed), f)
            }
        }
    };
}
pub(super) use common;
