//! Amendments that name each other in a circle: none could come first, or none be on before the others.

use super::Amendment;
use crate::{diagnostic::Diagnostics, library::Library};

/// A list in which an amendment names others, and what it says of it and them.
struct Way {
    key: &'static str,
    says: &'static str,
    follows: &'static str,
    help: &'static str,
}

const WAYS: [Way; 2] = [
    Way {
        key: "needs",
        says: "needs",
        follows: "can be on without the other",
        help: "join them in one amendment, or take one `needs:` away",
    },
    Way { key: "after", says: "comes after", follows: "can come before the other", help: "take one `after:` away" },
];

/// Tells of every circle, at its first amendment, where the others name the next.
pub(super) fn check(all: &[&Amendment], library: &Library, found: &mut Diagnostics) {
    for way in &WAYS {
        let names = |one: &Amendment| -> Vec<usize> {
            let named = |other: &Amendment| other.id != one.id && one.named(way.key).contains(&other.id);
            (0..all.len()).filter(|at| named(all[*at])).collect()
        };
        let names: Vec<Vec<usize>> = all.iter().map(|one| names(one)).collect();
        for circle in circles(&names) {
            let links = circle.iter().enumerate().map(|(at, one)| {
                let (one, next) = (all[*one], all[circle[(at + 1) % circle.len()]]);
                let place = match at {
                    0 => String::new(),
                    _ => format!(" ({})", one.names_at(way.key).line(library)),
                };
                format!("`{}` {} `{}`{place}", one.id, way.says, next.id)
            });
            let links: Vec<String> = links.collect();
            let none = if circle.len() == 2 { "neither" } else { "none" };
            let (last, others) = (&links[links.len() - 1], links[..links.len() - 1].join(", "));
            let message = format!("{others}, and {last}: {none} {}", way.follows);
            let message = if circle.len() == 2 { message } else { message + "s" };
            found.error(way.key, all[circle[0]].names_at(way.key), message, way.help);
        }
    }
}

/// Of things each of which names others: circles in which each names the next, the least first. No two of them share a
/// thing.
fn circles(names: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut circles: Vec<Vec<usize>> = Vec::new();
    let mut seen = vec![false; names.len()];
    for first in 0..names.len() {
        // The way from the first on, with how many of those that each names have been looked at.
        let mut way = if seen[first] { Vec::new() } else { vec![(first, 0)] };
        seen[first] = true;
        while let Some((one, looked)) = way.last_mut() {
            let Some(next) = names[*one].get(*looked).copied() else {
                way.pop();
                continue;
            };
            *looked += 1;
            if let Some(begin) = way.iter().position(|(one, _)| *one == next) {
                let mut circle: Vec<usize> = way[begin..].iter().map(|(one, _)| *one).collect();
                let least = (0..circle.len()).min_by_key(|at| circle[*at]).unwrap_or(0);
                circle.rotate_left(least);
                let is_new = !circles.iter().flatten().any(|one| circle.contains(one));
                circles.extend(is_new.then_some(circle));
            } else if !seen[next] {
                seen[next] = true;
                way.push((next, 0));
            }
        }
    }
    circles
}

#[cfg(test)]
mod tests {
    use super::circles;

    #[test]
    fn circles_are_found_wherever_one_begins() {
        let none: [Vec<usize>; 0] = [];
        assert_eq!(circles(&none), none);
        assert_eq!(circles(&[vec![1, 2], vec![2], vec![]]), none);
        assert_eq!(circles(&[vec![2], vec![0], vec![1]]), [[0, 2, 1]]);
        assert_eq!(circles(&[vec![3], vec![2], vec![1], vec![1, 0]]), [[1, 2], [0, 3]]);
        assert_eq!(circles(&[vec![1, 2], vec![0], vec![0]]), [[0, 1]], "those that share a member are told once");
    }
}
