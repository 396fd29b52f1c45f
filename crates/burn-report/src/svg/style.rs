//! The style sheet of a drawing that stands alone. Inside a page the page's own colours the same classes.

/// The tones of one ground: told apart by people who see colours differently, too (after M. Okabe, K. Ito, "Color universal
/// design", 2008), and by dash and name besides.
struct Palette {
    ground: &'static str,
    text: &'static str,
    faint: &'static str,
    line: &'static str,
    main: &'static str,
    second: &'static str,
    others: [&'static str; 6],
    trouble: &'static str,
    good: &'static str,
}

const LIGHT: Palette = Palette {
    ground: "#ffffff",
    text: "#1b1f24",
    faint: "#59636e",
    line: "#d9dee3",
    main: "#0062a3",
    second: "#b84a00",
    others: ["#007a5a", "#a3487f", "#8a6100", "#2f7fb0", "#6a4fa3", "#5c6b00"],
    trouble: "#b3261e",
    good: "#2e6b34",
};

const DARK: Palette = Palette {
    ground: "#15191e",
    text: "#e8ecf0",
    faint: "#a3adb8",
    line: "#39424c",
    main: "#6cb8f0",
    second: "#f09a5b",
    others: ["#4fcfa5", "#e59cc6", "#e0b74a", "#9ad0f0", "#b9a3f0", "#c3d16a"],
    trouble: "#ff8a80",
    good: "#8fd694",
};

/// On a light ground alone: for a picture of pixels, which cannot follow its reader's choice.
pub(super) fn light() -> String {
    format!("{}{}", SHAPES, tones(&LIGHT))
}

/// On the ground that its reader prefers.
pub(super) fn light_and_dark() -> String {
    format!("{}@media (prefers-color-scheme:dark){{{}}}", light(), tones(&DARK))
}

/// What does not depend on the ground.
const SHAPES: &str = "\
text{font-family:system-ui,'Segoe UI','Ubuntu',sans-serif}\
.curve{fill:none;stroke-width:1.6;stroke-linejoin:round}\
.style-dashed{stroke-dasharray:6 3}\
.style-points{stroke-linecap:round;stroke-width:3}\
.band{stroke:none;fill-opacity:.2}\
.level,.mark{fill:none;stroke-width:1.2}\
.level.good{stroke-dasharray:8 4}\
.level.bad{stroke-dasharray:2 3}\
.mark{opacity:.75}\
.mark.sign{opacity:1}\
.label.good,.label.bad,.label.stretched{paint-order:stroke;stroke-width:3;stroke-linejoin:round}\
.stretch{opacity:.14}\
.stretch.not-judged{opacity:.5}\
.grid{fill:none;stroke-width:.6}\
.axis{fill:none;stroke-width:1}\
";

fn tones(palette: &Palette) -> String {
    let Palette { ground, text, faint, line, main, second, others, trouble, good } = palette;
    let others: String =
        others.iter().zip(1..).map(|(colour, number)| format!(".tone-other-{number}{{stroke:{colour}}}")).collect();
    format!(
        ".ground{{fill:{ground}}}text{{fill:{text}}}.label{{fill:{faint}}}.grid{{stroke:{line}}}.axis{{stroke:{faint}}}\
         .tone-main{{stroke:{main}}}.tone-second{{stroke:{second}}}{others}.tone-trouble{{stroke:{trouble}}}\
         .band{{fill:{main}}}.band.second{{fill:{second}}}\
         .level.good{{stroke:{good}}}.level.bad{{stroke:{trouble}}}.label.good{{fill:{good}}}.label.bad{{fill:{trouble}}}\
         .label.good,.label.bad,.label.stretched{{stroke:{ground}}}\
         .mark{{stroke:{faint}}}.mark.failure,.mark.lost{{stroke:{trouble}}}\
         .stretch{{fill:{trouble}}}.stretch.not-judged{{fill:{line}}}"
    )
}
