fn select() {
    match (&(entry),) {
        (__source0,) => {
            let __outcome = ::insyn::select::wait(
                &[
                    ::insyn::select::Arm::open(
                        ::insyn::select::Accept::source(__source0),
                    ),
                ],
                ::insyn::select::Otherwise::Default,
            );
            match __outcome {
                ::insyn::select::Outcome::Arm(0, __ticket) => {
                    let mut call = ::insyn::select::Accept::take(__source0, __ticket);
                    call.reply(())
                }
                ::insyn::select::Outcome::Nothing => {}
                ::insyn::select::Outcome::Closed => ::insyn::select::all_closed(),
                ::insyn::select::Outcome::Arm(..) => ::std::unreachable!(),
            }
        }
    }
}
