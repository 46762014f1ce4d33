fn select() {
    let __open1: ::std::primitive::bool = x || y;
    let __limit: ::std::time::Duration = after(1);
    match (&(a), &(b)) {
        (__source0, __source1) => {
            let __outcome = ::insyn::select::wait(
                &[
                    ::insyn::select::Arm::open(
                        ::insyn::select::Receive::source(__source0),
                    ),
                    ::insyn::select::Arm::guarded(
                        ::insyn::select::Receive::source(__source1),
                        __open1,
                        &::insyn::select::Guard {
                            text: "x || y",
                            file: ::std::file!(),
                            line: ::std::line!(),
                            column: ::std::column!(),
                        },
                    ),
                ],
                ::insyn::select::Otherwise::Timeout(__limit),
            );
            match __outcome {
                ::insyn::select::Outcome::Arm(0, __ticket) => {
                    let m = ::insyn::select::Receive::take(__source0, __ticket);
                    m
                }
                ::insyn::select::Outcome::Arm(1, __ticket) => {
                    let m = ::insyn::select::Receive::take(__source1, __ticket);
                    m
                }
                ::insyn::select::Outcome::Nothing => return,
                ::insyn::select::Outcome::Closed => ::insyn::select::all_closed(),
                ::insyn::select::Outcome::Arm(..) => ::std::unreachable!(),
            }
        }
    }
}
