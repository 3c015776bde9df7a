//! What is found in one subspace: its files read whole, then its entries held against their turns.

use super::verify::Mode;
use crate::cli::failure::Failure;
use crate::cli::interrupt;
use crate::cli::progress::CheckBar;
use crate::space::{Space, Subspace};
use crate::table::{Metric, Shelf, TableError};
use crate::verify::{Fault, Scope, VerifyError, verify};

/// What was found in a subspace.
#[derive(Debug)]
pub struct Finding {
    /// The subspace.
    pub subspace: Subspace,
    /// Entries that were looked at.
    pub checked: u64,
    /// Entries found wrong.
    pub wrong: u64,
    /// The first of them.
    pub faults: Vec<Fault>,
    /// Whether this proves the values.
    pub proved: bool,
    /// Why it could not be checked.
    pub failures: Vec<Failure>,
    /// What the proof lacks, where that is nobody's fault.
    pub not_proved: Option<String>,
}

impl Finding {
    fn new(subspace: Subspace) -> Finding {
        Finding {
            subspace,
            checked: 0,
            wrong: 0,
            faults: Vec::new(),
            proved: false,
            failures: Vec::new(),
            not_proved: None,
        }
    }

    /// Whether nothing speaks against the tables.
    pub fn is_good(&self) -> bool {
        self.wrong == 0 && self.failures.is_empty()
    }
}

/// Looks at one subspace after the other.
pub struct Inspector<'a> {
    shelf: &'a Shelf,
    space: Space,
    mode: Mode,
    memory: u64,
    named: bool,
    bar: &'a CheckBar,
}

impl<'a> Inspector<'a> {
    /// `memory`: the most bytes for decoded tables; `named`: somebody asked for each subspace.
    pub fn new(
        shelf: &'a Shelf,
        mode: Mode,
        memory: u64,
        named: bool,
        bar: &'a CheckBar,
    ) -> Inspector<'a> {
        let space = Space::new(shelf.rules().clone());
        Inspector { shelf, space, mode, memory, named, bar }
    }

    /// What is found in a subspace; only an interruption is an error.
    pub fn inspect(&self, subspace: Subspace) -> Result<Finding, Failure> {
        if interrupt::asked() {
            return Err(VerifyError::Interrupted.into());
        }
        let mut finding = Finding::new(subspace);
        let scope = match self.mode {
            Mode::Sample(entries, seed) if entries < self.shelf.entries(subspace) => {
                Scope::Sample { entries, seed }
            }
            Mode::Sample(..) => Scope::All,
            Mode::Proof | Mode::Checksums => {
                self.read(subspace, &mut finding);
                Scope::All
            }
        };
        if self.mode == Mode::Checksums {
            self.bar.add(self.shelf.entries(subspace));
        } else if finding.failures.is_empty() {
            self.prove(scope, &mut finding)?;
        }
        Ok(finding)
    }

    /// Reads every byte of the files of a subspace.
    fn read(&self, subspace: Subspace, finding: &mut Finding) {
        for metric in Metric::ALL {
            match self.shelf.table(subspace, metric).and_then(|table| {
                table.check()?;
                Ok(table.entries())
            }) {
                Ok(entries) if self.mode == Mode::Checksums => finding.checked += entries,
                Ok(_) | Err(TableError::Missing { .. }) => {}
                Err(error) => finding.failures.push(error.into()),
            }
        }
    }

    fn prove(&self, scope: Scope, finding: &mut Finding) -> Result<(), Failure> {
        let subspace = finding.subspace;
        match verify(&self.space, self.shelf, subspace, scope, self.memory, self.bar) {
            Ok(report) => {
                finding.checked = report.checked;
                finding.wrong = report.wrong;
                finding.faults = report.faults;
                finding.proved = report.proves && report.wrong == 0 && self.mode == Mode::Proof;
            }
            Err(VerifyError::Interrupted) => return Err(VerifyError::Interrupted.into()),
            Err(VerifyError::Table(TableError::Missing { subspace: needed, .. }))
                if !self.named =>
            {
                finding.not_proved = Some(format!("{needed} is not on the shelf"));
            }
            Err(error) => finding.failures.push(error.into()),
        }
        Ok(())
    }
}
