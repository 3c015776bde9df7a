//! The rule set that is asked for, and where its tables are.

use crate::cli::failure::{Failure, Status};
use crate::cli::files;
use crate::cli::grammar::{Everywhere, RuleWords};
use crate::notation::Notation;
use crate::probe::ProbeError;
use crate::rules::file::{self, FileError, MAX_FILE_BYTES, Named, Overrides};
use crate::rules::{Rules, variants};
use crate::space::Subspace;
use crate::table::{Shelf, TableError};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// A rule set with its names, and where its tables are.
#[derive(Clone, Debug)]
pub struct Game {
    /// The parameters.
    pub rules: Rules,
    /// What the rule set is called: the id of the shipped variant with these parameters, else the
    /// name of its base with what was overridden.
    pub name: String,
    /// The variant that was named, or what the rule file calls itself.
    pub base: String,
    /// How a command line asks for it.
    pub words: String,
    /// The table directory.
    pub tables: PathBuf,
}

/// A rule set, and the words of the command line that are not its.
pub struct Asked {
    /// The rule set.
    pub game: Game,
    /// Subspaces or a position.
    pub rest: Vec<String>,
}

impl Asked {
    /// Finds the rule set that `words` name; what follows them is `rest`.
    pub fn new(
        words: &RuleWords,
        rest: &[String],
        everywhere: &Everywhere,
    ) -> Result<Asked, Failure> {
        let mut rest = rest.to_vec();
        let overrides = overrides(words);
        let (base, rules, mut typed) = match (&words.file, &words.variant) {
            (None, Some(id)) => {
                let variant = variants::named(id).ok_or_else(|| unknown_variant(id))?;
                (variant.id.to_owned(), variant.rules.clone(), variant.id.to_owned())
            }
            (None, None) => return Err(no_variant()),
            (Some(path), first) => {
                let Named { name, rules } = read_rules(path)?;
                match first {
                    Some(first) if *first == name => {}
                    Some(first) if variants::named(first).is_some() => {
                        return Err(Failure::usage(format!(
                            "both the variant {first} and the rule file {} are named; leave one out",
                            path.display()
                        )));
                    }
                    Some(first) => rest.insert(0, first.clone()),
                    None => {}
                }
                (name, rules, format!("--rules {}", quoted(path)))
            }
        };
        let changed = overrides.apply(&rules)?;
        typed += &overriding(&overrides);
        let name = name(&base, &rules, &changed);
        let tables = everywhere.tables.clone();
        Ok(Asked { game: Game { rules: changed, name, base, words: typed, tables }, rest })
    }
}

impl Game {
    /// The tables.
    pub fn shelf(&self) -> Result<Shelf, Failure> {
        Ok(Shelf::open(&self.tables, &self.rules)?)
    }

    /// Reads the names of subspaces, which the rule set must have; each once.
    pub fn subspaces(&self, words: &[String]) -> Result<Vec<Subspace>, Failure> {
        if words.is_empty() {
            return Ok(Vec::new());
        }
        let notation = Notation::new(&self.rules);
        let mut subspaces = Vec::new();
        for word in words {
            let subspace = notation.subspace(word)?;
            if !subspaces.contains(&subspace) {
                subspaces.push(subspace);
            }
        }
        Ok(subspaces)
    }

    /// The command line that solves something of this rule set into the same directory.
    pub fn generate(&self, what: &str) -> String {
        self.command("generate", what)
    }

    fn command(&self, command: &str, what: &str) -> String {
        let mut command = format!("merels {command} {}", self.words);
        if !what.is_empty() {
            command += &format!(" {what}");
        }
        if self.tables != Path::new("tables") {
            command += &format!(" --tables {}", quoted(&self.tables));
        }
        command
    }

    /// The command line that reads every byte of its tables.
    pub fn list(&self) -> String {
        self.command("list", "")
    }

    /// What to try where a table is missing; the whole of a large game may hang on one.
    pub fn how_to_make(&self, what: &str) -> String {
        let (plan, generate) = (self.command("plan", what), self.generate(what));
        format!("see what it takes with: {plan}; make it with: {generate}")
    }

    /// A failure, with the command that makes the table that is missing.
    pub fn advise(&self, failure: Failure, subspace: Option<Subspace>) -> Failure {
        if !failure.is_missing() || failure.hint.is_some() {
            return failure;
        }
        let what = subspace.map_or(String::new(), |subspace| subspace.to_string());
        failure.hint(self.how_to_make(&what))
    }

    /// Why the tables did not answer, with the command that makes what is missing.
    pub fn unanswered(&self, error: ProbeError) -> Failure {
        let subspace = match &error {
            ProbeError::Table(TableError::Missing { subspace, .. }) => Some(*subspace),
            _ => None,
        };
        self.advise(error.into(), subspace)
    }

    /// What is to be said where there is no table at all.
    pub fn empty(&self, shelf: &Shelf) -> Failure {
        let place = shelf.place();
        let message = format!("the shelf is empty: no tables of {} in {place}", self.name);
        let hint = format!("make them with: {}", self.generate(""));
        Failure::new(Status::No, "missing-table", message).hint(hint)
    }
}

/// Whether nothing is said about the rules at all.
pub fn bare(words: &RuleWords) -> bool {
    words.variant.is_none() && words.file.is_none() && overrides(words) == Overrides::default()
}

fn overrides(words: &RuleWords) -> Overrides {
    Overrides {
        board: words.board.clone(),
        men: words.men.clone(),
        flying: words.flying.clone(),
        mill: words.mill.clone(),
        placing: words.placing.clone(),
        full_board: words.full_board.clone(),
        blocked: words.blocked.clone(),
        protection: words.protection.clone(),
    }
}

/// The flags as they were typed.
fn overriding(overrides: &Overrides) -> String {
    let Overrides { board, men, flying, mill, placing, full_board, blocked, protection } =
        overrides;
    let flags = [
        ("board", board),
        ("men", men),
        ("flying", flying),
        ("mill", mill),
        ("placing", placing),
        ("full-board", full_board),
        ("blocked", blocked),
        ("protection", protection),
    ];
    let typed = |(flag, word): (&str, &Option<String>)| {
        word.as_ref().map(|word| format!(" --{flag} {word}"))
    };
    flags.into_iter().filter_map(typed).collect()
}

fn name(base: &str, rules: &Rules, changed: &Rules) -> String {
    if let Some(variant) = variants::of(changed) {
        return variant.id.to_owned();
    }
    let pairs = rules.parameters().into_iter().zip(changed.parameters());
    let differing = pairs.filter(|((_, before), (_, now))| before != now);
    let parts = differing.map(|(_, (parameter, now))| format!("+{parameter}={now}"));
    format!("{base}{}", parts.collect::<String>())
}

fn read_rules(path: &Path) -> Result<Named, Failure> {
    let failed = |error: io::Error| {
        let failure = Failure::io("read the rule file", path, &error);
        match path.as_os_str() == "-" && error.kind() == io::ErrorKind::NotFound {
            true => failure.hint("- is the name of a file here, standard input is not read"),
            false => failure,
        }
    };
    // Looked at before it is opened: opening a pipe would wait for somebody to write to it.
    let found = fs::metadata(path).map_err(failed)?;
    if !found.is_file() {
        let what = format!("it is {}, not a regular file", files::kind(&found));
        return Err(failed(io::Error::other(what)));
    }
    let at = |message: String| {
        let message = format!("rule file {}: {message}", path.display());
        Failure::new(Status::Usage, "bad-rules", message)
    };
    if found.len() > MAX_FILE_BYTES as u64 {
        return Err(at(FileError::TooLong(found.len()).to_string()));
    }
    let mut bytes = Vec::new();
    let input = File::open(path).map_err(failed)?;
    // It may grow while it is read.
    input.take(MAX_FILE_BYTES as u64 + 1).read_to_end(&mut bytes).map_err(failed)?;
    let text = String::from_utf8(bytes).map_err(|error| at(error.utf8_error().to_string()))?;
    file::parse(&text).map_err(|error| at(error.to_string().trim_end().to_owned()))
}

fn no_variant() -> Failure {
    let message = format!("no variant is named: expected one of {}, or --rules FILE", ids());
    Failure::usage(message)
}

fn ids() -> String {
    variants::all().iter().map(|variant| variant.id).collect::<Vec<_>>().join(", ")
}

fn unknown_variant(word: &str) -> Failure {
    let message = format!("unknown variant {word:?}: expected one of {}", ids());
    let failure = Failure::new(Status::Usage, "unknown-variant", message);
    match closest(word) {
        Some(id) => failure.hint(format!("did you mean {id}?")),
        None => failure,
    }
}

/// The variant that somebody may have meant: one that is also called so, else one that differs in
/// few letters.
fn closest(word: &str) -> Option<&'static str> {
    let word = word.to_lowercase();
    let called = variants::all().iter().find(|variant| {
        variant.also.split(", ").any(|also| !also.is_empty() && also.to_lowercase() == word)
    });
    let near = || {
        let distances =
            variants::all().iter().map(|variant| (distance(&word, variant.id), variant));
        let (distance, variant) = distances.min_by_key(|(distance, _)| *distance)?;
        (distance <= 1 + variant.id.len() / 4).then_some(variant)
    };
    called.or_else(near).map(|variant| variant.id)
}

/// How many letters are to be changed, added or dropped to get from one word to the other.
fn distance(from: &str, to: &str) -> usize {
    const LONGEST: usize = 40;
    let to: Vec<char> = to.chars().collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (i, letter) in from.chars().take(LONGEST).enumerate() {
        let mut corner = i;
        row[0] = i + 1;
        for (j, other) in to.iter().enumerate() {
            let changed = corner + usize::from(letter != *other);
            corner = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(corner + 1);
        }
    }
    row[to.len()]
}

/// A path as it can be typed.
fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"/._-+=:,@%".contains(&b);
    match !text.is_empty() && text.bytes().all(plain) {
        true => text,
        false => format!("'{}'", text.replace('\'', "'\\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_near_miss_is_told_what_it_missed() {
        assert_eq!(closest("nin"), Some("nine"));
        assert_eq!(closest("morabaraba"), Some("twelve"));
        assert_eq!(closest("ten men's"), Some("lasker"));
        assert_eq!(closest("nine-nofling"), Some("nine-noflying"));
        assert_eq!(closest("backgammon"), None);
    }

    #[test]
    fn paths_can_be_typed() {
        assert_eq!(quoted(Path::new("/a/b-c.toml")), "/a/b-c.toml");
        assert_eq!(quoted(Path::new("my rules.toml")), "'my rules.toml'");
    }
}
