//! The files of a comparison: trials, which are written pair by pair and can be gone on with, and what is made of them. None
//! is ever written over.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, BufReader, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail};
use countermarch_core::study::{Columns, Pair};

/// A file of trials, locked while it is open.
pub struct TrialFile {
    file: File,
    path: PathBuf,
    columns: Columns,
}

impl TrialFile {
    /// Makes a new file, or opens one that holds trials of the same comparison; `each` hears of the pairs in it. What was
    /// being written when the program was killed is cut off.
    pub fn open(path: &Path, columns: Columns, each: impl FnMut(Pair) -> Result<()>) -> Result<TrialFile> {
        let file = locked(path)?;
        let mut trials = TrialFile { file, path: path.to_owned(), columns };
        trials.go_on(each).with_context(|| cannot(path))?;
        Ok(trials)
    }

    fn go_on(&mut self, mut each: impl FnMut(Pair) -> Result<()>) -> Result<()> {
        let mut header = Vec::new();
        self.columns.write_header(&mut header)?;
        let whole = whole_lines(&mut self.file)?;
        if whole == 0 {
            // New, or killed in its first line.
            let mut begun = Vec::new();
            (&self.file).take(header.len() as u64 + 1).read_to_end(&mut begun)?;
            if !header.starts_with(&begun) {
                bail!("it holds something else than trials: name another file, and nothing is written to this one");
            }
            self.file.set_len(0)?;
            self.file.seek(SeekFrom::Start(0))?;
            return Ok(self.file.write_all(&header)?);
        }
        self.file.seek(SeekFrom::Start(0))?;
        let mut taken = Ok(());
        let end = self.columns.read(BufReader::new((&self.file).take(whole)), |pair| {
            if taken.is_ok() {
                taken = each(pair);
            }
        })?;
        taken?;
        self.file.set_len(end)?;
        self.file.seek(SeekFrom::Start(end))?;
        Ok(())
    }

    /// Writes a pair, which stands on disk before the next.
    pub fn write(&mut self, pair: &Pair) -> Result<()> {
        let mut rows = Vec::new();
        self.columns.write(pair, &mut rows)?;
        self.file.write_all(&rows).with_context(|| cannot(&self.path))
    }

    /// Writes all of them as Parquet.
    pub fn write_parquet(&mut self, to: &mut File) -> Result<()> {
        self.file.seek(SeekFrom::Start(0))?;
        Ok(self.columns.write_parquet(BufReader::new(&self.file), to)?)
    }
}

/// Makes a new file of rows, or opens one that is there, and locks it.
pub fn locked(path: &Path) -> Result<File> {
    let made = OpenOptions::new().read(true).write(true).create_new(true).open(path);
    let file = match made {
        Ok(file) => file,
        Err(wrong) if wrong.kind() == io::ErrorKind::AlreadyExists && path.is_file() => {
            OpenOptions::new().read(true).write(true).open(path).with_context(|| cannot(path))?
        }
        Err(wrong) => return Err(wrong).with_context(|| cannot(path)),
    };
    if file.try_lock().is_err() {
        bail!("{} is being written by another process", path.display());
    }
    Ok(file)
}

/// How long a file is up to the end of its last whole line.
pub fn whole_lines(file: &mut File) -> io::Result<u64> {
    let mut end = file.seek(SeekFrom::End(0))?;
    let mut block = [0; 4096];
    while end > 0 {
        let start = end.saturating_sub(block.len() as u64);
        let read = &mut block[..(end - start) as usize];
        file.seek(SeekFrom::Start(start))?;
        file.read_exact(read)?;
        if let Some(at) = read.iter().rposition(|byte| *byte == b'\n') {
            file.seek(SeekFrom::Start(0))?;
            return Ok(start + at as u64 + 1);
        }
        end = start;
    }
    file.seek(SeekFrom::Start(0))?;
    Ok(0)
}

fn cannot(path: &Path) -> String {
    format!("cannot write trials to {}", path.display())
}

/// A file that is written once all is known; nothing may stand there before.
pub struct NewFile(PathBuf);

impl NewFile {
    /// It will be made there.
    ///
    /// # Errors
    /// Something stands there already.
    pub fn at(path: &Path) -> Result<NewFile> {
        if fs::symlink_metadata(path).is_ok() {
            bail!("{} exists already: name a new file", path.display());
        }
        Ok(NewFile(path.to_owned()))
    }

    /// Writes it. One that cannot be written to its end is not left behind.
    pub fn write(&self, write: impl FnOnce(&mut File) -> Result<()>) -> Result<()> {
        let cannot = || format!("cannot write {}", self.0.display());
        let mut file = OpenOptions::new().write(true).create_new(true).open(&self.0).with_context(cannot)?;
        write(&mut file).inspect_err(|_| _ = fs::remove_file(&self.0)).with_context(cannot)
    }
}

/// Writes a file that is drawn or made anew as often as somebody likes: over one of its own kind, and over no other.
///
/// # Errors
/// Something else stands there, or it cannot be written.
pub fn write_anew(path: &Path, bytes: &[u8], kind: &str, is_such: impl Fn(&[u8]) -> bool) -> Result<()> {
    if fs::symlink_metadata(path).is_ok() && !fs::read(path).is_ok_and(|there| is_such(&there)) {
        bail!("{} exists already and is no {kind}: name a new file", path.display());
    }
    fs::write(path, bytes).with_context(|| format!("cannot write {}", path.display()))
}

/// Refuses two files of one path.
pub fn must_be_apart(files: &[Option<&PathBuf>]) -> Result<()> {
    let whole = |path: &&PathBuf| {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        (fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned()), path.file_name().map(ToOwned::to_owned))
    };
    let all: Vec<_> = files.iter().flatten().map(whole).collect();
    for (at, one) in all.iter().enumerate() {
        if all[..at].contains(one) {
            bail!("two of the files to write are one: {}", one.0.join(one.1.clone().unwrap_or_default()).display());
        }
    }
    Ok(())
}
