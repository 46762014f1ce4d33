#[insyn::test(worker = 2)]
fn misspelt() {}

#[insyn::test(colour = "red")]
fn unknown() {}

#[insyn::test(workers)]
fn no_number() {}

#[insyn::test(workers = "two")]
fn a_text() {}

#[insyn::test(longest_waiter = 1)]
fn no_switch() {}

#[insyn::test(input = {slots: 2})]
fn no_text(slots: u32) {}

#[insyn::test(input = "1", input_file = "one.yaml")]
fn two_inputs(slots: u32) {}

#[insyn::test(input = "1")]
fn takes_none() {}

#[insyn::test(seed = 1, seed = 2)]
fn twice() {}

#[insyn::test(imports)]
fn no_imports() {}

#[insyn::test("text")]
fn no_name() {}

fn main() {}
