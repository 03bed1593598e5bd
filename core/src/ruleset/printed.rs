//! Tables looked up by the headings of a column and a row.

use super::{Cite, Provenance, kind::Kind, reading::Reader, rows::Names};
use crate::{
    diagnostic::suggest,
    yaml::{Fields, Node, Value},
};

/// A table looked up by column and row.
#[derive(Debug, Clone)]
pub struct PrintedTable {
    /// Its name.
    pub name: String,
    /// What people call it.
    pub title: String,
    /// Over its columns, left to right.
    pub columns: Headings,
    /// Beside its rows, top to bottom.
    pub rows: Headings,
    /// Index of the list of symbols its cells hold.
    pub symbols: u16,
    /// Cells by row, then column.
    pub cells: Vec<Vec<i32>>,
    /// Where each cell comes from.
    pub from: Vec<Vec<Provenance>>,
    /// Where it stands in the rulebook.
    pub cite: Cite,
}

impl PrintedTable {
    /// The path of a cell by its place: `tables/crt/1-2/6`.
    pub fn path_of(&self, column: usize, row: usize) -> String {
        format!("tables/{}/{}/{}", self.name, self.columns.texts[column], self.rows.texts[row])
    }
}

/// What stands along one side of a table.
#[derive(Debug, Clone)]
pub struct Headings {
    /// As printed.
    pub texts: Vec<String>,
    /// What each is looked up by: a number, or a named value.
    pub values: Vec<i32>,
    /// Which of the two.
    pub kind: Kind,
}

impl Headings {
    /// A list of numbers (`+2` is one), or the name of a list of symbols, all of which are headings.
    fn read(fields: &mut Fields<'_>, key: &'static str, names: &Names<'_>, reader: &mut Reader<'_>) -> Headings {
        let node = fields.must(key, reader.found);
        if let Some(node) = node.filter(|node| matches!(node.value, Value::Text(_))) {
            let list = names.schema.symbols_at(node, reader.found).unwrap_or_default();
            let texts = names.schema.symbols[usize::from(list)].values.clone();
            return Headings { values: (0..texts.len() as i32).collect(), texts, kind: Kind::Symbol(list) };
        }
        let items = node.map(|n| n.items(reader.found)).unwrap_or_default();
        let texts: Vec<String> = items.iter().map(|item| item.as_text(reader.found)).collect();
        let mut values = Vec::new();
        for (item, text) in items.iter().zip(&texts) {
            values.push(text.trim_start_matches('+').parse().unwrap_or_else(|_| {
                let help = format!("write numbers, or `{key}: NAME`, the name of a list of symbols");
                reader.found.error("heading", &item.span, format!("`{text}` is no number to look up by"), help);
                0
            }));
        }
        Headings { texts, values, kind: Kind::Int }
    }
}

/// Reads `tables:`.
pub(super) fn tables(node: Option<&Node>, names: &Names<'_>, reader: &mut Reader<'_>) -> Vec<PrintedTable> {
    let mut tables = Vec::new();
    for (name, body) in node.map(|n| n.entries(reader.found)).unwrap_or_default() {
        let mut fields = body.fields(reader.found);
        let id = name.as_text(reader.found);
        let title = fields.text("title", reader.found).unwrap_or_else(|| id.clone());
        let columns = Headings::read(&mut fields, "columns", names, reader);
        let rows = Headings::read(&mut fields, "rows", names, reader);
        let holds = fields.must("holds", reader.found);
        let symbols = holds.and_then(|node| names.schema.symbols_at(node, reader.found)).unwrap_or_default();
        let cite = reader.must_cite(&mut fields);
        let from = columns_from(&mut fields, &columns.texts, reader);
        let mut cells = vec![vec![-1; columns.texts.len()]; rows.texts.len()];
        for (key, line) in fields.must("cells", reader.found).map(|n| n.entries(reader.found)).unwrap_or_default() {
            let text = key.as_text(reader.found);
            let Some(row) = rows.texts.iter().position(|r| *r == text) else {
                let help = suggest(&text, rows.texts.iter().map(String::as_str));
                reader.found.error("unknown-name", &key.span, format!("there is no row `{text}`"), help);
                continue;
            };
            line_of(line, &columns.texts, &mut cells[row], symbols, names, reader);
        }
        fields.finish(reader.found);
        for (row, line) in cells.iter().enumerate() {
            for (column, cell) in line.iter().enumerate() {
                if *cell < 0 {
                    let message = format!(
                        "table `{id}` has no cell at column {}, row {}",
                        columns.texts[column], rows.texts[row]
                    );
                    reader.found.error("missing", &body.span, message, "write it, or drop the column or row");
                }
            }
        }
        let from = vec![from; rows.texts.len()];
        tables.push(PrintedTable { name: id, title, columns, rows, symbols, cells, from, cite });
    }
    tables
}

/// `from: reconstructed`, or by column: `from: { "+2": printed }`, the rest as `else` says.
fn columns_from(fields: &mut Fields<'_>, columns: &[String], reader: &mut Reader<'_>) -> Vec<Provenance> {
    let Some(node) = fields.may("from") else { return vec![Provenance::Printed; columns.len()] };
    if node.text().is_some() {
        return vec![Provenance::read(Some(node), reader.found); columns.len()];
    }
    let rest = Provenance::read(node.get("else"), reader.found);
    columns.iter().map(|c| node.get(c).map_or(rest, |n| Provenance::read(Some(n), reader.found))).collect()
}

fn line_of(
    line: &Node,
    columns: &[String],
    cells: &mut [i32],
    symbols: u16,
    names: &Names<'_>,
    reader: &mut Reader<'_>,
) {
    let list = &names.schema.symbols[symbols as usize];
    for (key, cell) in line.entries(reader.found) {
        let text = key.as_text(reader.found);
        let Some(column) = columns.iter().position(|c| *c == text) else {
            let help = suggest(&text, columns.iter().map(String::as_str));
            reader.found.error("unknown-name", &key.span, format!("there is no column `{text}`"), help);
            continue;
        };
        let text = cell.as_text(reader.found);
        match list.values.iter().position(|v| *v == text) {
            Some(at) => cells[column] = at as i32,
            None => {
                let help = suggest(&text, list.values.iter().map(String::as_str));
                let message = format!("`{text}` is not one of `{}`", list.name);
                reader.found.error("unknown-name", &cell.span, message, help);
                cells[column] = 0;
            }
        }
    }
}
