pub const ONE: u32 = 1;
