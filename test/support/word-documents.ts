import {
  drawing,
  listed,
  noteMark,
  paragraph,
  run,
  styled,
  type WordSource,
} from "./word-bytes.ts";

/** A document after the habits of a program, and what becomes of it. */
export interface WordDocument extends WordSource {
  file: string;
  text: string;
  /** What the report says is left out, with its number. */
  leftOut?: readonly (readonly [what: string, count: number])[];
}

const field = (instruction: string, shown: string) =>
  [
    '<w:r><w:fldChar w:fldCharType="begin"/></w:r>',
    `<w:r><w:instrText xml:space="preserve"> ${instruction} </w:instrText></w:r>`,
    '<w:r><w:fldChar w:fldCharType="separate"/></w:r>',
    `${run(shown)}<w:r><w:fldChar w:fldCharType="end"/></w:r>`,
  ].join("");
const simpleField = (instruction: string, shown: string) =>
  `<w:fldSimple w:instr=" ${instruction} ">${run(shown)}</w:fldSimple>`;
const shape = (text: string) =>
  `<w:drawing><wp:anchor><a:graphic><a:graphicData><wps:wsp><wps:txbx><w:txbxContent>${paragraph(text)}</w:txbxContent></wps:txbx></wps:wsp></a:graphicData></a:graphic></wp:anchor></w:drawing>`;
const oldShape = (content: string) => `<w:pict><v:shape>${content}</v:shape></w:pict>`;
const alternatives = (choice: string, fallback: string | null) =>
  `<w:r><mc:AlternateContent><mc:Choice Requires="wps">${choice}</mc:Choice>${fallback === null ? "" : `<mc:Fallback>${fallback}</mc:Fallback>`}</mc:AlternateContent></w:r>`;
const cell = (content: string, properties = "") =>
  `<w:tc><w:tcPr>${properties}</w:tcPr>${content}</w:tc>`;
const row = (...cells: readonly string[]) => `<w:tr>${cells.join("")}</w:tr>`;
const separator = (id: number, kind: string) =>
  `<w:footnote w:type="${kind}" w:id="${id}"><w:p><w:r><w:${kind}/></w:r></w:p></w:footnote>`;
const note = (id: number, ...texts: readonly string[]) =>
  `<w:footnote w:id="${id}">${texts.map((text) => paragraph(`<w:r><w:footnoteRef/></w:r>${run(` ${text}`)}`)).join("")}</w:footnote>`;

/** Documents with what programs write beside plain paragraphs. */
export const WORD_DOCUMENTS: readonly WordDocument[] = [
  {
    file: "word fields.docx",
    body: [
      paragraph(
        `<w:hyperlink w:anchor="_Toc1">${run("Purpose")}${field("PAGEREF _Toc1", "3")}</w:hyperlink>`,
      ),
      paragraph(`${run("Table ")}${simpleField("SEQ Table", "1")}${run(": Fees")}`),
      paragraph(
        `${run("See ")}${field('HYPERLINK "https://example.org/a"', "the page")}${run(".")}`,
      ),
    ].join(""),
    text: "Purpose3\n\nTable 1: Fees\n\nSee [the page](https://example.org/a).",
  },
  {
    file: "word changes.docx",
    body: [
      paragraph(
        `${run("The fee is ")}<w:del><w:r><w:delText>10</w:delText></w:r></w:del><w:ins>${run("12")}</w:ins>${run(" euros.")}`,
      ),
      paragraph(`<w:moveFrom>${run("Moved away.")}</w:moveFrom>${run("Stays.")}`),
      paragraph(`<w:moveTo>${run("Moved here.")}</w:moveTo>`),
      paragraph(
        `<w:commentRangeStart w:id="0"/>${run("Discussed")}<w:commentRangeEnd w:id="0"/><w:r><w:commentReference w:id="0"/></w:r>`,
      ),
      `<w:tbl>${row(cell(paragraph("Name")))}<w:tr><w:trPr><w:del/></w:trPr>${cell(paragraph("<w:del><w:r><w:delText>Gone</w:delText></w:r></w:del>"))}</w:tr>${row(cell(paragraph("Ann")))}</w:tbl>`,
    ].join(""),
    text: "The fee is 12 euros.\n\nStays.\n\nMoved here.\n\nDiscussed\n\n| Name |\n| - |\n| Ann |",
    leftOut: [["comments", 1]],
  },
  {
    file: "word text boxes.docx",
    body: [
      paragraph(
        `${run("Before.")}${alternatives(shape("In a box."), oldShape(`<v:textbox><w:txbxContent>${paragraph("In a box.")}</w:txbxContent></v:textbox>`))}`,
      ),
      paragraph("After."),
    ].join(""),
    text: "Before.\n\nIn a box.\n\nAfter.",
  },
  {
    file: "google docs.docx",
    body: [
      paragraph(`${run("Before.")}${alternatives(shape("Drawn."), "<w:pict/>")}`),
      `<w:sdt><w:sdtPr><w:id w:val="1"/></w:sdtPr><w:sdtContent>${paragraph(`<w:sdt><w:sdtContent>${run("Twice in a control")}</w:sdtContent></w:sdt>`)}</w:sdtContent></w:sdt>`,
      listed("Milk"),
      listed("Bread"),
    ].join(""),
    list: ["bullet"],
    text: "Before.\n\nDrawn.\n\nTwice in a control\n\n- Milk\n- Bread",
  },
  {
    file: "pages.docx",
    body: [
      paragraph(`${run("Before.")}${alternatives(shape("No fallback."), null)}`),
      paragraph(`<w:r>${shape("Without alternatives.")}</w:r>`),
    ].join(""),
    without: ["word/styles.xml", "word/numbering.xml", "word/footnotes.xml"],
    text: "Before.\n\nNo fallback.\n\nWithout alternatives.",
  },
  {
    file: "right to left.docx",
    body: [
      paragraph(run("שלום עולם", "<w:rtl/>"), "<w:bidi/>"),
      paragraph(
        `<w:dir w:val="rtl">${run("مرحبا")}</w:dir>${run(" ")}<w:bdo w:val="ltr">${run("abc")}</w:bdo>`,
      ),
    ].join(""),
    text: "שלום עולם\n\nمرحبا abc",
  },
  {
    file: "japanese.docx",
    body: paragraph(
      `${run("この")}<w:r><w:ruby><w:rubyPr/><w:rt><w:r><w:t>かんじ</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>漢字</w:t></w:r></w:rubyBase></w:ruby></w:r>`,
    ),
    text: "このかんじ漢字",
  },
  {
    file: "old word.docx",
    body: paragraph(
      `<w:smartTag w:element="place"><w:smartTag w:element="City">${run("Leip")}</w:smartTag>${run("zig")}</w:smartTag><w:proofErr w:type="spellStart"/><w:r><w:t xml:space="preserve"> Kaffee</w:t><w:softHyphen/><w:t>haus</w:t><w:noBreakHyphen/><w:t>Tisch</w:t><w:tab/><w:t>&lt;5&gt;</w:t></w:r><w:r><w:sym w:font="Symbol" w:char="F061"/></w:r>`,
    ),
    text: "Leipzig Kaffee\u00adhaus\u2011Tisch <5>α",
  },
  {
    file: "nested tables.docx",
    body: `<w:tbl>${[
      row(cell(paragraph("Name")), cell(paragraph("What"))),
      row(
        cell(paragraph(`${run("Ann")}${noteMark(2)}`)),
        cell(
          `<w:tbl>${row(cell(paragraph("inner")), cell(paragraph("cells")))}</w:tbl>${paragraph("below")}`,
        ),
      ),
      row(cell(paragraph("both columns"), '<w:gridSpan w:val="2"/>')),
    ].join("")}</w:tbl>`,
    footnotes: `${separator(-1, "separator")}${separator(0, "continuationSeparator")}${note(2, "Since 2001.", "Re-elected.")}`,
    text: "| Name | What |\n| - | - |\n| Ann[^2] | inner cells below |\n| both columns | |\n\n[^2]: Since 2001.\n\n    Re-elected.",
  },
  {
    file: "numbered styles.docx",
    styles: { Absatz: "Absatz 1" },
    numbering:
      '<w:abstractNum w:abstractNumId="7"><w:lvl w:ilvl="0"><w:numFmt w:val="decimal"/><w:pStyle w:val="Absatz"/></w:lvl></w:abstractNum><w:num w:numId="7"><w:abstractNumId w:val="7"/></w:num>',
    body: [styled("Absatz", "First rule"), styled("Absatz", "Second rule")].join(""),
    text: "1. First rule\n2. Second rule",
  },
  {
    file: "left out.docx",
    body: [
      paragraph(`${run("Shown.")}${run("Only for the board", "<w:vanish/>")}`),
      paragraph(`${run("A ")}<w:future>${run("new thing")}</w:future>${run(" of Word.")}`),
      paragraph(run("Not hidden.", '<w:vanish w:val="0"/>')),
      '<w:altChunk r:id="chunk"/>',
      paragraph(drawing("On a disk").replace("r:embed", "r:link")),
    ].join(""),
    links: { picture: "file:///C:/plan.png" },
    text: "Shown.\n\nA of Word.\n\nNot hidden.",
    leftOut: [
      ["inserted documents", 1],
      ['passages, the first: "A new thing of Word."', 1],
      ["pictures that the document only links to", 1],
      ['hidden texts, the first: "Only for the board"', 1],
    ],
  },
];
