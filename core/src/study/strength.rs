//! How strong players are, from who took how many points from whom: the model of Bradley and Terry (1952), with a term for
//! the side that one plays, so that what a side is worth is not taken for strength.
//!
//! The log odds that the first side wins are the strength of who plays it, less that of the other, plus the side's term.

/// Games of two players in one seating.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Seating {
    /// Who plays the first side.
    pub first: usize,
    /// Who plays the second.
    pub second: usize,
    /// How many games, each with its weight.
    pub games: f64,
    /// What the first side took of them.
    pub points: f64,
}

/// What the model comes to, in log odds.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Strengths {
    /// Of each player; only differences say anything, and the first has 0.
    pub players: Vec<f64>,
    /// What playing the first side is worth.
    pub side: f64,
}

impl Strengths {
    /// Of players who are all alike, and sides too.
    pub fn alike(players: usize) -> Strengths {
        Strengths { players: vec![0.0; players], side: 0.0 }
    }

    /// The likeliest ones, found from these by Newton's method. There are such where every two groups of players have taken
    /// points from each other.
    pub fn fitted(mut self, seatings: &[Seating]) -> Strengths {
        let mut likelihood = self.log_likelihood(seatings);
        for _ in 0..100 {
            let (gradient, curvature) = self.slopes(seatings);
            let step = solved(curvature, gradient);
            let longest = step.iter().fold(0.0, |most: f64, part| most.max(part.abs()));
            if longest < 1e-10 {
                break;
            }
            // What is far off is approached by steps that do not overshoot.
            let mut scale = (2.0 / longest).min(1.0);
            loop {
                let next = self.moved(&step, scale);
                let then = next.log_likelihood(seatings);
                if then >= likelihood || scale < 1e-9 {
                    (self, likelihood) = (next, then);
                    break;
                }
                scale /= 2.0;
            }
        }
        self
    }

    /// How likely the first side is to win.
    pub fn chance(&self, first: usize, second: usize) -> f64 {
        logistic(self.players[first] - self.players[second] + self.side)
    }

    fn log_likelihood(&self, seatings: &[Seating]) -> f64 {
        let of = |s: &Seating| {
            let chance = self.chance(s.first, s.second).clamp(1e-300, 1.0 - 1e-16);
            s.points * chance.ln() + (s.games - s.points) * (1.0 - chance).ln()
        };
        seatings.iter().map(of).sum()
    }

    /// First and second derivatives, the latter turned round: by the players but the first, then the side.
    fn slopes(&self, seatings: &[Seating]) -> (Vec<f64>, Vec<Vec<f64>>) {
        let count = self.players.len();
        let (mut gradient, mut curvature) = (vec![0.0; count], vec![vec![0.0; count]; count]);
        for seating in seatings {
            let chance = self.chance(seating.first, seating.second);
            let (over, weight) = (seating.points - seating.games * chance, seating.games * chance * (1.0 - chance));
            let player = |player: usize, sign: f64| player.checked_sub(1).map(|at| (at, sign));
            let parts = [player(seating.first, 1.0), player(seating.second, -1.0), Some((count - 1, 1.0))];
            for (row, sign) in parts.into_iter().flatten() {
                gradient[row] += sign * over;
                for (column, other) in parts.into_iter().flatten() {
                    curvature[row][column] += sign * other * weight;
                }
            }
        }
        (gradient, curvature)
    }

    fn moved(&self, step: &[f64], scale: f64) -> Strengths {
        let (side, players) = step.split_last().expect("there is a side's term");
        let first = self.players.first().copied();
        let others = self.players.iter().skip(1).zip(players).map(|(now, part)| now + scale * part);
        Strengths { players: first.into_iter().chain(others).collect(), side: self.side + scale * side }
    }
}

/// From log odds to a chance.
pub(super) fn logistic(odds: f64) -> f64 {
    1.0 / (1.0 + (-odds).exp())
}

/// Solves a symmetric system by elimination. What nothing is known of stays where it is.
fn solved(mut of: Vec<Vec<f64>>, mut to: Vec<f64>) -> Vec<f64> {
    let count = to.len();
    for at in 0..count {
        let (pivot, value) = (of[at].clone(), to[at]);
        if pivot[at] < 1e-12 {
            continue;
        }
        for (row, to) in of.iter_mut().zip(&mut to).skip(at + 1) {
            let times = row[at] / pivot[at];
            row.iter_mut().zip(&pivot).skip(at).for_each(|(row, pivot)| *row -= times * pivot);
            *to -= times * value;
        }
    }
    for at in (0..count).rev() {
        let known: f64 = (at + 1..count).map(|column| of[at][column] * to[column]).sum();
        to[at] = if of[at][at] < 1e-12 { 0.0 } else { (to[at] - known) / of[at][at] };
    }
    to
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Baseball of 1987, Agresti, Categorical Data Analysis (2nd edition), table 10.10, as the R package BradleyTerry2 has it
    /// in its data set `baseball`: home team, guest, what each won. Teams by their alphabet.
    const BASEBALL: [[u32; 42]; 4] = [
        [
            5, 5, 5, 5, 5, 5, 4, 4, 4, 4, 4, 4, 7, 7, 7, 7, 7, 7, 6, 6, 6, 6, 6, 6, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3,
            1, 1, 1, 1, 1, 1,
        ],
        [
            4, 7, 6, 2, 3, 1, 5, 7, 6, 2, 3, 1, 5, 4, 6, 2, 3, 1, 5, 4, 7, 2, 3, 1, 5, 4, 7, 6, 3, 1, 5, 4, 7, 6, 2, 1,
            5, 4, 7, 6, 2, 3,
        ],
        [
            4, 4, 4, 6, 4, 6, 3, 4, 4, 6, 6, 4, 2, 4, 2, 4, 4, 6, 3, 5, 2, 4, 4, 6, 5, 2, 3, 4, 5, 6, 2, 3, 3, 4, 4, 2,
            2, 1, 1, 2, 1, 3,
        ],
        [
            3, 2, 3, 1, 2, 0, 3, 2, 3, 0, 1, 3, 5, 3, 4, 3, 2, 0, 3, 1, 5, 3, 2, 1, 1, 5, 3, 2, 2, 0, 5, 3, 4, 3, 2, 4,
            5, 5, 6, 4, 6, 4,
        ],
    ];

    /// Strengths and the term for playing at home in Agresti's table 10.11, column 5, and §10.6.4.
    #[test]
    fn the_baseball_of_1987_comes_to_what_agresti_says() {
        let [home, guest, won, lost] = BASEBALL;
        let seatings: Vec<Seating> = (0..home.len())
            .map(|at| Seating {
                first: home[at] as usize - 1,
                second: guest[at] as usize - 1,
                games: f64::from(won[at] + lost[at]),
                points: f64::from(won[at]),
            })
            .collect();
        let fitted = Strengths::alike(7).fitted(&seatings);
        let powers: Vec<f64> = fitted.players.iter().map(|strength| strength.exp()).collect();
        let all: f64 = powers.iter().sum();
        let told: Vec<String> = powers.iter().map(|power| format!("{:.3}", power / all)).collect();
        // Baltimore, Boston, Cleveland, Detroit, Milwaukee, New York, Toronto.
        assert_eq!(told, ["0.044", "0.137", "0.088", "0.190", "0.220", "0.157", "0.164"]);
        assert_eq!(format!("{:.3}", fitted.side), "0.302");
    }

    /// Of two players the model says what one reckons by hand: the log odds of each seating, their half sum and difference.
    #[test]
    fn of_two_players_it_is_what_one_reckons_by_hand() {
        let seating = |first, second, points| Seating { first, second, games: 100.0, points };
        let fitted = Strengths::alike(2).fitted(&[seating(0, 1, 90.0), seating(1, 0, 40.0)]);
        let (one, other) = ((90f64 / 10.0).ln(), (40f64 / 60.0).ln());
        assert!((fitted.side - (one + other) / 2.0).abs() < 1e-9, "{fitted:?}");
        assert!((fitted.players[1] - (other - one) / 2.0).abs() < 1e-9, "{fitted:?}");
        assert!((fitted.chance(0, 1) - 0.9).abs() < 1e-9 && (fitted.chance(1, 0) - 0.4).abs() < 1e-9);
    }

    #[test]
    fn what_is_far_from_even_is_found_too() {
        let seating =
            |first, second| Seating { first, second, games: 1001.0, points: f64::from(first < second) * 999.0 + 1.0 };
        let all = [seating(0, 1), seating(1, 0), seating(1, 2), seating(2, 1)];
        let fitted = Strengths::alike(3).fitted(&all);
        for at in [0, 1] {
            let between = fitted.players[at] - fitted.players[at + 1];
            assert!((between - 1000f64.ln()).abs() < 1e-6, "{fitted:?}");
        }
        assert!(fitted.side.abs() < 1e-6);
    }
}
