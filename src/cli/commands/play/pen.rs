//! Colours: orange and blue, which nearly everybody can tell apart, and never colour alone, as the
//! stones have marks of their own. Used on a terminal that has not been asked to be plain.

use std::env;
use std::io::{self, IsTerminal};

const WHITE: &str = "\x1b[1;38;5;214m";
const BLACK: &str = "\x1b[1;38;5;75m";
const FAINT: &str = "\x1b[2m";
const STRONG: &str = "\x1b[1m";
const PLAIN: &str = "\x1b[0m";

/// Writes in colours, or plainly.
#[derive(Clone, Copy, Debug)]
pub struct Pen {
    coloured: bool,
}

impl Pen {
    /// The pen for standard output: plain where it is no terminal, where `NO_COLOR` is set, and on
    /// a dumb terminal.
    pub fn new() -> Pen {
        let set = |name| env::var_os(name).filter(|value| !value.is_empty());
        let dumb = set("TERM").is_some_and(|term| term == "dumb");
        Pen { coloured: io::stdout().is_terminal() && set("NO_COLOR").is_none() && !dumb }
    }

    /// Words that matter.
    pub fn strong(self, text: &str) -> String {
        match self.coloured {
            true => format!("{STRONG}{text}{PLAIN}"),
            false => text.to_owned(),
        }
    }

    /// A drawing of the board.
    pub fn board(self, drawing: &str) -> String {
        if !self.coloured {
            return drawing.to_owned();
        }
        let mut text = String::with_capacity(drawing.len() * 4);
        let mut worn = "";
        for letter in drawing.chars() {
            let colour = match letter {
                'O' => WHITE,
                '@' => BLACK,
                '-' | '|' | '/' | '\\' | '+' | 'X' => FAINT,
                _ => "",
            };
            if colour != worn {
                text += if worn.is_empty() { "" } else { PLAIN };
                text += colour;
                worn = colour;
            }
            text.push(letter);
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_add_nothing_but_colour() {
        let drawing = "1  O---@\n   a   b\n";
        assert_eq!(Pen { coloured: false }.board(drawing), drawing);
        let coloured = Pen { coloured: true }.board(drawing);
        let line = format!("{WHITE}O{PLAIN}{FAINT}---{PLAIN}{BLACK}@{PLAIN}\n");
        assert!(coloured.contains(&line), "{coloured:?}");
        let plain = [WHITE, BLACK, FAINT, PLAIN].iter().fold(coloured, |t, c| t.replace(c, ""));
        assert_eq!(plain, drawing);
    }
}
