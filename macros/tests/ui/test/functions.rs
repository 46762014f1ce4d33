#[insyn::test]
async fn later() {}

#[insyn::test]
const fn at_compile_time() {}

#[insyn::test]
unsafe fn dangerous() {}

#[insyn::test]
extern "C" fn foreign() {}

#[insyn::test]
fn any<T>() {}

#[insyn::test]
fn two(a: u32, b: u32) {}

#[insyn::test]
fn hidden(a: impl Copy) {}

#[insyn::test]
fn changing(a: &mut u32) {}

struct Shop;

impl Shop {
    #[insyn::test]
    fn method(&self) {}
}

#[insyn::test]
#[test]
fn twice() {}

#[insyn::test]
struct NoFunction;

#[insyn::test]
fn out_of_sight() {
    let _ = Mutex::new(1);
}

fn main() {}
