//! Why a request was not answered, as an object with a status.

use super::house::Room;
use crate::notation::TextError;
use crate::probe::ProbeError;
use crate::report::table_code;
use crate::space::Subspace;
use crate::table::TableError;
use axum::http::StatusCode;
use serde::Serialize;

/// A request that was not answered; its keys are a contract.
#[derive(Clone, Debug, Serialize)]
pub struct Refusal {
    #[serde(skip)]
    pub status: StatusCode,
    pub code: &'static str,
    pub message: String,
    pub remedy: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subspace: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
}

impl Refusal {
    /// A refusal with what can be done about it.
    pub fn new(
        status: StatusCode,
        code: &'static str,
        message: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Refusal {
        let (message, remedy) = (message.into(), remedy.into());
        Refusal { status, code, message, remedy, subspace: None, file: None }
    }

    /// The address makes no sense.
    pub fn request(message: impl Into<String>, remedy: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::BAD_REQUEST, "bad-request", message, remedy)
    }

    /// No rule set of this name.
    pub fn no_such_variant<'a>(word: &str, names: impl Iterator<Item = &'a str>) -> Refusal {
        let shown: String = word.chars().take(40).collect();
        let message = format!("no variant {shown:?} is served");
        let remedy = format!("ask for one of {}", names.collect::<Vec<_>>().join(", "));
        Refusal::new(StatusCode::NOT_FOUND, "no-such-variant", message, remedy)
    }

    /// Nothing is there.
    pub fn not_found() -> Refusal {
        Refusal::new(
            StatusCode::NOT_FOUND,
            "not-found",
            "there is nothing at this address",
            "see /openapi.json for what there is",
        )
    }

    /// Another method than reading.
    pub fn method() -> Refusal {
        Refusal::new(
            StatusCode::METHOD_NOT_ALLOWED,
            "method-not-allowed",
            "this can only be read",
            "use GET or HEAD",
        )
    }

    /// None of the encodings that the client takes is one that we have.
    pub fn encoding() -> Refusal {
        Refusal::new(
            StatusCode::NOT_ACCEPTABLE,
            "not-acceptable",
            "answers come as they are or compressed with gzip, and neither is wanted",
            "allow identity or gzip in Accept-Encoding",
        )
    }

    /// Too much is being asked at once.
    pub fn busy() -> Refusal {
        Refusal::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "busy",
            "too much is being asked at once",
            "ask again in a second",
        )
    }

    /// The answer takes too long.
    pub fn timeout() -> Refusal {
        Refusal::new(
            StatusCode::GATEWAY_TIMEOUT,
            "timeout",
            "the answer takes too long",
            "ask again, or ask for less: without the line, or fewer moves",
        )
    }

    /// A fault of the program.
    pub fn internal() -> Refusal {
        Refusal::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "internal",
            "the program has a fault and could not answer",
            "report the request; the server goes on",
        )
    }

    /// A text that is no position of the rule set.
    pub fn text(error: &TextError) -> Refusal {
        let remedy = "write the short form, mill FEN or startpos, each with moves if need be, \
                      as merels query takes them";
        Refusal::new(StatusCode::BAD_REQUEST, "bad-position", error.to_string(), remedy)
    }

    /// The tables did not answer.
    pub fn probe(room: &Room, error: &ProbeError) -> Refusal {
        match error {
            ProbeError::Table(error) => Refusal::table(room, error),
            ProbeError::Contradiction { subspace, .. } => {
                let remedy = again(room, Some(*subspace));
                let (status, message) = (StatusCode::SERVICE_UNAVAILABLE, error.to_string());
                Refusal::new(status, "contradiction", message, remedy)
            }
        }
    }

    /// A table is missing, or cannot be used.
    pub fn table(room: &Room, error: &TableError) -> Refusal {
        let code = table_code(error);
        if let TableError::Missing { subspace, .. } = error {
            let name = subspace.to_string();
            let remedy = (room.offer.generate)(&name);
            let refusal = Refusal::new(StatusCode::NOT_FOUND, code, error.to_string(), remedy);
            return Refusal { subspace: Some(name), ..refusal };
        }
        let file = match error {
            TableError::Damaged { file, .. }
            | TableError::Misnamed { file, .. }
            | TableError::OtherRules { file, .. }
            | TableError::Unknown { file, .. }
            | TableError::Io { file, .. } => Some(file.clone()),
            _ => None,
        };
        let remedy = match (error, &file) {
            (TableError::Io { .. }, _) => "see to it that the file can be read".to_owned(),
            (_, Some(file)) => format!("delete {file}, then {}", again(room, subspace_of(file))),
            (_, None) => again(room, None),
        };
        let refusal =
            Refusal::new(StatusCode::SERVICE_UNAVAILABLE, code, error.to_string(), remedy);
        Refusal { file, ..refusal }
    }
}

/// The command that makes a table anew.
fn again(room: &Room, subspace: Option<Subspace>) -> String {
    let what = subspace.map_or(String::new(), |subspace| subspace.to_string());
    (room.offer.generate)(&what)
}

/// The subspace that a file is named after.
fn subspace_of(file: &str) -> Option<Subspace> {
    let name = file.rsplit(['/', '\\']).next()?;
    name.rsplit_once('.')?.0.parse().ok()
}
