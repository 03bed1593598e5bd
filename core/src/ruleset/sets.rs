//! Sets that a ruleset names: who belongs to them, and what is said of those who do not.

use super::{
    Cite, Kind,
    reading::Reader,
    rows::{
        Compiler, Domain, Expr, FUNCTIONS, Keeping, Names, Reads, SETS, Scope,
        fold::{Alone, reads_slot},
    },
    tables::given,
    texts,
};
use crate::yaml::Node;

/// A set of units, spaces or records, as `sets:` declares it. Its members are told in rising order.
#[derive(Debug, Clone)]
pub struct NamedSet {
    /// Its name.
    pub name: String,
    /// What it is asked about; the member stands in the slot after it.
    pub given: Vec<(String, Kind)>,
    /// What its members are.
    pub kind: Kind,
    /// What a member is called in its condition, and in what is said of one who is none.
    pub member: String,
    /// Whom it is taken from.
    pub of: Domain,
    /// Where its members are found: as [`NamedSet::of`], but a set that is given the same is written out.
    pub among: Domain,
    /// Which of those belong to it: what is asked of what it is given alone, before anybody is looked for.
    pub first: Expr,
    /// Which of those belong to it: what is asked of each.
    pub when: Expr,
    /// What is asked of each alone, where they are units taken from all there are.
    pub alone: Option<Alone>,
    /// What it looks at.
    pub looks_at: Reads,
    /// How long it stands who belongs to it; nothing where it is given several things at once.
    pub keeping: Option<Keeping>,
    /// How many sets are made of each other, this one included, by terms too.
    pub deep: u8,
    /// What is said of one who does not belong to it.
    pub say: String,
    /// Whether that is written, and not made of its name.
    pub says: bool,
    /// Where it stands in the rulebook.
    pub cite: Cite,
}

impl NamedSet {
    /// No set is given more things.
    pub const MOST_GIVEN: usize = 3;
    /// So many sets may be made of each other, so that none takes longer to ask about than anybody can foresee.
    const DEEPEST: u8 = 32;
}

/// Reads a set, which may be made of those that are named; nothing where it is wrong.
pub(super) fn set(name: &Node, body: &Node, names: &Names<'_>, reader: &mut Reader<'_>) -> Option<NamedSet> {
    let mut fields = body.fields(reader.found);
    let is_record = |text: &str| names.schema.records.iter().any(|record| record.name == text);
    if name.text().is_some_and(|text| FUNCTIONS.contains(&text) || SETS.contains(&text) || is_record(text)) {
        let message = format!("something else is called `{}`", name.as_text(reader.found));
        reader.found.error("taken", &name.span, message, "give the set another name");
    }
    let given_node = fields.may("given");
    let given = given(given_node, names, reader);
    if given.len() > NamedSet::MOST_GIVEN {
        let span = given_node.map_or(&body.span, |n| &n.span);
        let message = format!("a set is given {} things at most", NamedSet::MOST_GIVEN);
        reader.found.error("too-many", span, message, "make two sets of it");
        return None;
    }
    let of = fields.must("of", reader.found);
    let (named, when) = (fields.may("as"), fields.may("where"));
    let say = fields.may("say");
    let cite = reader.cite(&mut fields);
    fields.finish(reader.found);
    let of = of?;
    let mut scope = Scope { bound: given.clone() };
    let compiler = Compiler { names, span: of.span.clone() };
    let text = of.as_text(reader.found);
    let (of, kind) = compiler.set(&text, &mut scope, reader.found)?;
    let member = match named {
        Some(named) => named.as_text(reader.found),
        None => kind.words().rsplit(' ').next().unwrap_or("it").to_owned(),
    };
    if when.is_some() && given.iter().any(|(name, _)| *name == member) {
        let span = named.map_or(&body.span, |named| &named.span);
        let message = format!("a member is called `{member}`, and so is what the set is given");
        reader.found.error("taken", span, message, "call the member otherwise: `as: other`");
    }
    let when = when.map(|node| {
        let mut scope = scope.clone();
        scope.bound.push((member.clone(), kind));
        let compiler = Compiler { names, span: node.span.clone() };
        compiler.compile(&node.as_text(reader.found), &scope, Kind::Flag, reader.found)
    });
    let when = when.unwrap_or(Some(Expr::Const(1)))?;
    let deep = 1 + names.deep(&Expr::any_of(of.clone(), 0, when.clone()));
    if deep > NamedSet::DEEPEST {
        let message = format!("more than {} sets are made of each other", NamedSet::DEEPEST);
        reader.found.error("too-long", &body.span, message, "make it of sets that are closer at hand");
        return None;
    }
    let name = name.as_text(reader.found);
    let slot = given.len() as u8;
    let (among, when) = written_out(&of, when, &given, names.sets);
    let (first, when) = parted(when, slot);
    let (mut among, when) = compiler.narrowed(among, when, slot);
    let mut alone = None;
    match &mut among {
        Domain::All(Kind::Unit, _) => alone = Alone::of(&when, slot, names),
        Domain::AllFor(Kind::Unit, sides) => {
            sides.iter_mut().for_each(|candidates| candidates.alone = Alone::of(&candidates.when, slot, names));
        }
        _ => (),
    }
    let any = Expr::any_of(among.clone(), slot, when.clone());
    let looks_at = Reads::of(&Expr::Both(vec![first.clone(), any]), names);
    let keeping = looks_at.clone().keeping(&given, 0, names.schema);
    let says = say.is_some();
    let say = match say {
        None => format!("that is not among {}", name.replace('-', " ")),
        Some(node) => {
            let mut known: Vec<&str> = given.iter().map(|(name, _)| name.as_str()).collect();
            known.push(&member);
            texts::sentence(node, &known, reader)
        }
    };
    Some(NamedSet {
        name,
        given,
        kind,
        member,
        of,
        among,
        first,
        when,
        alone,
        looks_at,
        keeping,
        deep,
        say,
        says,
        cite,
    })
}

/// Where the members of a set are found, and which of those belong to it: one that is given the same as the set that it is
/// taken from asks everything of them in one go.
fn written_out(of: &Domain, when: Expr, given: &[(String, Kind)], sets: &[NamedSet]) -> (Domain, Expr) {
    let is_same = |inner: &NamedSet, args: &[Expr]| {
        let kinds = |given: &[(String, Kind)]| given.iter().map(|(_, kind)| *kind).collect::<Vec<_>>();
        let in_place = |(at, arg): (usize, &Expr)| matches!(arg, Expr::Slot(slot) if usize::from(*slot) == at);
        args.len() == given.len() && kinds(&inner.given) == kinds(given) && args.iter().enumerate().all(in_place)
    };
    match of {
        Domain::Named(inner, args) => match &sets[usize::from(*inner)] {
            // What is asked of each side for itself is asked so already.
            inner if matches!(inner.among, Domain::AllFor(..)) || !is_same(inner, args) => (of.clone(), when),
            inner => (inner.among.clone(), Expr::all_of([inner.first.clone(), inner.when.clone(), when])),
        },
        of => (of.clone(), when),
    }
}

/// What a condition asks of other slots alone, and what it asks of this one.
fn parted(when: Expr, slot: u8) -> (Expr, Expr) {
    let parts = if let Expr::Both(parts) = when { parts } else { vec![when] };
    let (its, others): (Vec<Expr>, Vec<Expr>) = parts.into_iter().partition(|part| reads_slot(part, slot));
    (Expr::all_of(others), Expr::all_of(its))
}
