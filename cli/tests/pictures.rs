//! Pictures of boards with counters on them.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

/// Where the number of an area stands: its middle, on the line it is written on.
fn number(svg: &str, name: &str) -> (f64, f64) {
    let line = svg.lines().find(|line| line.contains(&format!(">{name}</text>"))).expect("the area has its number");
    let value = |key: &str| {
        let rest = line.split(&format!(" {key}=\"")).nth(1).expect("an attribute");
        rest.split('"').next().and_then(|value| value.parse().ok()).expect("a number")
    };
    (value("x"), value("y"))
}

/// The middles and sides of counters.
fn counters(svg: &str) -> Vec<(f64, f64, f64)> {
    let placed = svg.split("<g transform=\"translate(").skip(1).filter(|part| part.contains("x=\"-20\" y=\"-20\""));
    let read = |part: &str| {
        let (place, rest) = part.split_once(") scale(")?;
        let (x, y) = place.split_once(' ')?;
        let scale: f64 = rest.split(')').next()?.parse().ok()?;
        Some((x.parse().ok()?, y.parse().ok()?, 40.0 * scale))
    };
    placed.filter_map(read).collect()
}

/// Eight counters in the small area of Culp's Hill, cut out with its neighbours, lay over its number.
#[test]
fn no_counter_hides_the_number_of_an_area() {
    let home = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the repository");
    let game = std::fs::read_to_string(home.join("tests/games/tmag-culps-hill.march")).expect("the game");
    let before = game.split_once("confederate: assault steuart-b").expect("an assault").0;
    let file = |ending: &str| -> PathBuf {
        std::env::temp_dir().join(format!("countermarch-pictures-{}.{ending}", std::process::id()))
    };
    let record = file("march");
    std::fs::write(&record, before).expect("writes");
    for radius in ["0", "1", "2"] {
        let output = Command::new(env!("CARGO_BIN_EXE_countermarch"))
            .args(["show", "tmag@errata-1997-05", "map", "--svg", "--around", "31", "--radius", radius, "--record"])
            .arg(&record)
            .env("COUNTERMARCH_HOME", home)
            .output()
            .expect("the program runs");
        let svg = String::from_utf8_lossy(&output.stdout).into_owned();
        let (x, y) = number(&svg, "31");
        let all = counters(&svg);
        assert!(all.len() >= 8, "{radius}: {}", String::from_utf8_lossy(&output.stderr));
        // Its figures are nine pixels high at least.
        let is_over = |(cx, cy, side): &&(f64, f64, f64)| {
            let half = side / 2.0;
            (cx - x).abs() < half + 6.0 && cy - half < y - 1.0 && cy + half > y - 9.0
        };
        let over = all.iter().filter(is_over);
        assert_eq!(over.count(), 0, "{radius}: the number is at {x} {y}, the counters at {all:?}");
    }
    std::fs::remove_file(&record).expect("it was written");
}
