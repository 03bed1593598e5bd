//! Trials as columns: the rows of a file of trials, in the format that DuckDB, Polars and pandas read fastest.

use std::{
    io::{Read, Write},
    sync::Arc,
};

use parquet::{
    basic::{LogicalType, Repetition, Type as Physical},
    data_type::{ByteArray, ByteArrayType, DataType, Int32Type, Int64Type},
    errors::ParquetError,
    file::{
        properties::WriterProperties,
        writer::{SerializedFileWriter, SerializedRowGroupWriter},
    },
    schema::types::Type,
};

use super::{
    Pair,
    trials::{Columns, FIXED, TrialsError, VERSIONS},
};

/// So many pairs stand together; no more are held at once.
const GROUP: usize = 4096;

impl From<ParquetError> for TrialsError {
    fn from(wrong: ParquetError) -> TrialsError {
        TrialsError::Io(std::io::Error::other(wrong))
    }
}

impl Columns {
    /// Writes the trials of a file as Parquet: the same columns, with types. Numbers are 64 bits wide, and what is measured
    /// 32; `parted` and `wrong` are null where there is nothing to say.
    ///
    /// # Errors
    /// The trials cannot be read; or the columns cannot be written.
    pub fn write_parquet(&self, trials: impl Read, to: impl Write + Send) -> Result<(), TrialsError> {
        let properties = WriterProperties::builder().set_created_by("countermarch".to_owned()).build();
        let mut writer = SerializedFileWriter::new(to, Arc::new(self.schema()?), Arc::new(properties))?;
        let mut group = Vec::with_capacity(GROUP);
        let mut written = Ok(());
        self.read(trials, |pair| {
            group.push(pair);
            if group.len() == GROUP && written.is_ok() {
                written = self.write_group(&group, &mut writer);
                group.clear();
            }
        })?;
        written?;
        if !group.is_empty() {
            self.write_group(&group, &mut writer)?;
        }
        writer.close()?;
        Ok(())
    }

    fn schema(&self) -> Result<Type, ParquetError> {
        let field = |name: &str| {
            let (physical, logical) = match name {
                "pair" | "parted" | "rolls" | "shared" => (Physical::INT64, None),
                name if FIXED.contains(&name) => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
                _ => (Physical::INT32, None),
            };
            let may_lack = matches!(name, "parted" | "wrong");
            let repetition = if may_lack { Repetition::OPTIONAL } else { Repetition::REQUIRED };
            let field = Type::primitive_type_builder(name, physical).with_logical_type(logical);
            field.with_repetition(repetition).build().map(Arc::new)
        };
        let fields = self.header().map(field).collect::<Result<_, _>>()?;
        Type::group_type_builder("trials").with_fields(fields).build()
    }

    fn write_group<W: Write + Send>(
        &self,
        pairs: &[Pair],
        writer: &mut SerializedFileWriter<W>,
    ) -> Result<(), TrialsError> {
        let mut group = writer.next_row_group()?;
        let to = &mut group;
        texts(to, pairs, |_, _| self.key.clone())?;
        numbers(to, pairs, |pair, _| pair.seed)?;
        texts(to, pairs, |_, at| VERSIONS[at].to_owned())?;
        texts(to, pairs, |pair, at| pair.outcomes[at].clone())?;
        texts(to, pairs, |pair, _| pair.exercise.key())?;
        column::<_, Int64Type>(to, pairs, |pair, _| pair.parted.map(|parted| parted as i64), true)?;
        numbers(to, pairs, |pair, at| pair.rolls[at])?;
        numbers(to, pairs, |pair, _| pair.shared)?;
        column::<_, ByteArrayType>(to, pairs, |pair, _| pair.wrong.as_deref().map(ByteArray::from), true)?;
        for measure in 0..self.measures.len() {
            column::<_, Int32Type>(to, pairs, |pair, at| Some(pair.values[measure][at]), false)?;
        }
        group.close()?;
        Ok(())
    }
}

fn texts<W: Write + Send>(
    to: &mut SerializedRowGroupWriter<'_, W>,
    pairs: &[Pair],
    text: impl Fn(&Pair, usize) -> String,
) -> Result<(), TrialsError> {
    column::<_, ByteArrayType>(to, pairs, |pair, at| Some(ByteArray::from(text(pair, at).into_bytes())), false)
}

fn numbers<W: Write + Send>(
    to: &mut SerializedRowGroupWriter<'_, W>,
    pairs: &[Pair],
    number: impl Fn(&Pair, usize) -> u64,
) -> Result<(), TrialsError> {
    column::<_, Int64Type>(to, pairs, |pair, at| Some(number(pair, at) as i64), false)
}

/// Writes one column, A and B of each pair in turn.
fn column<W: Write + Send, T: DataType>(
    to: &mut SerializedRowGroupWriter<'_, W>,
    pairs: &[Pair],
    value: impl Fn(&Pair, usize) -> Option<T::T>,
    may_lack: bool,
) -> Result<(), TrialsError> {
    let all: Vec<Option<T::T>> = pairs.iter().flat_map(|pair| [value(pair, 0), value(pair, 1)]).collect();
    let levels: Vec<i16> = all.iter().map(|value| i16::from(value.is_some())).collect();
    let values: Vec<T::T> = all.into_iter().flatten().collect();
    let mut column = to.next_column()?.expect("there is a writer for each column of the schema");
    column.typed::<T>().write_batch(&values, may_lack.then_some(&levels[..]), None)?;
    column.close()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::{fs::File, io::Seek};

    use parquet::file::reader::{FileReader, SerializedFileReader};

    use super::*;
    use crate::study::Exercise;

    #[test]
    fn parquet_holds_what_the_trials_hold() {
        let columns = Columns {
            key: "0123456789abcdef".into(),
            measures: vec!["wins.red".into(), "points".into()],
            are_shares: vec![true, false],
        };
        let pair = |seed: u64, parted: Option<usize>, wrong: Option<&str>| Pair {
            seed,
            outcomes: ["red".into(), "blue, by \"two\"".into()],
            values: vec![[1, 0], [-3, seed as i32]],
            exercise: Exercise::WithEffect,
            parted,
            rolls: [4, 5],
            shared: 3,
            wrong: wrong.map(str::to_owned),
        };
        let mut trials = Vec::new();
        columns.write_header(&mut trials).expect("memory");
        let pairs = 5000;
        for seed in 0..pairs {
            let pair = pair(seed, (seed > 0).then_some(7), (seed == 2).then_some("it hangs"));
            columns.write(&pair, &mut trials).expect("memory");
        }
        let path = std::env::temp_dir().join(format!("countermarch-{}.parquet", std::process::id()));
        let mut file = File::create_new(&path).expect("nothing stands there");
        columns.write_parquet(&*trials, &mut file).expect("it can be written");
        file.rewind().expect("a file");
        let reader = SerializedFileReader::new(File::open(&path).expect("it was written")).expect("it is Parquet");
        std::fs::remove_file(&path).expect("it was written");
        let rows: Vec<String> =
            reader.get_row_iter(None).expect("rows").map(|row| row.expect("a row").to_string()).collect();
        assert_eq!(rows.len() as u64, 2 * pairs);
        assert_eq!(reader.num_row_groups(), 2);
        let wanted = "{comparison: \"0123456789abcdef\", pair: 0, version: \"A\", outcome: \"red\", \
                      exercise: \"had_an_effect\", parted: null, rolls: 4, shared: 3, wrong: null, wins.red: 1, points: -3}";
        assert_eq!(rows[0], wanted);
        assert!(rows[5].contains("blue, by"), "{}", rows[5]);
        assert!(rows[5].contains("parted: 7") && rows[5].contains("wrong: \"it hangs\""), "{}", rows[5]);
        assert!(rows[9999].contains("pair: 4999, version: \"B\"") && rows[9999].ends_with("points: 4999}"));
    }
}
