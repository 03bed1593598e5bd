//! `countermarch show GAME tables`: what is looked up, printed lists row by row, and what steps cost.

use std::fmt::Write as _;

use countermarch_core::ruleset::{Mover, Ruleset};
use serde_json::{Value, json};

/// What is looked up, table by table.
pub fn looked_up(ruleset: &Ruleset) -> String {
    let mut text = String::new();
    for t in &ruleset.tables {
        let names = &ruleset.schema.symbols[t.symbols as usize].values;
        let _ = writeln!(text, "{}  [{}]", t.title, ruleset.cite(t.cite));
        let cell = |at: usize, c: usize| format!("{}{}", names[t.cells[at][c] as usize], t.from[at][c].dagger());
        let (rows, columns) = (0..t.rows.texts.len(), 0..t.columns.texts.len());
        let cells = rows.clone().flat_map(|at| columns.clone().map(move |c| cell(at, c)));
        let widest = cells.chain(t.columns.texts.iter().cloned()).map(|text| text.chars().count()).max();
        let wide = widest.unwrap_or(0) + 1;
        let head: String = t.columns.texts.iter().map(|c| format!("{c:>wide$}")).collect();
        let _ = writeln!(text, "{:>6}{head}", "");
        for at in rows {
            let cells: String = columns.clone().map(|c| format!("{:>wide$}", cell(at, c))).collect();
            let _ = writeln!(text, "{:>6}{cells}", t.rows.texts[at]);
        }
        text.push('\n');
    }
    text
}

/// Shows them, as JSON or for people.
pub fn show(ruleset: &Ruleset, as_json: bool) {
    if as_json {
        let all: Vec<Value> = ruleset
            .tables
            .iter()
            .map(|t| {
                let names = &ruleset.schema.symbols[t.symbols as usize].values;
                let cells: Vec<Vec<&str>> =
                    t.cells.iter().map(|row| row.iter().map(|c| names[*c as usize].as_str()).collect()).collect();
                let from: Vec<Vec<&str>> = t.from.iter().map(|row| row.iter().map(|p| p.word()).collect()).collect();
                json!({ "table": t.name, "columns": t.columns.texts, "rows": t.rows.texts, "cells": cells, "from": from })
            })
            .collect();
        let rows: Vec<Value> = ruleset
            .rows
            .iter()
            .map(|t| {
                let rows: Vec<Value> =
                    t.rows.iter().map(|r| json!({ "id": r.id, "value": r.written, "says": r.say, "from": r.from.word(), "cite": ruleset.cite(r.cite) })).collect();
                json!({ "rows": t.path(), "lines": rows })
            })
            .collect();
        let costs: Vec<Value> = ruleset.movers.iter().map(|mover| step_costs(ruleset, mover)).collect();
        println!("{}", json!({ "tables": all, "rows": rows, "movers": costs }));
        return;
    }
    print!("{}", looked_up(ruleset));
    for t in &ruleset.rows {
        println!("{}", t.path());
        for row in &t.rows {
            let value = format!("{}{}", row.written, row.from.dagger());
            let gap = if value.is_empty() { "" } else { " " };
            println!("  {:<18} {value}{gap}{}  [{}]", row.id, row.say, ruleset.cite(row.cite));
        }
    }
    for mover in &ruleset.movers {
        println!("movers/{}, movement points", mover.name);
        for row in &mover.step {
            let cost = format!("{}{}", mover.in_points(row.cost), row.from.dagger());
            let more: Vec<String> = row
                .plus
                .iter()
                .map(|plus| format!(", +{}{} {}", mover.in_points(plus.cost), plus.from.dagger(), plus.id))
                .collect();
            println!("  {:<18} {cost}{}  [{}]", row.id, more.concat(), ruleset.cite(row.cite));
        }
    }
}

/// What the steps of a mover cost, in movement points as people write them.
fn step_costs(ruleset: &Ruleset, mover: &Mover) -> Value {
    let steps: Vec<Value> = mover
        .step
        .iter()
        .map(|row| {
            let plus: Vec<Value> = row
                .plus
                .iter()
                .map(|plus| {
                    json!({ "id": plus.id, "cost": mover.in_points(plus.cost), "from": plus.from.word(), "cite": ruleset.cite(plus.cite) })
                })
                .collect();
            json!({ "id": row.id, "cost": mover.in_points(row.cost), "plus": plus, "from": row.from.word(), "cite": ruleset.cite(row.cite) })
        })
        .collect();
    json!({ "mover": mover.name, "steps": steps })
}
