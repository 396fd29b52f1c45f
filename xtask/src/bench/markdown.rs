//! Tables as Markdown, and their place in a file.

use anyhow::{Result, bail};

/// A table; the first column is left-aligned, the others hold numbers and are right-aligned.
pub(crate) struct Table {
    header: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    pub(crate) fn new<const N: usize>(header: [&str; N]) -> Self {
        Self { header: header.map(str::to_owned).to_vec(), rows: Vec::new() }
    }

    pub(crate) fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    /// The table, its columns aligned in the source too.
    pub(crate) fn render(&self) -> String {
        let width = |column: usize| {
            let cells = std::iter::once(&self.header).chain(&self.rows).filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0).max(3)
        };
        let widths: Vec<usize> = (0..self.header.len()).map(width).collect();
        let line = |cells: &[String]| {
            let mut text = String::from("|");
            for (column, width) in widths.iter().enumerate() {
                let cell = cells.get(column).map_or("", String::as_str);
                text += &if column == 0 { format!(" {cell:<width$} |") } else { format!(" {cell:>width$} |") };
            }
            text + "\n"
        };
        let rule = widths.iter().enumerate().map(|(column, width)| {
            let dashes = "-".repeat(*width);
            if column == 0 { format!(" {dashes} |") } else { format!(" {}: |", "-".repeat(width - 1)) }
        });
        let rule = format!("|{}\n", rule.collect::<String>());
        line(&self.header) + &rule + &self.rows.iter().map(|row| line(row)).collect::<String>()
    }
}

/// `page` with what stands between its two markers for `name` replaced by `text`.
pub(crate) fn replace_section(page: &str, name: &str, text: &str) -> Result<String> {
    let (begin, end) = (format!("<!-- begin {name} -->"), format!("<!-- end {name} -->"));
    let (Some(from), Some(to)) = (page.find(&begin), page.find(&end)) else {
        bail!("the page lacks the markers '{begin}' and '{end}'");
    };
    let from = from + begin.len();
    if to < from {
        bail!("the page has '{end}' before '{begin}'");
    }
    Ok(format!("{}\n{}\n{}", &page[..from], text.trim_end(), &page[to..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_line_up() {
        let mut table = Table::new(["who", "Gbps"]);
        table.row(vec!["netburn".into(), "20.1".into()]);
        table.row(vec!["ab".into(), "9".into()]);
        assert_eq!(table.render(), "| who     | Gbps |\n| ------- | ---: |\n| netburn | 20.1 |\n| ab      |    9 |\n");
    }

    #[test]
    fn a_section_is_replaced_between_its_markers_and_nowhere_else() {
        let page = "a\n<!-- begin x -->\nold\n<!-- end x -->\nb <!-- begin y --><!-- end y -->";
        assert_eq!(
            replace_section(page, "x", "new\n").unwrap(),
            "a\n<!-- begin x -->\nnew\n<!-- end x -->\nb <!-- begin y --><!-- end y -->"
        );
        // Twice is the same as once.
        let once = replace_section(page, "x", "new\n").unwrap();
        assert_eq!(replace_section(&once, "x", "new\n").unwrap(), once);
        assert!(replace_section(page, "z", "").is_err());
        assert!(replace_section("<!-- end x --> <!-- begin x -->", "x", "").is_err());
    }
}
