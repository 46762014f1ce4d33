#[insyn::instrument]
#[unsafe(no_mangle)]
static LOCK: std::sync::Mutex<u32> = std::sync::Mutex::new(0);

fn main() {}
