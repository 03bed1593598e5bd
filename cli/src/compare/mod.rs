//! `countermarch compare`: two versions of a game over many pairs of games.

pub mod files;
pub mod kept;
pub mod under;

use std::{
    io::Write as _,
    path::{Path, PathBuf},
    sync::Arc,
    thread,
};

use anyhow::{Result, anyhow, bail};
use clap::Args;
use countermarch_cartography::draw::Picture;
use countermarch_core::{
    ruleset::{Differences, Ruleset, Selection},
    show::Sight,
    study::{
        Case, Compared, Comparison, Correction, Each, Heard, Pairs, Parting, Player, Singly, Stopping, Until,
        comparison_json, comparison_page, comparison_text, parting, turned,
    },
};

use self::{
    files::{NewFile, must_be_apart},
    kept::{Keeping, Kept, Parts, Shard, progress},
};
use crate::{
    Which,
    content::{self, Asked, Content, Faulty},
    diff::other,
    seats::{self, Seat, seats},
    walk,
};

/// Compares two versions.
#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    compared: What,
    /// Play one part of the pairs alone: 3/16 is the third of sixteen.
    #[arg(long, value_name = "PART/OF", value_parser = Shard::parse, conflicts_with_all = ["until", "from"])]
    shard: Option<Shard>,
    /// Write every trial to this CSV file, those of single amendments beside it. One that was killed, or that is to have
    /// more games, is gone on with.
    #[arg(long, value_name = "FILE.csv")]
    trials: Option<PathBuf>,
    /// Play nothing, and read the files of trials in this folder together, whatever their names.
    #[arg(long, value_name = "FOLDER")]
    from: Option<PathBuf>,
    /// Write the trials as Parquet too, to this new file.
    #[arg(long, value_name = "FILE.parquet", requires = "trials")]
    parquet: Option<PathBuf>,
    /// Write a page for a browser, with figures that anybody can redraw, to this new file.
    #[arg(long, value_name = "FILE.html")]
    html: Option<PathBuf>,
    #[command(flatten)]
    walk: walk::Options,
    /// Write JSON.
    #[arg(long)]
    json: bool,
}

/// What is compared, by whom and how often.
#[derive(Args, Clone)]
#[group(skip)]
pub struct What {
    #[command(flatten)]
    pub which: Which,
    /// The other version: GAME@VERSION, or @VERSION of the same game.
    pub other: String,
    /// Change one value of the other version.
    #[arg(long = "other-set", value_name = "PATH=VALUE")]
    pub other_set: Vec<String>,
    /// How many pairs of games; with --until, no more than so many.
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u64).range(1..))]
    pub games: u64,
    /// The seed of the first pair; the others follow it.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// How many games at once; no more than the machine has cores.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: u16,
    /// The scenario; the first without.
    #[arg(long)]
    pub scenario: Option<String>,
    /// Who plays: SIDE=random or SIDE=plain; random without, but for an umpire, who is plain.
    #[arg(long = "players", value_name = "SIDE=PLAYER", value_delimiter = ',')]
    pub players: Vec<String>,
    /// Stop as soon as this is known, however often one looks: width=N or width=N:MEASURE, the difference no less exactly
    /// than so; sign or sign:MEASURE, which version has more. MEASURE is as --json calls it, with a side or without.
    #[arg(long, value_name = "WHAT", value_parser = Until::parse, value_delimiter = ',')]
    pub until: Vec<Until>,
    /// How differences that are looked at together are kept from being called by chance: holm, so that 5 comparisons of
    /// 100 in which nothing differs call anything; or bh, so that 5 of 100 that are called are none.
    #[arg(long, default_value = "holm", value_parser = correction)]
    pub correct: Correction,
    /// Look at the amendments that differ by themselves: one-out, each taken out of the version that has it; one-in, each
    /// put into the one that lacks it; pairs, every two taken out together.
    #[arg(long, value_name = "HOW", value_parser = singly, value_delimiter = ',')]
    pub effects: Vec<Singly>,
    /// So many pairs for each of them; one-out without --effects.
    #[arg(long, value_name = "GAMES", value_parser = clap::value_parser!(u64).range(1..))]
    pub each: Option<u64>,
    /// Play it again under others, and grade what was found by where it holds: players, those of the game's ladder;
    /// readings, every other value of a setting that no amendment speaks of, and every other reconstruction; all; one
    /// player; SETTING=VALUE; +AMENDMENT or ~AMENDMENT of both versions.
    #[arg(long, value_name = "WHAT", value_delimiter = ',')]
    pub under: Vec<String>,
    /// Listen to so many of the pairs, and tell how often each paragraph spoke in both versions.
    #[arg(long, value_name = "PAIRS", value_parser = clap::value_parser!(u64).range(1..), conflicts_with_all = ["shard", "from"])]
    pub spoken: Option<u64>,
    /// Give every game a seed of its own, to see what pairing is worth.
    #[arg(long)]
    pub unpaired: bool,
}

fn correction(text: &str) -> Result<Correction, String> {
    Correction::parse(text).ok_or_else(|| "it is holm or bh".to_owned())
}

fn singly(text: &str) -> Result<Singly, String> {
    let found = Singly::ALL.into_iter().find(|how| how.word() == text);
    found.ok_or_else(|| "it is one-out, one-in or pairs".to_owned())
}

/// `countermarch compare`.
pub fn run(options: &Options) -> Result<bool> {
    let prepared = Prepared::new(&options.compared, options.shard)?;
    // A record says itself which scenario it is of.
    if !options.walk.is_of_record() {
        prepared.begin_alike()?;
    }
    if options.walk.is_asked() {
        let Prepared { content, asked, differences, pairs, .. } = prepared;
        let Pairs { scenarios, players, seed, games, versions, .. } = pairs;
        let games = || Ok(walk::Games { scenarios, players, seed, games });
        return options.walk.run(&content, [&asked[0], &asked[1]], &differences.names, versions, games, options.json);
    }
    must_be_apart(&[options.trials.as_ref(), options.parquet.as_ref(), options.html.as_ref()])?;
    let [html, parquet] = [&options.html, &options.parquet].map(|path| path.as_deref().map(NewFile::at).transpose());
    let (html, parquet) = (html?, parquet?);
    let parts = options.from.as_deref().map(Parts::of).transpose()?;
    let mut done = prepared.played(options.trials.as_deref(), parts.as_ref())?;
    if let (Some(file), Some(parquet)) = (&mut done.kept.file, &parquet) {
        parquet.write(|to| file.write_parquet(to))?;
    }
    let compared = done.compared(&prepared);
    if let Some(html) = &html {
        let boards = done.boards()?;
        html.write(|file| Ok(file.write_all(comparison_page(&compared, &boards).as_bytes())?))?;
    }
    if options.json {
        println!("{}", comparison_json(&compared));
    } else {
        print!("{}", comparison_text(&compared));
    }
    let failed = done.kept.comparison.failed.0;
    if failed > 0 {
        return Err(Faulty(format!("{failed} pairs could not be played to their end")).into());
    }
    Ok(true)
}

/// A comparison that is about to be played.
pub struct Prepared {
    what: What,
    shard: Option<Shard>,
    content: Content,
    asked: [Asked; 2],
    differences: Differences,
    pairs: Pairs,
    names: [Vec<String>; 2],
    again: String,
}

/// What a comparison came to.
pub struct Done {
    kept: Kept,
    each: Vec<Each>,
    under: Vec<(Case, Comparison)>,
    heard: Option<Heard>,
    parting: Option<Parting>,
}

impl Done {
    /// Of a comparison and nothing else.
    pub fn of(comparison: Comparison) -> Done {
        let kept = Kept { comparison, stopping: None, file: None };
        Done { kept, each: Vec::new(), under: Vec::new(), heard: None, parting: None }
    }

    /// The board where the games part that differ most.
    pub fn boards(&self) -> Result<Vec<(String, String)>> {
        boards(self.parting.as_ref())
    }

    /// What it is told from.
    pub fn compared<'a>(&'a self, prepared: &'a Prepared) -> Compared<'a> {
        Compared {
            differences: &prepared.differences,
            pairs: &prepared.pairs,
            players: prepared.names.each_ref().map(Vec::as_slice),
            comparison: &self.kept.comparison,
            stopping: self.kept.stopping.as_ref(),
            each: &self.each,
            under: &self.under,
            heard: self.heard.as_ref(),
            parting: self.parting.as_ref(),
            again: &prepared.again,
        }
    }
}

impl Prepared {
    /// Loads what is to be compared.
    ///
    /// # Errors
    /// There is no such thing, or it cannot be compared.
    pub fn new(what: &What, shard: Option<Shard>) -> Result<Prepared> {
        let (content, first) = content::find(&what.which)?;
        let second = other(&what.which, &what.other, &what.other_set, &first)?;
        let differences = content.differences(&first, &second)?;
        let versions = [content.playable(&first)?, content.playable(&second)?];
        let seats = [0, 1].map(|at| seats(&versions[at], &what.players, &[Seat::RANDOM]));
        let [of_first, of_second] = seats;
        let seats = [of_first?, of_second?];
        let players = |seats: &[Seat]| -> Result<Vec<Player>> {
            seats::players(seats).ok_or_else(|| anyhow!("people do not play in a comparison"))
        };
        let scenario = |ruleset: &Ruleset| content::scenario(ruleset, what.scenario.as_deref());
        let (seed, games) = shard.map_or((what.seed, what.games), |shard| shard.of(what.seed, what.games));
        let pairs = Pairs {
            scenarios: [scenario(&versions[0])?, scenario(&versions[1])?],
            players: [players(&seats[0])?, players(&seats[1])?],
            versions,
            seed,
            games,
            jobs: usize::from(what.jobs).min(thread::available_parallelism().map_or(1, usize::from)),
            is_paired: !what.unpaired,
        };
        if !what.until.is_empty() && !pairs.players.iter().flatten().all(Player::is_repeatable) {
            bail!("--until wants players that answer the same every time, not those that think by the clock");
        }
        let names = |at: usize| -> Vec<String> {
            let sides = pairs.versions[at].sides.iter().zip(&seats[at]);
            sides.map(|(side, seat)| format!("{}={}", side.id, seat)).collect()
        };
        let (names, again) = ([names(0), names(1)], again(what, shard, &pairs));
        let (what, asked) = (what.clone(), [first, second]);
        Ok(Prepared { what, shard, content, asked, differences, pairs, names, again })
    }

    /// The games.
    pub fn pairs(&self) -> &Pairs {
        &self.pairs
    }

    /// Looks through what it is to be played under too, and what it is to stop at.
    ///
    /// # Errors
    /// There is no such thing.
    pub fn checked(self) -> Result<Prepared> {
        self.begin_alike()?;
        self.can_look()?;
        self.cases()?;
        let comparison = Comparison::new(&self.pairs);
        Stopping::of(&self.what.until, &comparison, self.pairs.games).map_err(|why| anyhow!(why))?;
        Ok(self)
    }

    /// Holds that both versions begin with the same scenario.
    fn begin_alike(&self) -> Result<()> {
        let Pairs { versions, scenarios, .. } = &self.pairs;
        let [first, second] = [0, 1].map(|at| &versions[at].scenarios[scenarios[at]].id);
        if first != second {
            bail!("the versions begin with different scenarios: name one with --scenario");
        }
        Ok(())
    }

    /// How amendments are to be looked at by themselves.
    fn looks(&self) -> &[Singly] {
        let What { effects, each, .. } = &self.what;
        if effects.is_empty() && each.is_some() { &[Singly::OneOut] } else { effects }
    }

    /// Holds that there are amendments to be looked at so.
    fn can_look(&self) -> Result<()> {
        self.looks().iter().find_map(|how| how.nothing(&self.differences)).map_or(Ok(()), |why| Err(anyhow!(why)))
    }

    /// Plays it, or reads what others have played.
    pub fn played(&self, trials: Option<&Path>, parts: Option<&Parts>) -> Result<Done> {
        self.can_look()?;
        let what = &self.what;
        let trials = trials.map(Path::to_owned);
        let keeping = Keeping { trials, parts, until: &what.until, correction: what.correct };
        let kept = keeping.all(&self.pairs, "pairs")?;
        let each = self.each(&keeping)?;
        let under = self.under(&keeping, &kept.comparison)?;
        let parting = match kept.comparison.widest {
            Some(widest) => Some(parting(&self.pairs, widest.seed, content::runtime)?),
            None => None,
        };
        let heard = what.spoken.map(|games| self.heard(games)).transpose()?;
        Ok(Done { kept, each, under, heard, parting })
    }

    /// How often paragraphs spoke in the first pairs.
    fn heard(&self, games: u64) -> Result<Heard> {
        let pairs = Pairs { games: games.min(self.pairs.games), ..self.pairs.clone() };
        let bar = progress(pairs.games, "pairs listened to")?;
        let heard = Heard::over(&pairs, self.what.correct, content::watching_closely, || bar.inc(1))?;
        bar.finish_and_clear();
        Ok(heard)
    }

    /// What single amendments are worth.
    fn each(&self, keeping: &Keeping<'_>) -> Result<Vec<Each>> {
        let What { each, games, seed, scenario, .. } = &self.what;
        let games = each.unwrap_or(*games);
        let (seed, games) = self.shard.map_or((*seed, games), |shard| shard.of(*seed, games));
        let names = self.asked.each_ref().map(|asked| &asked.selection.version);
        let one = |how: &Singly| -> Result<Each> {
            let (turned, left_out) = turned(*how, &self.differences, names);
            let mut all = Vec::new();
            for turned in turned {
                let of = &self.asked[turned.rest];
                let load = |version| -> Result<Arc<Ruleset>> {
                    let selection = Selection { version, ..of.selection.clone() };
                    self.content.playable(&Asked { folder: of.folder.clone(), id: of.id.clone(), selection })
                };
                let [without, with] = turned.versions;
                let versions = [load(without)?, load(with)?];
                let [a, b] = versions.each_ref().map(|ruleset| content::scenario(ruleset, scenario.as_deref()));
                let players = [0, 1].map(|_| self.pairs.players[turned.rest].clone());
                let pairs = Pairs { versions, scenarios: [a?, b?], players, seed, games, ..self.pairs.clone() };
                let beside = keeping.beside(&format!("{}.{}", how.word(), turned.name));
                all.push((turned.name.clone(), beside.all(&pairs, &format!("pairs of {}", turned.name))?.comparison));
            }
            Ok(Each { how: *how, all, left_out })
        };
        self.looks().iter().map(one).collect()
    }
}

/// The board where the games part that differ most.
fn boards(parting: Option<&Parting>) -> Result<Vec<(String, String)>> {
    let Some(Parting { position, around, .. }) = parting else { return Ok(Vec::new()) };
    let picture = Picture {
        map: &position.ruleset.map,
        ground: None,
        game: Some((position, Sight::ALL)),
        overlays: Vec::new(),
        around: around.map(|space| (space, 8)),
        across: 48.0,
    };
    let title = format!("{}: where they part", position.ruleset.turn_name(position.turn()));
    Ok(vec![(title, picture.svg()?)])
}

/// The command that does the same again.
fn again(what: &What, shard: Option<Shard>, pairs: &Pairs) -> String {
    let mut words = vec!["countermarch".to_owned(), "compare".to_owned()];
    words.extend([what.which.game.clone(), what.other.clone()]);
    let mut add = |option: &str, value: &str| words.extend([option.to_owned(), value.to_owned()]);
    what.which.set.iter().for_each(|set| add("--set", set));
    what.other_set.iter().for_each(|set| add("--other-set", set));
    add("--games", &what.games.to_string());
    add("--seed", &what.seed.to_string());
    add("--scenario", &pairs.versions[0].scenarios[pairs.scenarios[0]].id);
    what.players.iter().for_each(|player| add("--players", player));
    what.until.iter().for_each(|until| add("--until", &until.to_string()));
    if what.correct != Correction::default() {
        add("--correct", what.correct.word());
    }
    what.effects.iter().for_each(|how| add("--effects", how.word()));
    what.each.iter().for_each(|games| add("--each", &games.to_string()));
    what.under.iter().for_each(|under| add("--under", under));
    what.spoken.iter().for_each(|games| add("--spoken", &games.to_string()));
    shard.iter().for_each(|shard| add("--shard", &shard.to_string()));
    words.extend(what.unpaired.then(|| "--unpaired".to_owned()));
    words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
}

/// A word as a shell reads it.
pub fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "@._/+~=:,-".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) && !word.starts_with(['~', '=']) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn words_are_quoted_where_a_shell_would_read_them_otherwise() {
        assert_eq!(quoted("gettysburg-88@clarified~28"), "gettysburg-88@clarified~28");
        assert_eq!(quoted("may/a/when=unit.side = union"), "'may/a/when=unit.side = union'");
        assert_eq!(quoted("it's"), "'it'\\''s'");
        assert_eq!(quoted("~one"), "'~one'");
    }
}
