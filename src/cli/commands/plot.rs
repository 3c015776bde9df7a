//! `stats --plot`: a bar for each subspace, parted into wins, draws and losses, as an SVG file.
//!
//! The colours are told apart by colour-blind eyes and in grey print: blue, light grey, orange.

use super::stats::Counted;
use crate::cli::failure::{Failure, Status};
use crate::cli::files;
use crate::cli::show;
use crate::table::Tally;
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::path::Path;

const WIDTH: u32 = 1000;
/// Height of a bar with the space below it, and of the bar alone.
const PITCH: i32 = 22;
const BAR: i32 = 16;
/// Where the bars begin, vertically and horizontally, and how long they are.
const TOP: i32 = 84;
const LEFT: i32 = 120;
const LENGTH: i32 = 520;
/// Where the columns of numbers end.
const POSITIONS: i32 = LEFT + LENGTH + 130;
const DEEPEST_WIN: i32 = POSITIONS + 95;
const DEEPEST_LOSS: i32 = DEEPEST_WIN + 95;
const BOTTOM: i32 = 44;
/// A part of a bar that is at least so long says its share.
const LEAST_LABEL: i32 = 38;

const WIN: RGBColor = RGBColor(0, 114, 178);
const DRAW: RGBColor = RGBColor(217, 217, 217);
const LOSS: RGBColor = RGBColor(213, 94, 0);
const INK: RGBColor = RGBColor(34, 34, 34);
const FAINT: RGBColor = RGBColor(110, 110, 110);

type Sheet<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Drawn = Result<(), DrawingAreaErrorKind<std::io::Error>>;

/// Draws the counts into a file.
pub fn write(variant: &str, counted: &[Counted], file: &Path) -> Result<(), Failure> {
    let svg = draw(variant, counted).map_err(|error| {
        Failure::new(Status::World, "plot", format!("cannot draw the plot: {error}"))
    })?;
    let written = files::write(file, svg.as_bytes());
    written.map_err(|error| Failure::io("write the plot", file, &error))
}

fn draw(
    variant: &str,
    counted: &[Counted],
) -> Result<String, DrawingAreaErrorKind<std::io::Error>> {
    let height = (TOP + PITCH * counted.len() as i32 + BOTTOM) as u32;
    let mut svg = String::new();
    {
        let sheet = SVGBackend::with_string(&mut svg, (WIDTH, height)).into_drawing_area();
        sheet.fill(&WHITE)?;
        head(&sheet, variant)?;
        for (i, counted) in counted.iter().enumerate() {
            row(&sheet, TOP + PITCH * i as i32, counted)?;
        }
        scale(&sheet, TOP + PITCH * counted.len() as i32)?;
        sheet.present()?;
    }
    Ok(svg)
}

fn say(sheet: &Sheet<'_>, text: &str, at: (i32, i32), h: HPos, size: i32, ink: RGBColor) -> Drawn {
    let style = ("sans-serif", size).into_text_style(sheet).color(&ink);
    sheet.draw_text(text, &style.pos(Pos::new(h, VPos::Center)), at)
}

fn fill(sheet: &Sheet<'_>, from: (i32, i32), to: (i32, i32), colour: RGBColor) -> Drawn {
    sheet.draw(&Rectangle::new([from, to], colour.filled()))
}

fn head(sheet: &Sheet<'_>, variant: &str) -> Drawn {
    let title = format!("{variant}: wins, draws and losses of the player to move");
    say(sheet, &title, (20, 24), HPos::Left, 18, INK)?;
    let legend = [("win", WIN), ("draw", DRAW), ("loss", LOSS)];
    for (i, (word, colour)) in legend.into_iter().enumerate() {
        let left = LEFT + 76 * i as i32;
        fill(sheet, (left, 52), (left + 14, 66), colour)?;
        say(sheet, word, (left + 20, 60), HPos::Left, 13, INK)?;
    }
    say(sheet, "subspace", (LEFT - 10, 60), HPos::Right, 13, FAINT)?;
    for (word, right) in
        [("positions", POSITIONS), ("deepest win", DEEPEST_WIN), ("deepest loss", DEEPEST_LOSS)]
    {
        say(sheet, word, (right, 60), HPos::Right, 13, FAINT)?;
    }
    Ok(())
}

fn row(sheet: &Sheet<'_>, top: i32, Counted { subspace, census }: &Counted) -> Drawn {
    let middle = top + BAR / 2;
    say(sheet, &subspace.to_string(), (LEFT - 10, middle), HPos::Right, 13, INK)?;
    bar(sheet, top, &census.positions)?;
    let total = show::number(census.positions.total());
    say(sheet, &total, (POSITIONS, middle), HPos::Right, 13, INK)?;
    let (win, loss) = (show::depth(census.deepest_win), show::depth(census.deepest_loss));
    say(sheet, &win, (DEEPEST_WIN, middle), HPos::Right, 13, INK)?;
    say(sheet, &loss, (DEEPEST_LOSS, middle), HPos::Right, 13, INK)
}

fn bar(sheet: &Sheet<'_>, top: i32, tally: &Tally) -> Drawn {
    let total = tally.total().max(1) as f64;
    let parts = [(tally.wins, WIN, WHITE), (tally.draws, DRAW, INK), (tally.losses, LOSS, WHITE)];
    let mut before = 0.0;
    for (amount, colour, ink) in parts {
        let share = amount as f64 / total;
        let place = |share: f64| LEFT + (share * f64::from(LENGTH)).round() as i32;
        let (from, to) = (place(before), place(before + share));
        before += share;
        // Of a few positions among many something shows all the same.
        if amount > 0 {
            fill(sheet, (from, top), (to.max(from + 1), top + BAR), colour)?;
        }
        if to - from >= LEAST_LABEL {
            let label = percent(amount, tally.total());
            say(sheet, &label, ((from + to) / 2, top + BAR / 2), HPos::Center, 11, ink)?;
        }
    }
    Ok(())
}

/// A share, never rounded to nothing or to all.
fn percent(amount: u64, total: u64) -> String {
    let share = amount as f64 / total as f64 * 100.0;
    match amount == total {
        true => "100 %".to_owned(),
        false if share > 99.9 => "> 99.9 %".to_owned(),
        false => format!("{share:.1} %"),
    }
}

fn scale(sheet: &Sheet<'_>, top: i32) -> Drawn {
    for quarter in 0..=4 {
        let x = LEFT + LENGTH * quarter / 4;
        sheet.draw(&PathElement::new(vec![(x, top), (x, top + 5)], FAINT))?;
        let label = format!("{} %", 25 * quarter);
        say(sheet, &label, (x, top + 15), HPos::Center, 11, FAINT)?;
    }
    let note = "positions up to symmetry; depths in plies";
    say(sheet, note, (DEEPEST_LOSS, top + 15), HPos::Right, 11, FAINT)
}
