//! The texts of a game: path to text, from a folder or from a string.

use std::{collections::BTreeMap, fs, io, path::Path};

use crate::diagnostic::{Diagnostics, Span};

/// Texts by path, `/` between folders. Paths of one ruleset begin with its folder's name.
#[derive(Debug, Clone, Default)]
pub struct Library {
    texts: BTreeMap<String, String>,
}

/// No file of content is larger than this; what is larger is a mistake or an attack.
const LARGEST: u64 = 8 << 20;

impl Library {
    /// Reads every `.yaml`, `.luau` and `.march` file under `folder`, with paths beginning with `prefix`.
    ///
    /// The one place where the engine reads files. Links are not followed. A file that is too large or is not
    /// UTF-8 is a diagnostic and is left out.
    pub fn add_folder(&mut self, prefix: &str, folder: &Path, found: &mut Diagnostics) -> io::Result<()> {
        let mut entries: Vec<_> = fs::read_dir(folder)?.collect::<Result<_, _>>()?;
        entries.sort_by_key(fs::DirEntry::file_name);
        for entry in entries {
            let kind = entry.file_type()?;
            let name = format!("{prefix}/{}", entry.file_name().to_string_lossy());
            if kind.is_dir() {
                self.add_folder(&name, &entry.path(), found)?;
            } else if kind.is_file() && is_content(&name) {
                self.add_file(&name, &entry.path(), found)?;
            }
        }
        Ok(())
    }

    /// Reads one file under the given name.
    pub fn add_file(&mut self, name: &str, path: &Path, found: &mut Diagnostics) -> io::Result<()> {
        if fs::metadata(path)?.len() > LARGEST {
            found.error("too-large", &Span::file(name), "the file is larger than 8 MiB", "split it");
            return Ok(());
        }
        match String::from_utf8(fs::read(path)?) {
            Ok(text) => self.insert(name, text),
            Err(wrong) => {
                let at = wrong.utf8_error().valid_up_to();
                let good = String::from_utf8_lossy(&wrong.as_bytes()[..at]).into_owned();
                let span = Span { file: name.into(), start: at, end: at };
                found.error("not-utf8", &span, "the file is not UTF-8 from here on", "save it as UTF-8");
                self.insert(name, good);
            }
        }
        Ok(())
    }

    /// Adds or replaces a text.
    pub fn insert(&mut self, path: &str, text: impl Into<String>) {
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
        self.texts.get(path).map(String::as_str)
    }

    /// Paths and texts under a prefix, in the order of their paths.
    pub fn under<'a>(&'a self, prefix: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.texts
            .range(prefix.to_owned()..)
            .take_while(move |(p, _)| p.starts_with(prefix))
            .map(|(p, t)| (p.as_str(), t.as_str()))
    }

    /// All paths, sorted.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.texts.keys().map(String::as_str)
    }
}

fn is_content(name: &str) -> bool {
    [".yaml", ".luau", ".march"].iter().any(|e| name.ends_with(e))
}
