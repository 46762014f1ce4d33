fn select() {
    let __open0: ::std::primitive::bool = self.full < SLOTS;
    match (&(self.deposit), &(orders)) {
        (__source0, __source1) => {
            let __outcome = ::insyn::select::wait(
                &[
                    ::insyn::select::Arm::guarded(
                        ::insyn::select::Accept::source(__source0),
                        __open0,
                        &::insyn::select::Guard {
                            text: "self.full < SLOTS",
                            file: ::std::file!(),
                            line: ::std::line!(),
                            column: ::std::column!(),
                        },
                    ),
                    ::insyn::select::Arm::open(
                        ::insyn::select::Receive::source(__source1),
                    ),
                ],
                ::insyn::select::Otherwise::Wait,
            );
            match __outcome {
                ::insyn::select::Outcome::Arm(0, __ticket) => {
                    let call = ::insyn::select::Accept::take(__source0, __ticket);
                    { self.deposit(call) }
                }
                ::insyn::select::Outcome::Arm(1, __ticket) => {
                    let Order { id, .. } = ::insyn::select::Receive::take(
                        __source1,
                        __ticket,
                    );
                    id
                }
                ::insyn::select::Outcome::Nothing => ::insyn::select::cannot_time_out(),
                ::insyn::select::Outcome::Closed => break,
                ::insyn::select::Outcome::Arm(..) => ::std::unreachable!(),
            }
        }
    }
}
