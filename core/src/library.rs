//! The texts of a game: path to text, from a folder or from a string. The one place where the engine reads files.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs::{self, File},
    io::{self, Read as _},
    path::{Component, Path, PathBuf},
    sync::{
        Arc, OnceLock,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use crate::{
    diagnostic::{Diagnostic, Diagnostics, Span},
    kept::Kept,
    yaml::{self, Node},
};

/// Texts by path, `/` between folders. Paths of one ruleset begin with its folder's name.
#[derive(Debug, Clone, Default)]
pub struct Library {
    texts: BTreeMap<String, Arc<Text>>,
    faults: Diagnostics,
    bytes: u64,
    /// The root that each ruleset and each file of `maps` comes from, where there are several; and each file that is added
    /// to a ruleset of another root.
    origins: BTreeMap<String, Arc<str>>,
    /// By ruleset, what roots have beside it that hold no ruleset of that name.
    additions: BTreeMap<String, Vec<Addition>>,
    /// Rulesets that nothing is added to.
    whole: BTreeSet<String>,
    /// The roots behind that which have a ruleset of the same name too.
    hidden: BTreeMap<String, Vec<Arc<str>>>,
    kept: Arc<Kept>,
}

/// A file that a root adds to a ruleset of another.
#[derive(Debug, Clone)]
struct Addition {
    root: Arc<str>,
    path: String,
    text: Arc<Text>,
}

/// What a file holds, and its tree from the first time that it is read.
#[derive(Debug)]
struct Text {
    text: String,
    tree: OnceLock<(Node, Diagnostics)>,
}

/// No file of content is larger than this; what is larger is a mistake or an attack.
const LARGEST: u64 = 8 << 20;
/// Nor are all files of a library together.
const LARGEST_OF_ALL: u64 = 256 << 20;
/// Nor do folders lie deeper in each other.
const DEEPEST: usize = 32;
/// Trees are kept of so much text: a tree may take thirty times as much as what it is read from.
const MOST_TREES: usize = 16 << 20;
/// Where what is added to a ruleset lies.
const ADDED: [&str; 4] = ["amendments/", "scenarios/", "examples/", "players/"];
/// Less is parsed before a thread has begun.
const FEW_BYTES: usize = 64 << 10;

impl Library {
    /// Reads every `.yaml`, `.luau` and `.march` file under `folder`, with paths beginning with `prefix`.
    ///
    /// Links are not followed, devices and pipes not opened. What cannot be read is left out, and is told of whoever
    /// asks for it: [`Library::faults`].
    ///
    /// # Errors
    /// When the folder itself cannot be read.
    pub fn add_folder(&mut self, prefix: &str, folder: &Path) -> io::Result<()> {
        self.add_entries(prefix, fs::read_dir(folder)?, DEEPEST)
    }

    fn add_entries(&mut self, prefix: &str, entries: fs::ReadDir, deeper: usize) -> io::Result<()> {
        let mut entries: Vec<_> = entries.collect::<Result<_, _>>()?;
        entries.sort_by_key(fs::DirEntry::file_name);
        for entry in entries {
            let name = format!("{prefix}/{}", entry.file_name().to_string_lossy());
            let kind = entry.file_type();
            if kind.as_ref().is_ok_and(fs::FileType::is_dir) {
                let read = match deeper.checked_sub(1) {
                    Some(deeper) => fs::read_dir(entry.path()).and_then(|inner| self.add_entries(&name, inner, deeper)),
                    None => Err(io::Error::other(format!("folders lie more than {DEEPEST} deep"))),
                };
                if let Err(wrong) = read {
                    self.faults.error("unreadable", &Span::file(&name), format!("{wrong}"), "");
                }
            } else if kind.is_ok_and(|kind| kind.is_file()) && is_content(&name) {
                self.add_file(&name, &entry.path());
            }
        }
        Ok(())
    }

    /// Reads one file under the given name.
    pub fn add_file(&mut self, name: &str, path: &Path) {
        match read_at_most(path, self.room()) {
            Ok(bytes) => self.add_bytes(name, bytes),
            Err(wrong) if wrong.kind() == io::ErrorKind::FileTooLarge => self.too_large(name),
            Err(wrong) => self.faults.error("unreadable", &Span::file(name), format!("{wrong}"), ""),
        }
    }

    /// Adds what a file holds, under the given name.
    pub fn add_bytes(&mut self, name: &str, bytes: Vec<u8>) {
        if bytes.len() as u64 > self.room() {
            return self.too_large(name);
        }
        self.bytes += bytes.len() as u64;
        let text = String::from_utf8(bytes).unwrap_or_else(|wrong| {
            let at = wrong.utf8_error().valid_up_to();
            let span = Span { file: name.into(), start: at, end: at };
            self.faults.error("not-utf8", &span, "the file is not UTF-8 from here on", "save it as UTF-8");
            String::from_utf8_lossy(&wrong.as_bytes()[..at]).into_owned()
        });
        self.insert(name, text);
    }

    /// How large the next file may be.
    fn room(&self) -> u64 {
        LARGEST.min(LARGEST_OF_ALL.saturating_sub(self.bytes))
    }

    fn too_large(&mut self, name: &str) {
        let message = "the file is larger than 8 MiB, or all files together are larger than 256 MiB";
        self.faults.error("too-large", &Span::file(name), message, "split it, or leave others out");
    }

    /// Puts the content of another root behind what is there: the first root that has a ruleset gives all of it, and
    /// the first that has a file of `maps` gives that. A folder without `ruleset.yaml` is no ruleset, and adds to the one of
    /// its name, from whichever root that comes: see [`Library::add_all`].
    pub fn add_behind(&mut self, root: &str, other: Library) {
        let is_one =
            |item: &str| !item.starts_with("rulesets/") || other.text(&format!("{item}/ruleset.yaml")).is_some();
        let paths = other.paths().chain(other.faults.list.iter().map(|d| &*d.span.file));
        let is_new = |item: &&str| is_one(item) && !self.origins.contains_key(*item);
        let new: BTreeSet<String> = paths.map(item).filter(is_new).map(str::to_owned).collect();
        let is_hidden = |item: &&str| item.starts_with("rulesets/") && is_one(item) && !new.contains(*item);
        let hidden: BTreeSet<String> = other.paths().map(item).filter(is_hidden).map(str::to_owned).collect();
        let adds =
            |path: &str| path.len() > item(path).len() && !is_one(item(path)) && !self.whole.contains(item(path));
        let root: Arc<str> = root.into();
        for (path, text) in other.texts.iter().filter(|(path, _)| adds(path)) {
            let added = Addition { root: root.clone(), path: path.clone(), text: text.clone() };
            self.additions.entry(item(path).to_owned()).or_default().push(added);
        }
        let is_told = |d: &&Diagnostic| new.contains(item(&d.span.file)) || adds(&d.span.file);
        self.faults.extend(other.faults.list.iter().filter(is_told));
        self.texts.extend(other.texts.into_iter().filter(|(path, _)| new.contains(item(path))));
        for item in hidden {
            self.hidden.entry(item).or_default().push(root.clone());
        }
        self.origins.extend(new.into_iter().map(|item| (item, root.clone())));
    }

    /// The same for a ruleset in a folder that somebody has named: it is what lies there, and nothing is added to it.
    pub fn add_whole(&mut self, ruleset: &str, root: &str, other: Library) {
        self.whole.insert(format!("rulesets/{ruleset}"));
        self.add_behind(root, other);
    }

    /// Adds to rulesets what other roots have beside them: amendments, scenarios, examples and players. What else lies there,
    /// or is called as a file that the ruleset has, is not read, and a warning says so. To be called when no more roots
    /// follow.
    pub fn add_all(&mut self) {
        let additions = std::mem::take(&mut self.additions);
        for (item, files) in additions {
            if !self.origins.contains_key(&item) {
                self.additions.insert(item, files);
                continue;
            }
            for Addition { root, path, text } in files {
                let inner = path[item.len()..].trim_start_matches('/');
                let why = if !ADDED.iter().any(|folder| inner.starts_with(folder)) {
                    let what = ADDED.map(|folder| folder.trim_end_matches('/')).join(", ");
                    Some((format!("what is added to a game lies in one of {what}"), "write it as an amendment"))
                } else if self.texts.contains_key(&path) {
                    Some(("there is a file of that name already".to_owned(), "give this one another name"))
                } else {
                    None
                };
                if let Some((why, help)) = why {
                    let file = Path::new(&*root).join(&path);
                    let message = format!("{} is not read: {why}", file.display());
                    // Told of the ruleset, which may have a file of that name.
                    self.faults.warning("not-added", &Span::file(&item), message, help);
                } else {
                    self.origins.insert(path.clone(), root);
                    self.texts.insert(path, text);
                }
            }
        }
    }

    /// Whether a file of a ruleset was added to it from a root other than its own.
    pub fn is_added(&self, path: &str) -> bool {
        item(path) != path && self.origins.contains_key(path)
    }

    /// The roots that add to a ruleset which comes from another.
    pub fn added_from(&self, ruleset: &str) -> BTreeSet<&str> {
        let within = format!("rulesets/{ruleset}/");
        let files = self.origins.range(within.clone()..).take_while(|(path, _)| path.starts_with(&within));
        files.map(|(_, root)| &**root).collect()
    }

    /// Rulesets that roots would add to and that there are not, each with such a root.
    pub fn added_to_nothing(&self) -> impl Iterator<Item = (&str, &str)> {
        self.additions.iter().filter_map(|(item, files)| Some((item.strip_prefix("rulesets/")?, &*files.first()?.root)))
    }

    /// The root that a file comes from, where there are several.
    pub fn origin(&self, path: &str) -> Option<&str> {
        self.origins.get(path).or_else(|| self.origins.get(item(path))).map(|root| &**root)
    }

    /// Roots behind that which have a ruleset of the same name, which nobody comes to by that name.
    pub fn hidden(&self, ruleset: &str) -> impl Iterator<Item = &str> {
        self.hidden.get(&format!("rulesets/{ruleset}")).into_iter().flatten().map(|root| &**root)
    }

    /// What could not be read of a file, or of a folder and all that lies in it.
    pub fn faults<'a>(&'a self, path: &'a str) -> impl Iterator<Item = &'a Diagnostic> {
        let is_there = move |file: &str| file.strip_prefix(path).is_some_and(|r| r.is_empty() || r.starts_with('/'));
        self.faults.list.iter().filter(move |d| is_there(&d.span.file))
    }

    /// Adds or replaces a text.
    pub fn insert(&mut self, path: &str, text: impl Into<String>) {
        let text = Text { text: text.into(), tree: OnceLock::new() };
        self.texts.insert(path.to_owned(), text.into());
    }

    /// A library from one string: `//- path` opens each file.
    pub fn from_fixture(fixture: &str) -> Library {
        let mut library = Library::default();
        let mut current: Option<(String, String)> = None;
        for line in fixture.lines() {
            if let Some(path) = line.trim_start().strip_prefix("//- ") {
                if let Some((path, text)) = current.take() {
                    library.insert(&path, text);
                }
                current = Some((path.trim().to_owned(), String::new()));
            } else if let Some((_, text)) = &mut current {
                text.push_str(line);
                text.push('\n');
            }
        }
        if let Some((path, text)) = current {
            library.insert(&path, text);
        }
        library
    }

    /// The text at a path.
    pub fn text(&self, path: &str) -> Option<&str> {
        self.texts.get(path).map(|of| of.text.as_str())
    }

    /// The tree of a file of YAML, with what is wrong in it; nothing where there is no such file. It is parsed once.
    pub fn tree(&self, path: &str, found: &mut Diagnostics) -> Option<Node> {
        let (name, of) = self.texts.get_key_value(path)?;
        let Some((tree, faults)) = self.kept_tree(name, of) else { return Some(yaml::parse(path, &of.text, found)) };
        found.take(faults);
        Some(tree.clone())
    }

    fn kept_tree<'a>(&self, path: &str, of: &'a Text) -> Option<&'a (Node, Diagnostics)> {
        if of.tree.get().is_none() && !self.kept.has_room(of.text.len(), MOST_TREES) {
            return None;
        }
        Some(of.tree.get_or_init(|| {
            let mut faults = Diagnostics::default();
            (yaml::parse(path, &of.text, &mut faults), faults)
        }))
    }

    /// Has files parsed side by side, the longest first; what is wrong with one is told whoever asks for its tree.
    pub(crate) fn parse_trees<'a>(&self, paths: impl Iterator<Item = &'a str>) {
        let files = paths.filter_map(|path| self.texts.get_key_value(path));
        let mut files: Vec<(&String, &Arc<Text>)> = files.filter(|(_, of)| of.tree.get().is_none()).collect();
        if files.iter().map(|(_, of)| of.text.len()).sum::<usize>() < FEW_BYTES {
            return;
        }
        files.sort_by_key(|(_, of)| std::cmp::Reverse(of.text.len()));
        let next = AtomicUsize::new(0);
        let work = || {
            while let Some((path, of)) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                self.kept_tree(path, of);
            }
        };
        thread::scope(|scope| {
            // Where no thread can be begun this one does it all.
            for _ in 1..cores().min(files.len()) {
                let _ = thread::Builder::new().name("files".into()).spawn_scoped(scope, work);
            }
            work();
        });
    }

    /// What has been worked out from its texts.
    pub(crate) fn kept(&self) -> &Arc<Kept> {
        &self.kept
    }

    /// Paths and texts under a prefix, in the order of their paths.
    pub fn under<'a>(&'a self, prefix: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.texts
            .range(prefix.to_owned()..)
            .take_while(move |(p, _)| p.starts_with(prefix))
            .map(|(p, of)| (p.as_str(), of.text.as_str()))
    }

    /// All paths, sorted.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.texts.keys().map(String::as_str)
    }
}

/// How many things this machine does side by side; asking takes as long as parsing a small file.
fn cores() -> usize {
    static CORES: OnceLock<usize> = OnceLock::new();
    *CORES.get_or_init(|| thread::available_parallelism().map_or(1, usize::from))
}

/// The whole of a file that a person names, if it is text and not larger than content may be.
///
/// # Errors
/// When it cannot be read, is larger, or is not UTF-8.
pub fn read_text(path: &Path) -> io::Result<String> {
    let bytes = read_at_most(path, LARGEST)?;
    let not_text = |_| io::Error::new(io::ErrorKind::InvalidData, "the file is not UTF-8");
    String::from_utf8(bytes).map_err(not_text)
}

/// Reads no more than so many bytes: a device has no end, and its length says nothing.
fn read_at_most(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, format!("the file is larger than {most} bytes")));
    }
    Ok(bytes)
}

/// A folder that content may name files in, and nowhere else.
#[derive(Debug, Clone)]
pub struct Root(PathBuf);

impl Root {
    /// A folder that holds `maps`.
    pub fn at(folder: &Path) -> Root {
        Root(folder.to_owned())
    }

    /// The nearest folder above a file that holds `maps`, or the file's own where none does.
    pub fn above(file: &Path) -> Root {
        let full = fs::canonicalize(file).unwrap_or_else(|_| file.to_owned());
        let holds = full.ancestors().skip(1).find(|folder| folder.join("maps").is_dir());
        Root(holds.or(full.parent()).unwrap_or(Path::new(".")).to_owned())
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.0
    }

    /// The file that content names. The error says why it is none that content may name.
    ///
    /// Its name ends as its kind of file does, and it is a file: no device, no pipe.
    pub fn file(&self, named: &str, endings: &[&str]) -> Result<PathBuf, String> {
        let path = self.place(named)?;
        if !endings.iter().any(|ending| named.ends_with(ending)) {
            return Err(format!("`{named}` does not end in {}", endings.join(" or ")));
        }
        match fs::metadata(&path) {
            Ok(there) if there.is_file() => Ok(path),
            Ok(_) => Err(format!("`{named}` is no file")),
            Err(_) => Err(format!("there is no file `{named}`")),
        }
    }

    /// Where content would have a file, whether it is there or not: downward from the folder, and inside it even where
    /// links lead there.
    pub fn place(&self, named: &str) -> Result<PathBuf, String> {
        let leads_down = Path::new(named).components().all(|part| matches!(part, Component::Normal(_)));
        if named.is_empty() || !leads_down || named.contains(['\\', ':']) {
            return Err(format!("`{named}` is no path downward from the folder that holds `maps`"));
        }
        let path = self.0.join(named);
        let inside = fs::canonicalize(&self.0).unwrap_or_else(|_| self.0.clone());
        if path.ancestors().find_map(|part| fs::canonicalize(part).ok()).is_some_and(|real| !real.starts_with(&inside))
        {
            return Err(format!("`{named}` is a link that leads out of {}", self.0.display()));
        }
        Ok(path)
    }
}

/// What comes from one root: a ruleset as a whole, or any other file.
fn item(path: &str) -> &str {
    let inner = path.strip_prefix("rulesets/").and_then(|inner| inner.find('/'));
    inner.map_or(path, |at| &path[.."rulesets/".len() + at])
}

/// Whether a file is content, by its name.
pub fn is_content(name: &str) -> bool {
    [".yaml", ".yml", ".luau", ".lua", ".march"].iter().any(|e| name.ends_with(e))
}
