//! What a game remembers, as whole numbers; and what has been written over, so that it can be put back.

use std::sync::Arc;

use super::basis::fresh_stamp;
use crate::ruleset::{Column, Holder, Part, Schema};

/// Every declared property of everything, column by column.
#[derive(Debug, Clone)]
pub(super) struct Values {
    cells: Vec<i32>,
    /// The cells that are not at their default, as a bit set, and a word more.
    changed: Vec<u64>,
    /// For each part of the state, how many of its cells are not.
    unusual: Vec<u32>,
    /// For each part of the state, a number that changes with every write and is never used twice.
    stamps: Vec<u64>,
    /// For each unit, a number that changes with every write to anything of its own, and with all that is put back of it.
    unit_stamps: Vec<u64>,
    /// By cell, the unit whose it is; of cells of other things no number of a unit.
    unit_of: Arc<[u16]>,
    /// The stamp of the last write, whatever it was to.
    version: u64,
    written_over: Vec<WrittenOver>,
}

/// What a write has replaced.
#[derive(Debug, Clone, Copy)]
pub(super) struct WrittenOver {
    pub cell: u32,
    pub was: i32,
    stamp: u64,
    part: Part,
    was_changed: bool,
}

impl Values {
    /// Everything at its default.
    pub fn new(schema: &Schema) -> Values {
        let mut cells = vec![0; schema.cells];
        let mut unit_of = vec![u16::MAX; schema.cells];
        for column in &schema.columns {
            let these = column.base..column.base + column.count;
            cells[these.clone()].fill(column.default);
            if column.holder == Holder::Unit {
                unit_of[these].iter_mut().zip(0..).for_each(|(of, unit)| *of = unit);
            }
        }
        Values {
            cells,
            changed: vec![0; schema.cells.div_ceil(64) + 1],
            unusual: vec![0; schema.parts()],
            stamps: vec![0; schema.parts()],
            unit_stamps: vec![0; schema.columns[usize::from(Schema::PLACE)].count],
            unit_of: unit_of.into(),
            version: fresh_stamp(),
            written_over: Vec::new(),
        }
    }

    #[inline]
    pub fn get(&self, cell: usize) -> i32 {
        self.cells[cell]
    }

    /// So many cells from the first.
    pub fn slice(&self, (first, count): (u32, u32)) -> &[i32] {
        &self.cells[first as usize..][..count as usize]
    }

    #[inline]
    pub fn stamp(&self, part: Part) -> u64 {
        self.stamps[part.0 as usize]
    }

    /// By number of the unit, what [tells](Values::stamp) whether anything of its own has changed.
    #[inline]
    pub fn unit_stamps(&self) -> &[u64] {
        &self.unit_stamps
    }

    #[inline]
    pub fn version(&self) -> u64 {
        self.version
    }

    /// Whether every cell of a part is at its default.
    #[inline]
    pub fn is_as_usual(&self, part: Part) -> bool {
        self.unusual[part.0 as usize] == 0
    }

    /// Writes a cell of a part, whose default this is.
    pub fn write(&mut self, cell: usize, value: i32, default: i32, part: Part) {
        self.version = fresh_stamp();
        self.overwrite(cell, value, value != default, part);
    }

    /// Puts all of a column that is not at its default back to it, as one write. `part` is the part of one of its things.
    pub fn reset(&mut self, column: &Column, part: impl Fn(usize) -> Part) {
        let changed: Vec<usize> = self.changed_among((column.base as u32, column.count as u32)).collect();
        self.version = fresh_stamp();
        for of in changed {
            self.overwrite(column.base + of, column.default, false, part(of));
        }
    }

    fn overwrite(&mut self, cell: usize, value: i32, is_changed: bool, part: Part) {
        let was_changed = self.is_changed(cell);
        let (was, stamp) = (self.cells[cell], self.stamp(part));
        self.written_over.push(WrittenOver { cell: cell as u32, was, stamp, part, was_changed });
        self.put(cell, value, is_changed, part);
        self.stamps[part.0 as usize] = self.version;
        self.stamp_unit(cell, self.version);
    }

    fn stamp_unit(&mut self, cell: usize, stamp: u64) {
        if let Some(of_unit) = self.unit_stamps.get_mut(usize::from(self.unit_of[cell])) {
            *of_unit = stamp;
        }
    }

    fn put(&mut self, cell: usize, value: i32, is_changed: bool, part: Part) {
        let unusual = &mut self.unusual[part.0 as usize];
        let (word, bit) = (&mut self.changed[cell / 64], 1 << (cell % 64));
        *unusual -= u32::from(*word & bit != 0);
        *unusual += u32::from(is_changed);
        *word = if is_changed { *word | bit } else { *word & !bit };
        self.cells[cell] = value;
    }

    #[inline]
    fn is_changed(&self, cell: usize) -> bool {
        self.changed[cell / 64] >> (cell % 64) & 1 == 1
    }

    /// How much has been written over since [`Values::forget`].
    pub fn written(&self) -> usize {
        self.written_over.len()
    }

    /// What has been written over since so much had been, the latest last.
    pub fn written_since(&self, written: usize) -> &[WrittenOver] {
        &self.written_over[written..]
    }

    /// What has been written over so far cannot be put back any more.
    pub fn forget(&mut self) {
        self.written_over.clear();
    }

    /// Hands over so much of what has been written over first, and forgets the rest.
    pub fn take_written_over(&mut self, written: usize) -> Vec<WrittenOver> {
        self.written_over.truncate(written);
        std::mem::take(&mut self.written_over)
    }

    /// So much was written over before the state came to what it is.
    pub fn remember(&mut self, written_over: Vec<WrittenOver>) {
        self.written_over = written_over;
    }

    /// Puts back what was written over last. What was derived from the state as it was then stands again.
    pub fn put_back(&mut self) {
        if let Some(last) = self.written_over.pop() {
            self.put(last.cell as usize, last.was, last.was_changed, last.part);
            self.stamps[last.part.0 as usize] = last.stamp;
            self.stamp_unit(last.cell as usize, fresh_stamp());
        }
    }

    /// The state is again the one that had this version.
    pub fn stands_at(&mut self, version: u64) {
        self.version = version;
    }

    /// The cells that are not at their default, and what they are.
    pub fn unusual(&self) -> impl Iterator<Item = (u32, i32)> + '_ {
        let all = (0, self.cells.len() as u32);
        self.changed_among(all).map(|cell| (cell as u32, self.cells[cell]))
    }

    /// The cells that are not what they were when so much had been written over, and what they are.
    pub fn changed_since(&self, written: usize) -> Vec<(u32, i32)> {
        let since = self.first_since(written).into_iter();
        let changed = since.map(|w| (w, self.cells[w.cell as usize])).filter(|(w, is)| w.was != *is);
        changed.map(|(w, is)| (w.cell, is)).collect()
    }

    /// Of the writes to each cell since so much had been written over the first, which replaced what it was then.
    fn first_since(&self, written: usize) -> Vec<WrittenOver> {
        let mut since = self.written_since(written).to_vec();
        since.sort_by_key(|w| w.cell);
        since.dedup_by_key(|w| w.cell);
        since
    }

    /// The cells that were not at their default when so much had been written over, and what they were.
    pub fn unusual_at(&self, written: usize) -> Vec<(u32, i32)> {
        let since = self.first_since(written);
        let is_since = |cell: u32| since.binary_search_by_key(&cell, |w| w.cell).is_ok();
        let mut all: Vec<(u32, i32)> = self.unusual().filter(|(cell, _)| !is_since(*cell)).collect();
        if !since.is_empty() {
            all.extend(since.iter().filter(|w| w.was_changed).map(|w| (w.cell, w.was)));
            all.sort_unstable();
        }
        all
    }

    /// Becomes the state in which these cells are not at their default and all others are; they are in order.
    pub fn become_state(&mut self, cells: &[(u32, i32)], schema: &Schema, part_of: impl Fn(u16, usize) -> Part) {
        self.forget();
        self.version = fresh_stamp();
        self.unit_stamps.fill(self.version);
        let mut left = cells;
        for (number, column) in (0..).zip(&schema.columns) {
            let end = (column.base + column.count) as u32;
            let here = left.partition_point(|(cell, _)| *cell < end);
            let parts = schema.sides_of(column.holder);
            let is_unusual = (0..parts).any(|side| !self.is_as_usual(schema.part(number, side)));
            if is_unusual {
                self.cells[column.base..end as usize].fill(column.default);
                let changed: Vec<usize> = self.changed_among((column.base as u32, column.count as u32)).collect();
                changed
                    .into_iter()
                    .map(|of| column.base + of)
                    .for_each(|cell| self.changed[cell / 64] &= !(1 << (cell % 64)));
            }
            for part in (0..parts).map(|side| schema.part(number, side)) {
                self.unusual[part.0 as usize] = 0;
                self.stamps[part.0 as usize] = 0;
            }
            for (cell, value) in &left[..here] {
                let part = part_of(number, *cell as usize - column.base);
                self.put(*cell as usize, *value, true, part);
                self.stamps[part.0 as usize] = self.version;
            }
            left = &left[here..];
        }
    }

    /// Which of so many cells from the first are not at their default, as a bit set.
    pub fn changed_of(&self, (first, count): (u32, u32)) -> Vec<u64> {
        let (word, shift) = (first as usize / 64, first % 64);
        // Nothing can be shifted by a whole word.
        let join = |pair: &[u64]| pair[0] >> shift | pair[1] << 1 << (63 - shift);
        let mut set: Vec<u64> = self.changed[word..].windows(2).take(count.div_ceil(64) as usize).map(join).collect();
        if let Some(last) = set.last_mut().filter(|_| count % 64 != 0) {
            *last &= u64::MAX >> (64 - count % 64);
        }
        set
    }

    /// The same one by one, by their numbers counted from the first.
    pub fn changed_among(&self, (first, count): (u32, u32)) -> impl Iterator<Item = usize> + '_ {
        let (first, end) = (first as usize, (first + count) as usize);
        let mut word = first / 64;
        let mut rest = self.changed[word] & u64::MAX << (first % 64);
        std::iter::from_fn(move || {
            while rest == 0 {
                word += 1;
                rest = *self.changed.get(word).filter(|_| word * 64 < end)?;
            }
            let cell = word * 64 + rest.trailing_zeros() as usize;
            rest &= rest - 1;
            (cell < end).then_some(cell - first)
        })
    }
}
