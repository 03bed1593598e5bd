//! `countermarch map`: maps built from grid files and surveys.

use std::{fs, io::Write as _, path::Path};

use anyhow::{Context, Result, anyhow, bail};
use countermarch_cartography::{draw::Picture, files::Sources, tiled};
use countermarch_core::{
    diagnostic::Diagnostics,
    library::{self, Library, Root},
    map::{self, Map},
    show::{Board, Sight, count},
    yaml,
};

use crate::{
    compare::files::{NewFile, write_anew},
    content::{diagnosed, tell},
    picture::{Drawing, ground, space},
    show::palette,
};

/// Builds a map, or checks that it is as it would be built. Faults are told; false when there is any.
pub fn build(grid: &Path, check: bool) -> Result<bool> {
    let mut sources = Sources::read(grid)?;
    let built = sources.build();
    tell(&sources.found, &sources.library);
    let Some(built) = built.filter(|_| sources.found.is_usable()) else { return Ok(false) };
    let path = sources.root.place(&built.path).map_err(|wrong| anyhow!(wrong))?;
    let there = fs::symlink_metadata(&path).is_ok().then(|| library::read_text(&path));
    if check {
        let same = there.is_some_and(|text| text.is_ok_and(|text| text == built.text));
        println!("{}: {}", path.display(), if same { "as built" } else { "differs" });
        return Ok(same);
    }
    // The grid file says where the map goes: what is there already must be a map that it laid.
    if let Some(text) = there {
        let own = yaml::parse("", &text.unwrap_or_default(), &mut Diagnostics::default());
        let is_ours = own.get("laid-by").and_then(yaml::Node::text) == Some(&*sources.own);
        if !is_ours || sources.root.file(&built.path, &[".yaml"]).is_err() {
            bail!("{} is there and was not laid by {}: delete it first, if it may go", path.display(), sources.own);
        }
    }
    let folder = path.parent().ok_or_else(|| anyhow!("{} has no folder", path.display()))?;
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    fs::write(&path, built.text).with_context(|| format!("cannot write {}", path.display()))?;
    println!("wrote {}", path.display());
    Ok(true)
}

/// Reads a map file, with everything found wrong in it.
fn look(path: &Path) -> Result<(Option<Map>, Diagnostics, Library)> {
    let text = library::read_text(path).with_context(|| format!("cannot read {}", path.display()))?;
    let (mut found, mut library) = (Diagnostics::default(), Library::default());
    let shown = path.display().to_string();
    library.insert(&shown, text.clone());
    let map = map::load(&yaml::parse(&shown, &text, &mut found), &mut found);
    Ok((map, found, library))
}

/// Reads a map file and tells its faults; `None` when it cannot be used.
fn read(path: &Path) -> Result<Option<Map>> {
    let (map, found, library) = look(path)?;
    tell(&found, &library);
    Ok(map.filter(|_| found.is_usable()))
}

/// Tells what is wrong with a map file; false when it cannot be used.
pub fn check(path: &Path, as_json: bool) -> Result<bool> {
    if as_json {
        let (_, found, library) = look(path)?;
        println!("{}", diagnosed(&found, &library));
        return Ok(found.is_usable());
    }
    let Some(map) = read(path)? else { return Ok(false) };
    println!(
        "{}: {} spaces, {} roads, {} streams, {} places, {} entries; nothing is wrong",
        map.id,
        map.len(),
        map.roads.len(),
        map.streams.len(),
        map.places.len(),
        map.entries.len()
    );
    Ok(true)
}

/// Draws a map file; false when it cannot be used.
pub fn draw(path: &Path, drawing: &Drawing) -> Result<bool> {
    let Some(map) = read(path)? else { return Ok(false) };
    if !drawing.is_asked() {
        let around = drawing.cut_out(&map)?;
        let (map, palette, sight) = (&map, palette(), Sight::ALL);
        let board = Board { map, game: None, around, marked: &[], palette, sight };
        print!("{}", if around.is_some() { board.draw() } else { board.overview() });
        return Ok(true);
    }
    let sources = ground(&Root::above(path), &map);
    let around = drawing.cut_out(&map)?;
    let across = drawing.across();
    let picture = Picture { map: &map, ground: sources.as_ref(), game: None, overlays: Vec::new(), around, across };
    drawing.write(&picture)?;
    Ok(true)
}

/// Fails where what is made of a file would be written over it.
fn not_over_itself(path: &Path, out: &Path) -> Result<()> {
    match (fs::canonicalize(path), fs::canonicalize(out)) {
        (Ok(from), Ok(to)) if from == to => bail!("{} would be written over itself: name another file", out.display()),
        _ => Ok(()),
    }
}

/// Writes a map for Tiled; false when it cannot be used.
pub fn export(path: &Path, out: &Path) -> Result<bool> {
    not_over_itself(path, out)?;
    let Some(map) = read(path)? else { return Ok(false) };
    let text = library::read_text(path).with_context(|| format!("cannot read {}", path.display()))?;
    let tiles = out.with_extension("tiles.png");
    let called = tiles.file_name().ok_or_else(|| anyhow!("{} is no file", out.display()))?.to_string_lossy();
    let made = tiled::export(&map, &text, &called)?;
    let is_picture = |there: &[u8]| there.starts_with(b"\x89PNG");
    NewFile::at(out)?.write(|file| Ok(file.write_all(made.json.as_bytes())?))?;
    println!("wrote {}", out.display());
    if !made.tiles.is_empty() {
        write_anew(&tiles, &made.tiles, "picture", is_picture)?;
        println!("wrote {}", tiles.display());
    }
    Ok(true)
}

/// Reads a map back from Tiled. It is written only when it can be used; false when it cannot.
pub fn import(path: &Path, out: &Path) -> Result<bool> {
    not_over_itself(path, out)?;
    let text = library::read_text(path).with_context(|| format!("cannot read {}", path.display()))?;
    let (mut found, mut library) = (Diagnostics::default(), Library::default());
    let (from, to) = (path.display().to_string(), out.display().to_string());
    library.insert(&from, text.clone());
    let built = tiled::import(&from, &text, &mut found);
    if let Some(built) = built.as_ref().filter(|_| found.is_usable()) {
        library.insert(&to, built.clone());
        map::load(&yaml::parse(&to, built, &mut found), &mut found);
    }
    tell(&found, &library);
    let Some(built) = built.filter(|_| found.is_usable()) else { return Ok(false) };
    let is_map = |there: &[u8]| String::from_utf8_lossy(there).lines().any(|line| line.starts_with("map:"));
    write_anew(out, built.as_bytes(), "map", is_map)?;
    println!("wrote {to}");
    Ok(true)
}

/// Tells how far two spaces are apart, in spaces and in the map's scale, how their heights differ, and what lies between.
pub fn measure(path: &Path, from: &str, to: &str) -> Result<bool> {
    let Some(map) = read(path)? else { return Ok(false) };
    let (from, to) = (space(&map, from)?, space(&map, to)?);
    let (here, there) = (map.space(from), map.space(to));
    let far = map.distance(from, to);
    if far == Map::NEVER {
        println!("there is no way from {} to {}", here.name, there.name);
        return Ok(true);
    }
    // `756 feet`: so many of a unit across one space.
    let scale = map.scale.split_once(' ').and_then(|(n, unit)| Some((n.replace(',', "").parse::<u32>().ok()?, unit)));
    let measured = scale.map(|(n, unit)| format!(", {} {unit}", u64::from(n) * u64::from(far))).unwrap_or_default();
    let word = map.grid.word();
    let many = if word.ends_with('x') { format!("{word}es") } else { format!("{word}s") };
    println!("{} to {}: {}{measured}", here.name, there.name, count(far.into(), word, &many));
    if let (Some(a), Some(b)) = (here.elevation, there.elevation) {
        println!("{a} {unit} to {b} {unit}: {:+}", b - a, unit = map.height_unit);
    }
    let between: Vec<String> = map
        .line(from, to)
        .iter()
        .map(|c| match c.beside {
            Some(beside) => format!("{}|{}", map.space(c.space).name, map.space(beside).name),
            None => map.space(c.space).name.clone(),
        })
        .collect();
    if !between.is_empty() {
        println!("between: {}", between.join(" "));
    }
    Ok(true)
}
