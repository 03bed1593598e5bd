//! The one binary.
use std::{path::Path, sync::Arc};
use countermarch_core::{diagnostic::Diagnostics, library::Library, ruleset, play::*};
use countermarch_scripting::{Runtime, Budget};
fn main() -> anyhow::Result<()> {
    let args: Vec<String> = std::env::args().collect();
    let mut found = Diagnostics::default();
    if args[1] == "map" {
        let text = std::fs::read_to_string(&args[2])?;
        let node = countermarch_core::yaml::parse(&args[2], &text, &mut found);
        let survey = std::fs::read_to_string(node.get("survey").and_then(|n| n.text()).unwrap_or(""))?;
        let map = countermarch_core::map::build(&node, &survey, &mut found);
        print!("{}", map.unwrap_or_default());
        return Ok(());
    }
    let t = std::time::Instant::now();
    let mut library = Library::default();
    library.add_folder("maps", Path::new("maps"), &mut found)?;
    library.add_folder("rulesets", Path::new("rulesets"), &mut found)?;
    let ruleset = ruleset::load(&library, "gettysburg-corps", &Default::default(), &mut found);
    println!("load {:?}", t.elapsed());
    let ruleset = ruleset.map(Arc::new);
    if let Some(r) = &ruleset { countermarch_scripting::check(r, &library, &mut found); }
    println!("check {:?}", t.elapsed());
    found.sort();
    for d in found.list.iter().take(40) { println!("{}", d.drawn(&library, false)); }
    println!("{} errors {} warnings", found.errors(), found.warnings());
    if !found.is_usable() { return Ok(()); }
    let ruleset = ruleset.unwrap();
    let t = std::time::Instant::now();
    let n: u64 = args[2].parse()?;
    let mut h = 0u64;
    let (mut decisions, mut offers) = (0usize, 0usize);
    let mut kept = None;
    for seed in 0..n {
        let rules = match kept.take() { Some(r) => r, None => Runtime::new(ruleset.clone(), Budget::default()).map_err(|e| anyhow::anyhow!("{e:?}"))? };
        let limits = Limits { verify: args.len() > 3, ..Limits::BULK };
        let mut s = Session::new(ruleset.clone(), rules, 0, seed, limits);
        let r = (|| -> Result<(), SessionError> {
            s.advance()?;
            let mut i = 0u64;
            while let Some(q) = s.question() {
                let by = q.by;
                let list = s.offers();
                decisions += 1; offers += list.len();
                i = i.wrapping_mul(6364136223846793005).wrapping_add(seed * 77 + 1442695040888963407);
                let a = list[(i >> 33) as usize % list.len()];
                s.act(by, a)?;
            }
            Ok(())
        })();
        if let Err(e) = r { println!("seed {seed}: {e}  turn {}", s.game.turn()); }
        if s.game.turn() > 0 { h ^= s.game.hash(); }
        if seed < 5 { println!("{:?} turn {}", s.game.outcome, s.game.turn()); }
        kept = Some(s.into_rules());
    }
    println!("{h:x}");
    let e = t.elapsed();
    println!("{decisions} decisions, {:.1} offers each, {:.0}/s, {:.0} per game", offers as f64 / decisions as f64, decisions as f64 / e.as_secs_f64(), decisions as f64 / n as f64);
    Ok(())
}
