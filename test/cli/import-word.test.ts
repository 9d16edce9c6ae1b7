import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { openRecordForCommand } from "../../src/app/store.ts";
import { readConfig } from "../../src/config.ts";
import { type CommandLine, openSiteLine } from "../support/command-line.ts";
import { png } from "../support/media-bytes.ts";
import {
  drawing,
  listed,
  noteMark,
  paragraph,
  run,
  styled,
  table,
  type WordSource,
  wordOf,
} from "../support/word-bytes.ts";
import { WORD_DOCUMENTS } from "../support/word-documents.ts";

const note = (id: number, text: string) =>
  `<w:footnote w:id="${id}">${paragraph(text)}</w:footnote>`;

const level = (index: number, format: string, text: string, more = "") =>
  `<w:lvl w:ilvl="${index}">${more}<w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/></w:lvl>`;

const numbered = (text: string, list: number, depth = 0, style = "") =>
  `<w:p><w:pPr>${style && `<w:pStyle w:val="${style}"/>`}<w:numPr><w:ilvl w:val="${depth}"/><w:numId w:val="${list}"/></w:numPr></w:pPr>${text && run(text)}</w:p>`;

/** Documents in the manner of a program, with their title and text as Markdown. */
const DOCUMENTS: readonly (WordSource & { file: string; title: string; text: string })[] = [
  {
    file: "word.docx",
    styles: { Heading1: "heading 1", Heading2: "heading 2" },
    body: [
      styled("Heading1", "The minutes"),
      paragraph(`${run("Bold", "<w:b/>")}${run(" and ")}${run("slanted", "<w:i/>")}${run(".")}`),
      styled("Heading2", "Votes"),
      paragraph("Five * were for_it."),
    ].join(""),
    title: "The minutes",
    text: "**Bold** and *slanted*.\n\n## Votes\n\nFive \\* were for_it.",
  },
  {
    file: "Word auf Deutsch.docx",
    styles: { berschrift1: "heading 1", Titel: "Title" },
    body: [
      styled("Titel", "Jahresbericht"),
      styled("berschrift1", "Über das Jahr"),
      paragraph("Text."),
    ].join(""),
    title: "Jahresbericht",
    text: "## Über das Jahr\n\nText.",
  },
  {
    file: "libreoffice.docx",
    styles: { berschrift1: "Überschrift 1", Zitat: "Quotations" },
    body: [
      styled("berschrift1", "Brief"),
      styled("Zitat", "Was bleibt."),
      paragraph("Danach."),
    ].join(""),
    title: "Brief",
    text: "> Was bleibt.\n\nDanach.",
  },
  {
    file: "statutes.docx",
    styles: { Heading1: "heading 1", Section: "heading 2" },
    numbering: [
      `<w:abstractNum w:abstractNumId="1">`,
      level(0, "decimal", "§ %1", `<w:pStyle w:val="Section"/><w:start w:val="3"/>`),
      level(1, "decimal", "(%2)"),
      level(2, "lowerLetter", "%3)"),
      level(3, "upperRoman", "%2.%4"),
      `</w:abstractNum><w:abstractNum w:abstractNumId="2">${level(0, "decimal", "%1.")}</w:abstractNum>`,
      `<w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num><w:num w:numId="3"><w:abstractNumId w:val="2"/></w:num>`,
      `<w:num w:numId="4"><w:abstractNumId w:val="2"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="7"/></w:lvlOverride></w:num>`,
    ].join(""),
    body: [
      styled("Heading1", "Statutes"),
      numbered("Name", 2, 0, "Section"),
      numbered("It is called A.", 2, 1),
      numbered("It is in B.", 2, 1),
      numbered("", 2, 1),
      numbered("Members", 2, 0, "Section"),
      numbered("They are", 2, 1),
      numbered("old", 2, 2),
      numbered("very", 2, 3),
      numbered("young", 2, 2),
      numbered("One", 3),
      numbered("Two", 3),
      paragraph("Between."),
      numbered("Three", 3),
      numbered("Seven", 4),
      numbered("Eight", 4),
      `<w:tbl><w:tr><w:tc>${numbered("", 3)}</w:tc><w:tc>${numbered("Nine &amp; ten", 3)}</w:tc></w:tr></w:tbl>`,
    ].join(""),
    title: "Statutes",
    text: [
      "## § 3 Name\n\n- (1) It is called A.\n- (2) It is in B.",
      "## § 4 Members\n\n- (1) They are\n  - a) old\n    - 1.I very\n  - b) young",
      "1. One\n2. Two",
      "Between.",
      "3. Three",
      "7) Seven\n8) Eight",
      "| 9. | 10. Nine & ten |\n| - | - |",
    ].join("\n\n"),
  },
  {
    file: "lists.docx",
    list: ["bullet", "decimal"],
    body: [
      paragraph("Before"),
      listed("One"),
      listed("First", 1),
      listed("Second", 1),
      listed("Two"),
    ].join(""),
    title: "lists",
    text: "Before\n\n- One\n  1. First\n  2. Second\n- Two",
  },
  {
    file: "tables.docx",
    body: [table(["Name", "Since"], ["Ann", "2001"], ["Ben | Co", "2002"])].join(""),
    title: "tables",
    text: "| Name | Since |\n| - | - |\n| Ann | 2001 |\n| Ben \\| Co | 2002 |",
  },
  {
    file: "notes.docx",
    body: [
      paragraph(`${run("A claim")}${noteMark(2)}${run(", and more")}${noteMark(3)}${run(".")}`),
      paragraph("After."),
    ].join(""),
    footnotes: note(2, "The source.") + note(3, "Another."),
    title: "notes",
    text: "A claim[^2], and more[^3].\n\nAfter.\n\n[^2]: The source.\n\n[^3]: Another.",
  },
  {
    file: "links.docx",
    links: { one: "https://example.org/a" },
    body: paragraph(
      `<w:hyperlink r:id="one">${run("A page")}</w:hyperlink>${run(", ")}<w:hyperlink w:anchor="here">${run("a place")}</w:hyperlink>${run(".")}`,
    ),
    title: "links",
    text: "[A page](https://example.org/a), a place.",
  },
  {
    file: "tracked.docx",
    body: paragraph(
      `${run("Kept ")}<w:ins w:id="1" w:author="A">${run("added ")}</w:ins><w:del w:id="2" w:author="A"><w:r><w:delText>removed</w:delText></w:r></w:del>${run("end.")}`,
    ),
    title: "tracked",
    text: "Kept added end.",
  },
  {
    file: "google docs.docx",
    body: [
      `<w:sdt><w:sdtContent>${paragraph("In a control.")}</w:sdtContent></w:sdt>`,
      paragraph(`${run("Line one")}<w:r><w:br/></w:r>${run("line two")}`),
      paragraph(run("gone", "<w:strike/>")),
    ].join(""),
    title: "google docs",
    text: "In a control.\n\nLine one\\\nline two\n\n~~gone~~",
  },
  {
    file: "pages.docx",
    styles: { Heading3: "Heading 3" },
    body: [styled("Heading3", "Deep"), paragraph("العربية and 漢字 &amp; &lt;b&gt;")].join(""),
    title: "pages",
    text: "### Deep\n\nالعربية and 漢字 & \\<b>",
  },
];

interface Report {
  created: number;
  unchanged: number;
  files: number;
  problems: { file: string; message: string; severity: string }[];
  exportsLeftOut: { what: string; count: number; isContent: boolean }[];
}

async function imported(
  line: CommandLine,
  ...words: string[]
): Promise<Report & { code: number | null }> {
  const { code, out, err } = await line.run("import", "--json", ...words);
  assert.notEqual(out, "", err);
  const report: Report = JSON.parse(out);
  return { ...report, code };
}

async function pageAt(line: CommandLine, path: string) {
  await using store = await openRecordForCommand(readConfig(line.environment));
  return await store.content.itemAt(path);
}

describe("Word documents in an import", () => {
  it("become pages with their headings, lists, tables, notes, links and emphasis", async () => {
    using line = await openSiteLine();
    const files = DOCUMENTS.map((source) => line.file(source.file, wordOf(source)));
    const run = await imported(line, ...files);
    assert.deepEqual(run.problems, []);
    assert.deepEqual([run.code, run.created], [0, DOCUMENTS.length]);
    const read = [];
    for (const { file } of DOCUMENTS) {
      const name = file.replace(".docx", "").toLowerCase().replaceAll(" ", "-");
      const page = await pageAt(line, `/${name}`);
      read.push([page?.title, page?.body.trim()]);
    }
    assert.deepEqual(
      read,
      DOCUMENTS.map(({ title, text }) => [title, text]),
    );
    const again = await imported(line, ...files);
    assert.deepEqual([again.created, again.unchanged], [0, DOCUMENTS.length]);
  });

  it("keep every word of what programs write beside paragraphs, or report it", async () => {
    for (const { file, text, leftOut = [], ...source } of WORD_DOCUMENTS) {
      using line = await openSiteLine();
      const run = await imported(line, line.file(file, wordOf(source)));
      assert.deepEqual([run.problems, run.created], [[], 1], file);
      const page = await pageAt(line, `/${file.replace(".docx", "").replaceAll(" ", "-")}`);
      assert.equal(page?.body.trim(), text, file);
      const found = run.exportsLeftOut.map(({ what, count }) => [what, count]);
      assert.deepEqual(found, leftOut, file);
      const isLost = run.exportsLeftOut.some(({ isContent }) => isContent);
      assert.equal(run.code, isLost ? 1 : 0, file);
    }
  });

  it("are refused before they are converted where they have very many paragraphs", async () => {
    using line = await openSiteLine();
    const body = "<w:p><w:r><w:t>A word</w:t></w:r></w:p>".repeat(100_000);
    const started = process.cpuUsage();
    const run = await imported(line, line.file("many.docx", wordOf({ body })));
    assert.equal(run.created, 0);
    assert.match(
      JSON.stringify(run.problems),
      /more than 100,000 paragraphs and runs of text; split it/,
    );
    assert(process.cpuUsage(started).user < 10_000_000, "ten seconds of CPU");
  });

  it("take no longer because a list defines very many levels", async () => {
    using line = await openSiteLine();
    const levels = Array.from({ length: 100_000 }, (_, at) => level(at, "decimal", "§ %1"));
    const bytes = wordOf({
      numbering: `<w:abstractNum w:abstractNumId="1">${levels.join("")}</w:abstractNum><w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>`,
      body: numbered("Text", 2).repeat(3000),
    });
    const run = await imported(line, line.file("levels.docx", bytes));
    assert.deepEqual([run.problems, run.created], [[], 1]);
    assert.match((await pageAt(line, "/levels"))?.body ?? "", /^- § 3000 Text$/m);
  });

  it("bring their pictures, and say what of them has no form here", async () => {
    using line = await openSiteLine();
    const bytes = png(9, 9);
    const body = paragraph(drawing("A red square"));
    const shown = line.file("shown.docx", wordOf({ body, picture: { name: "a.png", bytes } }));
    const run = await imported(line, shown);
    assert.deepEqual([run.code, run.files, run.problems.length], [0, 1, 0]);
    assert.match(
      (await pageAt(line, "/shown"))?.body ?? "",
      /^!\[A red square\]\(\/media\/\S+\.png\)$/m,
    );
    const formula = `<m:oMath><m:r><m:t>x</m:t></m:r></m:oMath>`;
    const lost = line.file(
      "lost.docx",
      wordOf({
        body: body + paragraph(formula),
        picture: { name: "a.emf", bytes: Buffer.from("EMF") },
      }),
    );
    const report = await imported(line, lost);
    assert.equal(report.code, 1);
    assert.deepEqual(
      report.exportsLeftOut.map(({ what, count }) => [what, count]),
      [
        ["formulas", 1],
        ["pictures of the kind x-emf", 1],
      ],
    );
  });

  it("are refused when they are damaged or hostile, which costs no other document", async () => {
    using line = await openSiteLine();
    const bomb = Buffer.alloc(20 * 1024 * 1024, 0x20);
    const deep = `${"<w:tbl><w:tr><w:tc>".repeat(200)}${"</w:tc></w:tr></w:tbl>".repeat(200)}`;
    const body = paragraph("Text");
    const whole = wordOf({ body });
    const entities = `<!DOCTYPE x [<!ENTITY a "${"a".repeat(1000)}">]><x>&a;</x>`;
    const hostile: readonly [name: string, bytes: Buffer, message: RegExp][] = [
      ["no zip.docx", Buffer.from("text"), /damaged, or is not a Word document/],
      ["cut.docx", whole.subarray(0, whole.length / 2), /damaged, or is not a Word document/],
      [
        "bomb.docx",
        wordOf({ body, more: [{ name: "word/a.xml", bytes: bomb }] }),
        /unpacks to more than 16 MiB/,
      ],
      [
        "lies.docx",
        wordOf({ body, more: [{ name: "word/media/a.png", bytes: bomb, claims: 10 }] }),
        /damaged/,
      ],
      [
        "up.docx",
        wordOf({ body, more: [{ name: "../a.xml", bytes: Buffer.from("<a/>") }] }),
        /damaged/,
      ],
      ["deep.docx", wordOf({ body: deep }), /nests too deep/],
      [
        "entities.docx",
        wordOf({ body, more: [{ name: "word/b.xml", bytes: Buffer.from(entities) }] }),
        /has a document type/,
      ],
    ];
    const files = hostile.map(([name, bytes]) => line.file(name, bytes));
    const run = await imported(line, ...files, line.file("good.docx", whole));
    assert.deepEqual([run.code, run.created], [1, 1]);
    assert.equal(run.problems.length, hostile.length);
    for (const [at, [name, , message]] of hostile.entries()) {
      assert.match(run.problems[at]?.message ?? "", message, name);
      assert.equal(run.problems[at]?.file, files[at]);
    }
  });
});
