//! `select!` and `select_biased!`, written out as a [`Select`](super::Select) with one operation for each arm.
//!
//! The arms are parsed one by one into lists of the form `[recv arm number (receiver) pattern body]` and `[send arm number
//! (sender) (message) pattern body]`. The words `arm` and `number` in them are two variables: each step of the macro makes
//! new ones, although all have the same names.

/// Waits for one of several operations and runs the arm it belongs to. See `crossbeam_channel::select!`.
///
/// | arm | is taken |
/// |---|---|
/// | `recv(receiver) -> pattern => body` | when a message is received, or every sender is gone |
/// | `send(sender, message) -> pattern => body` | when the message is sent, or every receiver is gone |
/// | `default => body` | when no other arm can be taken now |
/// | `default(timeout) => body` | when no other arm could be taken in time |
///
/// ```
/// use insyn::crossbeam_channel::{select, unbounded};
///
/// let exploration = insyn::explore(|| {
///     let (s1, r1) = unbounded();
///     let (s2, r2) = unbounded();
///     insyn::std::thread::spawn(move || s1.send("one"));
///     insyn::std::thread::spawn(move || s2.send("two"));
///     select! {
///         recv(r1) -> message => assert_eq!(message, Ok("one")),
///         recv(r2) -> message => assert_eq!(message, Ok("two")),
///     }
/// });
/// assert_eq!(exploration.failures.len(), 0);
/// ```
#[doc(hidden)]
#[macro_export]
macro_rules! __crossbeam_channel_select {
    ($($tokens:tt)*) => {
        $crate::__crossbeam_channel_arms!(start (new) $($tokens)*)
    };
}

/// As [`select!`](super::select!), but if several arms can be taken, takes the first. See
/// `crossbeam_channel::select_biased!`.
///
/// ```
/// use insyn::crossbeam_channel::{select_biased, unbounded};
///
/// let (s, r) = unbounded();
/// s.send("urgent").unwrap();
/// let done = select_biased! {
///     recv(r) -> message => message.unwrap(),
///     send(s, "more") -> _ => "sent",
/// };
/// assert_eq!(done, "urgent");
/// ```
#[doc(hidden)]
#[macro_export]
macro_rules! __crossbeam_channel_select_biased {
    ($($tokens:tt)*) => {
        $crate::__crossbeam_channel_arms!(start (new_biased) $($tokens)*)
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __crossbeam_channel_arms {
    (start $new:tt) => {
        ::std::compile_error!("empty `select!` block")
    };
    (start $new:tt $($tokens:tt)*) => {
        $crate::__crossbeam_channel_arms!(read $new [] [] $($tokens)*)
    };

    // ---- `read` takes the arms apart: `read (constructor) [arms so far] [default arm] tokens`. ----
    (read $new:tt $arms:tt $default:tt) => {
        $crate::__crossbeam_channel_arms!(write $new $arms $default)
    };

    (read $new:tt $arms:tt $default:tt recv($r:expr $(,)?) -> $p:pat => $($rest:tt)*) => {
        $crate::__crossbeam_channel_arms!(body $new $arms $default [recv arm number ($r) () ($p)] $($rest)*)
    };
    (read $new:tt $arms:tt $default:tt send($s:expr, $m:expr $(,)?) -> $p:pat => $($rest:tt)*) => {
        $crate::__crossbeam_channel_arms!(body $new $arms $default [send arm number ($s) ($m) ($p)] $($rest)*)
    };
    (read $new:tt $arms:tt [] default => $($rest:tt)*) => {
        $crate::__crossbeam_channel_arms!(body $new $arms [] [default ()] $($rest)*)
    };
    (read $new:tt $arms:tt [] default() => $($rest:tt)*) => {
        $crate::__crossbeam_channel_arms!(body $new $arms [] [default ()] $($rest)*)
    };
    (read $new:tt $arms:tt [] default($timeout:expr $(,)?) => $($rest:tt)*) => {
        $crate::__crossbeam_channel_arms!(body $new $arms [] [default ($timeout)] $($rest)*)
    };

    // Errors in an arm.
    (read $new:tt $arms:tt [$($had:tt)+] default $($rest:tt)*) => {
        ::std::compile_error!("there can be only one `default` case in a `select!` block")
    };
    (read $new:tt $arms:tt $default:tt default $(($($a:tt)*))? -> $($rest:tt)*) => {
        ::std::compile_error!("expected `=>` after `default` case, found `->`")
    };
    (read $new:tt $arms:tt $default:tt default $(($($a:tt)*))? => $($rest:tt)*) => {
        ::std::compile_error!("`default` takes nothing, or the time to wait: `default(timeout) => ..`")
    };
    (read $new:tt $arms:tt $default:tt recv($($a:tt)*) => $($rest:tt)*) => {
        ::std::compile_error!("expected `->` after `recv` case, found `=>`")
    };
    (read $new:tt $arms:tt $default:tt send($($a:tt)*) => $($rest:tt)*) => {
        ::std::compile_error!("expected `->` after `send` operation, found `=>`")
    };
    (read $new:tt $arms:tt $default:tt recv $($rest:tt)*) => {
        ::std::compile_error!("a `recv` case is `recv(receiver) -> pattern => body`")
    };
    (read $new:tt $arms:tt $default:tt send $($rest:tt)*) => {
        ::std::compile_error!("a `send` case is `send(sender, message) -> pattern => body`")
    };
    (read $new:tt $arms:tt $default:tt default $($rest:tt)*) => {
        ::std::compile_error!("a `default` case is `default => body` or `default(timeout) => body`")
    };
    (read $new:tt $arms:tt $default:tt $word:tt $($rest:tt)*) => {
        ::std::compile_error!(::std::concat!(
            "expected one of `recv`, `send`, or `default`, found `",
            ::std::stringify!($word),
            "`"
        ))
    };

    // ---- `body` finds where an arm ends: `body (constructor) [arms so far] [default arm] [arm] tokens`. ----
    // A block is passed on unchanged: its braces know the edition of the program.
    (body $new:tt $arms:tt $default:tt $arm:tt $body:block, $($rest:tt)*) => {
        $crate::__crossbeam_channel_arms!(add $new $arms $default $arm $body $($rest)*)
    };
    (body $new:tt $arms:tt $default:tt $arm:tt $body:expr, $($rest:tt)*) => {
        $crate::__crossbeam_channel_arms!(add $new $arms $default $arm { $body } $($rest)*)
    };
    (body $new:tt $arms:tt $default:tt $arm:tt $body:block; $($rest:tt)*) => {
        ::std::compile_error!("did you mean to put a comma instead of the semicolon after `}`?")
    };
    (body $new:tt $arms:tt $default:tt $arm:tt $body:block $($rest:tt)*) => {
        $crate::__crossbeam_channel_arms!(add $new $arms $default $arm $body $($rest)*)
    };
    (body $new:tt $arms:tt $default:tt $arm:tt $body:expr) => {
        $crate::__crossbeam_channel_arms!(add $new $arms $default $arm { $body })
    };
    (body $new:tt $arms:tt $default:tt $arm:tt) => {
        ::std::compile_error!("expected expression after `=>`")
    };
    (body $new:tt $arms:tt $default:tt $arm:tt $body:expr; $($rest:tt)*) => {
        ::std::compile_error!(::std::concat!(
            "did you mean to put a comma instead of the semicolon after `",
            ::std::stringify!($body),
            "`?"
        ))
    };
    (body $new:tt $arms:tt $default:tt $arm:tt $($rest:tt)*) => {
        ::std::compile_error!("an arm whose body is no block ends with a comma")
    };

    (add $new:tt [$($arms:tt)*] [] [default $timeout:tt] $body:tt $($rest:tt)*) => {
        $crate::__crossbeam_channel_arms!(read $new [$($arms)*] [$timeout $body] $($rest)*)
    };
    (add $new:tt [$($arms:tt)*] $default:tt [$($arm:tt)*] $body:tt $($rest:tt)*) => {
        $crate::__crossbeam_channel_arms!(read $new [$($arms)* [$($arm)* $body]] $default $($rest)*)
    };

    // ---- `write` writes the expansion. ----
    // The expressions in `recv(..)` and `send(..)` are evaluated once, in order, and live while the body runs, as in a
    // `match`; a message is evaluated only if it is sent.
    (write ($new:ident)
        [$([$kind:ident $arm:ident $number:ident ($e:expr) $m:tt $p:tt $body:tt])*]
        $default:tt
    ) => {
        match ($(&$e,)*) {
            ($($arm,)*) => {
                $(let $arm = $crate::crossbeam_channel::internal::$kind($arm);)*
                #[allow(unused_mut)]
                let mut select = $crate::crossbeam_channel::Select::$new();
                $(let $number = select.$kind($arm);)*
                $crate::__crossbeam_channel_arms!(
                    run select $default [$([$kind $arm $number $m $p $body])*]
                )
            }
        }
    };

    (run $select:ident [] $arms:tt) => {{
        let operation = $crate::crossbeam_channel::internal::select($select);
        $crate::__crossbeam_channel_arms!(finish operation $arms)
    }};
    (run $select:ident [() $body:tt] $arms:tt) => {
        if let ::std::option::Option::Some(operation) = $crate::crossbeam_channel::internal::try_select($select) {
            let operation = ::std::mem::ManuallyDrop::into_inner(operation);
            $crate::__crossbeam_channel_arms!(finish operation $arms)
        } else $body
    };
    (run $select:ident [($timeout:expr) $body:tt] $arms:tt) => {
        if let ::std::option::Option::Some(operation) =
            $crate::crossbeam_channel::internal::select_timeout($select, $timeout)
        {
            let operation = ::std::mem::ManuallyDrop::into_inner(operation);
            $crate::__crossbeam_channel_arms!(finish operation $arms)
        } else $body
    };

    (finish $operation:ident
        [$([$kind:ident $arm:ident $number:ident ($($m:expr)?) ($p:pat) $body:tt])*]
    ) => {
        match $operation.index() {
            $(index if index == $number => {
                let result = $operation.$kind($arm $(, $m)?);
                let $p = result;
                $body
            })*
            _ => ::std::unreachable!("a select has chosen one of its operations"),
        }
    };
}

/// What the macros expand to.
#[doc(hidden)]
pub mod internal {
    use std::mem::ManuallyDrop;
    use std::time::Duration;

    use super::super::{Receiver, Select, SelectedOperation, Sender};

    // A pointer to a handle is enough, as for a method.
    pub fn recv<T>(r: &Receiver<T>) -> &Receiver<T> {
        r
    }

    pub fn send<T>(s: &Sender<T>) -> &Sender<T> {
        s
    }

    // These take the select by value, and their results need no drop if nothing was chosen, so that a body may use the
    // handles freely.
    #[track_caller]
    pub fn select(mut select: Select<'_>) -> SelectedOperation<'_> {
        select.select()
    }

    #[track_caller]
    pub fn try_select(mut select: Select<'_>) -> Option<ManuallyDrop<SelectedOperation<'_>>> {
        select.try_select().ok().map(ManuallyDrop::new)
    }

    #[track_caller]
    pub fn select_timeout(
        mut select: Select<'_>,
        timeout: Duration,
    ) -> Option<ManuallyDrop<SelectedOperation<'_>>> {
        select.select_timeout(timeout).ok().map(ManuallyDrop::new)
    }
}
