//! A board as a drawing in plain text.
//!
//! Where the names of the points are columns and rows, the board is drawn with lines between
//! adjacent points; an adjacency that runs neither straight nor diagonally, or across a third
//! point, is named below the drawing. Other boards are listed.

use crate::board::{Board, Point};
use crate::rules::Setup;

/// Lines of text from one row of points to the next.
const ROW: usize = 2;

/// Draws a board: with the stones of `setup` and the names at the margins, or, without one, with
/// the names of the points in their places. Ends with a line break.
pub fn draw(board: &Board, setup: Option<&Setup>) -> String {
    match board.coordinates() {
        Some(places) => Drawing::new(board, &places).finish(board, setup),
        None => list(board, setup),
    }
}

/// `O`, `@` or `*`.
fn mark(setup: &Setup, point: Point) -> char {
    match setup.stones.map(|stones| stones.contains(point)) {
        [true, false] => 'O',
        [false, true] => '@',
        [false, false] => '*',
        [true, true] => '?',
    }
}

struct Drawing {
    canvas: Vec<Vec<char>>,
    /// Column and row of each point, counted from the top left one.
    places: Vec<(usize, usize)>,
    /// Characters from one column of points to the next.
    column: usize,
    /// Letter of the first column and number of the top row.
    corner: (usize, usize),
    undrawn: Vec<(Point, Point)>,
}

impl Drawing {
    fn new(board: &Board, coordinates: &[(usize, usize)]) -> Drawing {
        let left = coordinates.iter().map(|place| place.0).min().unwrap_or(0);
        let top = coordinates.iter().map(|place| place.1).max().unwrap_or(0);
        let places: Vec<_> =
            coordinates.iter().map(|(column, row)| (column - left, top - row)).collect();
        let longest = board.points().iter().map(|p| board.point_name(p).len()).max();
        let column = (longest.unwrap_or(0) + 2).next_multiple_of(2);
        let width = places.iter().map(|place| place.0 * column + 1).max().unwrap_or(0);
        let height = places.iter().map(|place| place.1 * ROW + 1).max().unwrap_or(0);
        let mut drawing = Drawing {
            canvas: vec![vec![' '; width + column]; height],
            places,
            column,
            corner: (left, top + 1),
            undrawn: Vec::new(),
        };
        for from in board.points() {
            for to in board.neighbours(from).iter().filter(|to| *to > from) {
                drawing.join(from, to);
            }
        }
        drawing
    }

    /// Draws the line between two points, or notes that it cannot be drawn.
    fn join(&mut self, from: Point, to: Point) {
        let (a, b) = (self.places[from.number()], self.places[to.number()]);
        let (a, b) = if (a.1, a.0) < (b.1, b.0) { (a, b) } else { (b, a) };
        let across = b.0.abs_diff(a.0);
        let down = b.1 - a.1;
        let steps = across.max(down);
        let straight = across == 0 || down == 0 || across == down;
        let rightward = b.0 >= a.0;
        let on_the_way = |i: usize| {
            let shift = if across == 0 { 0 } else { i };
            let column = if rightward { a.0 + shift } else { a.0 - shift };
            (column, if down == 0 { a.1 } else { a.1 + i })
        };
        if !straight || (1..steps).any(|i| self.places.contains(&on_the_way(i))) {
            self.undrawn.push((from, to));
            return;
        }
        let (x, y) = (a.0 * self.column, a.1 * ROW);
        if down == 0 {
            (x + 1..b.0 * self.column).for_each(|x| self.ink(x, y, '-'));
            return;
        }
        let slope = if across == 0 { 0 } else { self.column / ROW };
        for i in 1..down * ROW {
            match (across, rightward) {
                (0, _) => self.ink(x, y + i, '|'),
                (_, true) => self.ink(x + i * slope, y + i, '\\'),
                (_, false) => self.ink(x - i * slope, y + i, '/'),
            }
        }
    }

    /// Sets a character; where two lines cross, one that shows it.
    fn ink(&mut self, x: usize, y: usize, line: char) {
        let cell = &mut self.canvas[y][x];
        *cell = match (*cell, line) {
            (' ', line) => line,
            (old, line) if old == line => line,
            ('-', '|') | ('|', '-') => '+',
            _ => 'X',
        };
    }

    fn finish(mut self, board: &Board, setup: Option<&Setup>) -> String {
        for point in board.points() {
            let (column, row) = self.places[point.number()];
            let cells = &mut self.canvas[row * ROW][column * self.column..];
            match setup {
                Some(setup) => cells[0] = mark(setup, point),
                None => {
                    cells.iter_mut().zip(board.point_name(point).chars()).for_each(|(c, n)| *c = n)
                }
            }
        }
        let mut text = String::new();
        let digits = self.corner.1.to_string().len();
        for (y, line) in self.canvas.iter().enumerate() {
            let margin = match (setup, y % ROW) {
                (None, _) => String::new(),
                (Some(_), 0) => format!("{:>digits$}  ", self.corner.1 - y / ROW),
                (Some(_), _) => " ".repeat(digits + 2),
            };
            let line: String = margin.chars().chain(line.iter().copied()).collect();
            text += line.trim_end();
            text.push('\n');
        }
        if setup.is_some() {
            let columns = self.places.iter().map(|place| place.0).max().unwrap_or(0);
            let letter = |i: usize| char::from(b'a' + (self.corner.0 + i) as u8);
            let letters = (0..=columns).map(|i| format!("{:<1$}", letter(i), self.column));
            let letters: String = letters.collect();
            text += &" ".repeat(digits + 2);
            text += letters.trim_end();
            text.push('\n');
        }
        if !self.undrawn.is_empty() {
            let name = |point| board.point_name(point);
            let pairs = self.undrawn.iter().map(|(a, b)| format!("{}-{}", name(*a), name(*b)));
            text += &format!("also joined: {}\n", pairs.collect::<Vec<_>>().join(" "));
        }
        text
    }
}

/// One line a point: its name, its stone, its neighbours.
fn list(board: &Board, setup: Option<&Setup>) -> String {
    let name = |point| board.point_name(point);
    let line = |point: Point| {
        let neighbours: Vec<_> = board.neighbours(point).iter().map(name).collect();
        let stone = setup.map_or(String::new(), |setup| format!(" {}", mark(setup, point)));
        let joined = match neighbours.is_empty() {
            true => "joined to none".to_owned(),
            false => format!("joined to {}", neighbours.join(" ")),
        };
        format!("{:<4}{stone}  {joined}\n", name(point))
    };
    board.points().iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Description, shipped};
    use crate::rules::{Rules, variants};

    fn own(points: &str, lines: &[&str]) -> Board {
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let description = Description {
            points: words(points),
            lines: lines.iter().map(|line| words(line)).collect(),
            ..Description::default()
        };
        Board::new(&description).unwrap()
    }

    #[test]
    fn three_rings_with_stones() {
        let rules = &variants::named("nine").unwrap().rules;
        let notation = crate::notation::Notation::new(rules);
        let moment = notation.read("O*@*****/O*@*****/*@*****O w 0,0").unwrap();
        let expected = "\
7  O-----------*-----------@
   |           |           |
6  |   *-------O-------*   |
   |   |       |       |   |
5  |   |   *---O---*   |   |
   |   |   |       |   |   |
4  *---*---*       @---@---*
   |   |   |       |   |   |
3  |   |   *---*---*   |   |
   |   |       |       |   |
2  |   *-------*-------*   |
   |           |           |
1  *-----------*-----------*
   a   b   c   d   e   f   g
";
        assert_eq!(draw(&rules.board, Some(&moment.setup())), expected);
    }

    #[test]
    fn diagonals_by_name() {
        let expected = "\
a3--b3--c3
| \\ | / |
a2--b2--c2
| / | \\ |
a1--b1--c1
";
        assert_eq!(draw(&shipped::named("grid3-diagonal").unwrap(), None), expected);
    }

    #[test]
    fn a_long_diagonal_and_a_corner_that_is_not_a1() {
        let board = own("b10 d10 b8 d8", &["b10 d8", "d10 d8", "b8 d10"]);
        let expected = "\
10  *           *
       \\     /  |
 9        X     |
       /     \\  |
 8  *           *
    b     c     d
";
        let rules = Rules::on(board.into(), [3, 3]);
        assert_eq!(draw(&rules.board, Some(&rules.start())), expected);
        let named = "\
b10         d10
   \\     /  |
      X     |
   /     \\  |
b8          d8
";
        assert_eq!(draw(&rules.board, None), named);
    }

    #[test]
    fn what_cannot_be_drawn_is_named() {
        let board = own("a1 b1 c1 c2", &["a1 c1", "a1 c2", "a1 b1"]);
        assert!(draw(&board, None).ends_with("also joined: a1-c1 a1-c2\n"));
    }

    #[test]
    fn points_without_places_are_listed() {
        let board = own("p q r lone", &["p q r"]);
        let expected =
            "p     joined to q\nq     joined to p r\nr     joined to q\nlone  joined to none\n";
        assert_eq!(draw(&board, None), expected);
        let rules = Rules::on(board.into(), [3, 3]);
        let mut setup = rules.start();
        setup.stones[1] = setup.stones[1].with(rules.board.point("q").unwrap());
        assert!(draw(&rules.board, Some(&setup)).contains("q    @  joined to p r\n"));
    }
}
