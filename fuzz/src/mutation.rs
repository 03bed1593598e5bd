//! Small changes to a text, chosen by chance from a seed: what slips, cuts and malice do to it.

/// Changes texts, and always in the same way from the same seed.
#[derive(Debug, Clone)]
pub struct Mutation {
    state: u64,
}

/// What is put in: the signs that all formats are made of, numbers at their ends, characters that nobody expects.
const WORDS: [&str; 40] = [
    "\n",
    "\n  ",
    "\n- ",
    ": ",
    "{ ",
    " }",
    "[",
    "]",
    "(",
    ")",
    "\"",
    "'",
    ",",
    " ",
    "#",
    "&a ",
    "*a",
    "!!",
    "|",
    "0",
    "-1",
    "1",
    "255",
    "65536",
    "2147483647",
    "-2147483648",
    "9223372036854775808",
    "1e308",
    "0.5",
    "true",
    "~",
    "../",
    "/dev/zero",
    "\u{1b}[2J",
    "\u{202e}",
    "\u{0}",
    "é",
    "\u{feff}",
    "not ",
    "x",
];

impl Mutation {
    /// Chance that begins here.
    pub fn new(seed: u64) -> Mutation {
        Mutation { state: seed }
    }

    /// A whole number from 0 to less than `most`, which is 1 or more.
    fn below(&mut self, most: usize) -> usize {
        // SplitMix64.
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % most as u64) as usize
    }

    /// One of the texts, changed in one to six places.
    pub fn of(&mut self, texts: &[Vec<u8>]) -> Vec<u8> {
        let mut text = texts[self.below(texts.len())].clone();
        for _ in 0..=self.below(6) {
            let other = self.below(texts.len());
            self.change(&mut text, &texts[other]);
        }
        text
    }

    fn change(&mut self, text: &mut Vec<u8>, other: &[u8]) {
        let at = self.below(text.len() + 1);
        let end = (at + 1 + self.below(40)).min(text.len());
        match self.below(8) {
            0 if at < text.len() => text[at] ^= 1 << self.below(8),
            1 => drop(text.drain(at..end)),
            2 => text.truncate(at),
            3 => {
                let piece = text[at..end].to_vec();
                let times = 1 + self.below(200);
                text.splice(at..at, piece.repeat(times));
            }
            4 => {
                let from = self.below(other.len() + 1);
                let piece = other[from..(from + self.below(200)).min(other.len())].to_vec();
                text.splice(at..end, piece);
            }
            5 => self.change_number(text, at),
            _ => {
                let word = WORDS[self.below(WORDS.len())];
                let until = if self.below(2) == 0 { at } else { end };
                text.splice(at..until, word.bytes());
            }
        }
    }

    /// Puts another number in the place of the first after that byte.
    fn change_number(&mut self, text: &mut Vec<u8>, at: usize) {
        let Some(start) = text[at..].iter().position(u8::is_ascii_digit).map(|n| at + n) else { return };
        let end = text[start..].iter().position(|b| !b.is_ascii_digit()).map_or(text.len(), |n| start + n);
        let numbers = ["0", "1", "-1", "100", "4096", "1000000", "2147483647", "-2147483648", "99999999999999999999"];
        text.splice(start..end, numbers[self.below(numbers.len())].bytes());
    }
}
