//! The worked examples of the papers and of the textbook give the printed results.

mod papers;
mod textbook;
