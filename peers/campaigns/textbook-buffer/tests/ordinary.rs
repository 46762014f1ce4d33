//! What one would test without insyn: with real threads, once.

use textbook_buffer::buffer::transfer;

#[test]
fn what_comes_out_is_what_went_in() {
    assert_eq!(transfer(2, vec!['A', 'B', 'C']), ['A', 'B', 'C']);
}
