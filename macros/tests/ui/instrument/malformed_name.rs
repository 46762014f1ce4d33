fn main() {
    let name = "lock";
    let _ = insyn::name!(name, 1);
    let _ = insyn::name!("lock");
    insyn::label!(name);
}
