//! The file of a record that is being played: made where nothing stands yet, held by one process alone, and written
//! answer by answer.

use std::{
    fs::{self, File, OpenOptions, TryLockError},
    io::{self, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, anyhow, bail};

/// A record's file, locked while it is open.
pub struct RecordFile {
    file: File,
    path: PathBuf,
}

impl RecordFile {
    /// Makes a new file that holds this. What stands at the path already is never touched, be it a link.
    pub fn create(path: &Path, text: &[u8]) -> Result<RecordFile> {
        match RecordFile::begin(path, text) {
            Err(wrong) if wrong.kind() == io::ErrorKind::AlreadyExists => {
                bail!("{} exists already: name a new file", path.display())
            }
            made => made.with_context(|| format!("cannot write {}", path.display())),
        }
    }

    /// The same, under the first name that is free: `ID-1.march`, `ID-2.march` and so on.
    pub fn create_in(folder: &Path, id: &str, text: &[u8]) -> Result<RecordFile> {
        let elsewhere = "name another file with --save FILE";
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}; {elsewhere}", folder.display()))?;
        for number in 1.. {
            let path = folder.join(format!("{id}-{number}.march"));
            match RecordFile::begin(&path, text) {
                Err(wrong) if wrong.kind() == io::ErrorKind::AlreadyExists => (),
                made => return made.with_context(|| format!("cannot write {}; {elsewhere}", path.display())),
            }
        }
        unreachable!("some number is free")
    }

    fn begin(path: &Path, text: &[u8]) -> io::Result<RecordFile> {
        let mut file = OpenOptions::new().read(true).write(true).create_new(true).open(path)?;
        let written = file.try_lock().map_err(io::Error::from).and_then(|()| file.write_all(text));
        if let Err(wrong) = written {
            // It was made a moment ago and holds nothing: left there, it would only be in the way.
            let _ = fs::remove_file(path);
            return Err(wrong);
        }
        Ok(RecordFile { file, path: path.to_owned() })
    }

    /// Opens a record to go on with, unless another process plays it.
    pub fn open(path: &Path) -> Result<RecordFile> {
        let cannot = || format!("cannot go on with {}", path.display());
        if !fs::metadata(path).with_context(cannot)?.is_file() {
            return Err(anyhow!("it is not a file").context(cannot()));
        }
        let file = OpenOptions::new().read(true).write(true).open(path).with_context(cannot)?;
        match file.try_lock() {
            Ok(()) => Ok(RecordFile { file, path: path.to_owned() }),
            Err(TryLockError::WouldBlock) => bail!(
                "{} is being played by another process: leave it there first (`quit`), or go on with a copy of the file",
                path.display()
            ),
            Err(TryLockError::Error(wrong)) => Err(anyhow!(wrong).context(cannot())),
        }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// All that stands in it.
    pub fn bytes(&mut self) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let read = self.file.seek(SeekFrom::Start(0)).and_then(|_| self.file.read_to_end(&mut bytes));
        read.with_context(|| format!("cannot read {}", self.path.display()))?;
        Ok(bytes)
    }

    /// Takes away the part of a line that a kill left at its end.
    pub fn drop_cut_line(&mut self) -> Result<()> {
        let bytes = self.bytes()?;
        let whole = bytes.iter().rposition(|b| *b == b'\n').map_or(0, |at| at as u64 + 1);
        let cut = self.file.set_len(whole).and_then(|()| self.file.seek(SeekFrom::End(0)));
        cut.with_context(|| format!("cannot write {}", self.path.display()))?;
        Ok(())
    }

    /// Writes all of it to a new file.
    pub fn copy_to(&mut self, path: &Path) -> Result<()> {
        RecordFile::create(path, &self.bytes()?).map(|_| ())
    }
}

impl Write for RecordFile {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        let Self { file, path } = self;
        file.write(text)
            .map_err(|wrong| io::Error::new(wrong.kind(), format!("cannot write {}: {wrong}", path.display())))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}
