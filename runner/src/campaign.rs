//! A campaign (mutation run): all mutants of a package, run with its programs.
//!
//! In steps that can be read in this order: [`compile`] builds the package once with all mutants in it, and finds those that
//! do not compile, by [`trials`] whose errors [`blame`] some; [`original`] is what the programs do without mutants; [`pool`] compares each mutant with that, in
//! worker processes that [`threads`] drive, as many as there is [`room`] for; [`state`] keeps what is known on disk, where
//! a [`lock`] keeps other processes out and a [`seal`] shows what was damaged; [`document`] is the result.

mod blame;
pub(crate) mod compile;
pub(crate) mod document;
pub(crate) mod lock;
pub(crate) mod original;
pub(crate) mod pool;
mod profile;
pub(crate) mod room;
mod seal;
pub(crate) mod state;
mod threads;
mod trials;

#[cfg(test)]
pub(crate) use profile::spec as spec_of_profile;

/// FNV-1a: the same hash on every machine and in every release.
pub(crate) fn hash<'b>(parts: impl IntoIterator<Item = &'b [u8]>) -> String {
    let mut hash = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d_u128;
    for part in parts {
        // The length first, so that the end of one part cannot be mistaken for the beginning of the next.
        for byte in (part.len() as u64).to_le_bytes().iter().chain(part) {
            hash = (hash ^ u128::from(*byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b);
        }
    }
    format!("{hash:032x}")
}
