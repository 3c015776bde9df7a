//! The part of an address behind the question mark, checked: what is not known, doubled or missing
//! is refused, since a word that is passed over is a wrong answer to somebody.

use super::refusal::Refusal;
use axum::extract::Query;
use axum::http::Uri;

/// The parameters of a request.
#[derive(Debug)]
pub struct Words(Vec<(String, String)>);

impl Words {
    /// Reads the parameters of an address; only those in `known` may be there, each once.
    pub fn of(uri: &Uri, known: &[&str]) -> Result<Words, Refusal> {
        let read = Query::<Vec<(String, String)>>::try_from_uri(uri);
        let Query(words) = read
            .map_err(|error| Refusal::request(error.body_text(), "encode the parameters anew"))?;
        for (i, (name, _)) in words.iter().enumerate() {
            let shown: String = name.chars().take(40).collect();
            if !known.contains(&&**name) {
                let remedy = match known {
                    [] => "leave all parameters out".to_owned(),
                    known => format!("known here: {}", known.join(", ")),
                };
                let message = format!("parameter {shown:?} is not known here");
                return Err(Refusal::request(message, remedy));
            }
            if words[..i].iter().any(|(other, _)| other == name) {
                let message = format!("parameter {shown:?} is given twice");
                return Err(Refusal::request(message, "give it once"));
            }
        }
        Ok(Words(words))
    }

    /// The parameter `position`, which must be there.
    pub fn position(&self) -> Result<&str, Refusal> {
        self.word("position").ok_or_else(|| {
            Refusal::request("no position is given", "add ?position=startpos, or another position")
        })
    }

    /// A parameter that is true or false; false where it is not there.
    pub fn flag(&self, name: &str) -> Result<bool, Refusal> {
        match self.word(name) {
            None | Some("false") => Ok(false),
            Some("true") => Ok(true),
            Some(_) => {
                let message = format!("parameter {name:?} is neither true nor false");
                Err(Refusal::request(message, format!("write {name}=true, or leave it out")))
            }
        }
    }

    fn word(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(other, _)| other == name).map(|(_, value)| &**value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(uri: &'static str) -> Result<Words, Refusal> {
        Words::of(&Uri::from_static(uri), &["position", "line"])
    }

    #[test]
    fn words_are_decoded_and_checked() {
        let read = words("/?position=*%2F%40+w%200,0&line=true").unwrap();
        assert_eq!(read.position().unwrap(), "*/@ w 0,0");
        assert!(read.flag("line").unwrap());
        assert!(!words("/?position=x").unwrap().flag("line").unwrap());
        assert!(words("/").unwrap().position().is_err());
        assert!(words("/?line=yes").unwrap().flag("line").is_err());
        for bad in ["/?positon=x", "/?line=true&line=true", "/?position=a&position=b"] {
            assert_eq!(words(bad).unwrap_err().code, "bad-request", "{bad}");
        }
    }
}
