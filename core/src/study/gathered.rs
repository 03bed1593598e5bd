//! Outcomes of many dice, gathered: what only tells how they fell tells nobody how it ends.

use std::collections::{BTreeMap, BTreeSet};

use super::odds::{Came, DIE, Share, numbers};

/// Fewer outcomes are read as they are.
const MANY: usize = 24;
/// A sentence whose numbers come out in more ways tells of dice and what they add up to.
const MOST_WAYS: usize = 6;

/// Joins outcomes that differ in nothing but numbers that many dice have made: [`DIE`] stands for each of those, and for a row
/// of them. Nothing where the outcomes are few, which are told as they are, or shares come to more than can be counted.
pub(super) fn gathered(outcomes: &BTreeMap<Came, Share>) -> Option<BTreeMap<Came, Share>> {
    if outcomes.len() <= MANY {
        return None;
    }
    let mut ways: BTreeMap<String, BTreeSet<Vec<&str>>> = BTreeMap::new();
    for line in outcomes.keys().flat_map(|came| &came.told) {
        let filled = numbers(line).0.into_iter().map(|(_, number)| number).collect();
        ways.entry(without_numbers(line)).or_default().insert(filled);
    }
    let mut all: BTreeMap<Came, Share> = BTreeMap::new();
    for (came, share) in outcomes {
        let told = came.told.iter().map(|line| {
            let blank = without_numbers(line);
            let is_of_dice = ways.get(&blank).is_some_and(|ways| ways.len() > MOST_WAYS);
            if is_of_dice { blank } else { line.clone() }
        });
        let came = Came { told: told.collect(), next: came.next.clone() };
        let known = all.get(&came).copied();
        all.insert(came, known.map_or(Some(*share), |known| known.plus(*share))?);
    }
    Some(all)
}

/// A sentence with [`DIE`] for its numbers, and once for several in a row.
fn without_numbers(line: &str) -> String {
    let (pieces, rest) = numbers(line);
    let mut blank = String::new();
    for (before, _) in pieces {
        let goes_on = matches!(before, " " | ", ") && blank.ends_with(DIE);
        if !goes_on {
            blank.push_str(before);
            blank.push_str(DIE);
        }
    }
    blank + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_many_dice_show_is_gathered_and_what_comes_of_them_is_kept() {
        let came = |dice: [u32; 3], lost: u32| Came {
            told: vec![format!("dice: {} {} {}  [x/1]", dice[0], dice[1], dice[2]), format!("Ann: lost {lost}  [x/2]")],
            next: String::new(),
        };
        let all = (1..=6).flat_map(|a| (1..=6).map(move |b| came([a, b, 1], u32::from(a + b > 9))));
        let outcomes: BTreeMap<Came, Share> = all.map(|came| (came, Share::Exact(1, 36))).collect();
        assert_eq!(outcomes.len(), 36);
        let gathered = gathered(&outcomes).expect("they add up");
        let told: Vec<_> = gathered.iter().map(|(came, share)| (came.told.join("; "), *share)).collect();
        assert_eq!(
            told,
            [
                ("dice: *  [x/1]; Ann: lost 0  [x/2]".to_owned(), Share::Exact(5, 6)),
                ("dice: *  [x/1]; Ann: lost 1  [x/2]".to_owned(), Share::Exact(1, 6)),
            ]
        );
    }

    #[test]
    fn few_outcomes_are_told_as_they_are() {
        let came = |die: u32| Came { told: vec![format!("die {die}")], next: String::new() };
        let outcomes: BTreeMap<Came, Share> = (1..=20).map(|die| (came(die), Share::Exact(1, 20))).collect();
        assert_eq!(gathered(&outcomes), None);
    }
}
