//! Numbers as tables print them.

/// `12,345,678`
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::grouped;

    #[test]
    fn digits_are_grouped_by_three() {
        assert_eq!(
            [0, 999, 1_000, 362_880, 1_073_942].map(grouped),
            ["0", "999", "1,000", "362,880", "1,073,942"]
        );
    }
}
