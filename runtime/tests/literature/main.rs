//! The worked examples of the papers and of the textbook come out as printed there.

mod papers;
mod textbook;
