import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { openRecordForCommand } from "../../src/app/store.ts";
import { readConfig } from "../../src/config.ts";
import type { Item } from "../../src/content/items/item.ts";
import { type CommandLine, openSiteLine } from "../support/command-line.ts";
import { workbookOf, zipOf } from "../support/workbook-bytes.ts";

/** A file as associations have them, and what its columns are. */
interface MessyTable {
  file: string;
  bytes: string | Buffer;
  type: string;
  /** Places by column; null: nothing fits, and that is reported. */
  columns: Record<string, string | null>;
  rows: number;
  headings: number;
}

const LONG = "Lange war es still im Garten, und niemand wusste, was als Nächstes geschehen sollte.";

const TABLES: readonly MessyTable[] = [
  {
    file: "zitate.csv",
    bytes: Buffer.from(
      `Zitatesammlung;;;;;;\r\nStand: 24.12.2023;;;;;;\r\n;;;;;;\r\nNr;Zitat;Autor/in;Quelle;Jahr;Schlagwörter;Notiz\r\n1;"Erste Zeile\r\nzweite Zeile mit ""Wort""";Seneca;Briefe;65;"Mut; Angst";\r\n2;Über die Zeit;Marie von Ebner-Eschenbach;;1880;Zeit, Leben;=1+1\r\n`,
      "latin1",
    ),
    type: "quotation",
    columns: {
      ...{ Nr: "key", Zitat: "body", "Autor/in": "authors", Quelle: "work", Jahr: "year" },
      ...{ Schlagwörter: "topics", Notiz: null },
    },
    rows: 2,
    headings: 3,
  },
  {
    file: "quotes utf16.tsv",
    bytes: Buffer.from(
      `\uFEFFQuote\tSaid by\tBook\tPage\tVerified\n"${LONG}"\tJane Austen\tEmma\t12\tverified\nShort one\tJane Austen\tEmma\tch. 3\tDisputed\n`,
      "utf16le",
    ),
    type: "quotation",
    columns: {
      Quote: "body",
      "Said by": "authors",
      Book: "work",
      Page: "locator",
      Verified: "verification",
    },
    rows: 2,
    headings: 1,
  },
  {
    file: "no-heading.csv",
    bytes: `"${LONG}",Seneca,1890\n"${LONG} Und mehr.",Ovid,1901\n"Noch einmal: ${LONG}",Johann Wolfgang von Goethe,1822\n`,
    type: "quotation",
    columns: { A: "body", B: "authors", C: "year" },
    rows: 3,
    headings: 0,
  },
  {
    file: "Mitglieder der Akademie.csv",
    bytes:
      "\uFEFFsep=;\nName;Geboren;Gestorben;Auch bekannt als;\nHannah Arendt;14.10.1906;4. Dezember 1975;H. A.|Johanna;\nSokrates;;;;\n",
    type: "author",
    columns: { Name: "title", Geboren: "born", Gestorben: "died", "Auch bekannt als": "aliases" },
    rows: 2,
    headings: 1,
  },
  {
    file: "books.xlsx",
    bytes: workbookOf([
      { name: "Old", hidden: true, rows: [["x"]] },
      {
        name: "Library",
        rows: [
          ["Book title", "Author", "Publisher", "ISBN", "Year", "Link"],
          ["Emma", "Jane Austen", "Murray", 9780141439587, 1815, "https://books.example/emma"],
          ["Walden", "Henry David Thoreau", "Ticknor & Fields", "0-691-01464-2", 1854, null],
        ],
      },
    ]),
    type: "work",
    columns: {
      ...{ "Book title": "title", Author: "authors", Publisher: "publisher", ISBN: "isbn" },
      ...{ Year: "year", Link: "source_url" },
    },
    rows: 2,
    headings: 1,
  },
  {
    file: "news.csv",
    bytes:
      'Title,Date,Text,Old URL,Language,Status\n"First, of all",12/24/2021,<p>One</p><p>Two <b>bold</b></p>,https://old.example/2021/first.html,English,published\nSecond,03/04/2022,Plain,https://old.example/?p=7,Deutsch,Entwurf\n',
    type: "page",
    columns: {
      ...{ Title: "title", Date: "publishedAt", Text: "body", "Old URL": "redirectFrom" },
      ...{ Language: "language", Status: "status" },
    },
    rows: 2,
    headings: 1,
  },
  {
    file: "two headings.csv",
    bytes: `Zitat|Person|Thema|Jahr\nbody|authors|topics|year\n${LONG}|Seneca|Zeit|60\nZweiter Satz|Ovid|Zeit|8\n`,
    type: "quotation",
    columns: { Zitat: "body", Person: "authors", Thema: "topics", Jahr: "year" },
    rows: 2,
    headings: 2,
  },
  {
    file: "merged.xlsx",
    bytes: workbookOf([
      {
        name: "Zitate",
        merged: ["A1:E1", "D2:E2", "B4:B5"],
        rows: [
          ["Unsere Zitate", null, null, null, null],
          [null, null, null, "Quelle", null],
          ["Zitat", "Autor", "Datum der Aufnahme", "Titel", "Seite"],
          [LONG, "Seneca", { serial: 45285 }, "Briefe", "12"],
          ["Zweiter Satz", null, { serial: 45286 }, "Briefe", { formula: "10+3", value: "13" }],
        ],
      },
    ]),
    type: "quotation",
    columns: {
      ...{ Zitat: "body", Autor: "authors", "Datum der Aufnahme": "publishedAt" },
      ...{ "Quelle: Titel": "work", "Quelle: Seite": null },
    },
    rows: 2,
    headings: 3,
  },
  {
    file: "themen.csv",
    bytes:
      '"Thema";"Oberbegriff";"Beschreibung"\n"Zeit";"";"Was vergeht"\n"Augenblick";"Zeit";"Was bleibt"\n',
    type: "topic",
    columns: { Thema: "title", Oberbegriff: "broader", Beschreibung: "summary" },
    rows: 2,
    headings: 1,
  },
  {
    file: "tags.csv",
    bytes: `id,quote,author,tag1,tag2,tag3,empty\na-1,"${LONG}",Seneca,time,virtue,,\na-2,Short,"Austen, Jane",love,,,\n`,
    type: "quotation",
    columns: {
      ...{ id: "key", quote: "body", author: "authors", tag1: "topics", tag2: "topics" },
      ...{ tag3: null, empty: null },
    },
    rows: 2,
    headings: 1,
  },
  {
    file: "seiten.xlsx",
    bytes: workbookOf([
      {
        name: "Export",
        rows: [
          ["Überschrift", "Inhalt", "Veröffentlicht am", "Sprache", "Alte Adresse"],
          ["Über uns", "Wer wir sind.", "1. März 2021", "de", "/ueber-uns.html"],
          ["Satzung", "§ 1 Name", { error: "#REF!" }, "de", "/satzung.html; /satzung.pdf"],
        ],
      },
    ]),
    type: "page",
    columns: {
      ...{ Überschrift: "title", Inhalt: "body", "Veröffentlicht am": "publishedAt" },
      ...{ Sprache: "language", "Alte Adresse": "redirectFrom" },
    },
    rows: 2,
    headings: 1,
  },
  {
    file: "My Clippings.txt",
    bytes: `\uFEFFEmma (Vol. 1) (Austen, Jane)\r\n- Your Highlight on page 12 | Location 170-172 | Added on Tuesday, 5 March 2019 10:20:30\r\n\r\nSeldom, very seldom, does complete truth\r\n==========\r\nEmma (Vol. 1) (Austen, Jane)\r\n- Your Highlight on page 12 | Location 170-173 | Added on Tuesday, 5 March 2019 10:20:40\r\n\r\nSeldom, very seldom, does complete truth belong to any human disclosure.\r\n==========\r\nEmma (Vol. 1) (Austen, Jane)\r\n- Your Note on page 12 | Location 171 | Added on Tuesday, 5 March 2019 10:21:00\r\n\r\nSECRET remark\r\n==========\r\nWalden (Henry David Thoreau)\r\n- Ihre Markierung bei Position 88-90 | Hinzugefügt am Mittwoch, 6. März 2019 08:00:00\r\n\r\nTime is but the stream I go a-fishing in.\r\n==========\r\nWalden (Henry David Thoreau)\r\n- Ihr Lesezeichen bei Position 91 | Hinzugefügt am Mittwoch, 6. März 2019 08:01:00\r\n\r\n\r\n==========\r\n`,
    type: "quotation",
    columns: { Quote: "body", Author: "authors", Book: "work", Location: "locator" },
    rows: 2,
    headings: 1,
  },
  {
    file: "readwise-data.csv",
    bytes: `Highlight,Book Title,Book Author,Amazon Book ID,Note,Color,Tags,Location Type,Location,Highlighted at,Document tags\n"${LONG}",Briefe,Seneca,B001,,yellow,"mut, zeit",page,12,2023-05-02 10:00:00+00:00,\nA short one,Emma,Jane Austen,B002,,blue,,page,14,2023-05-03 10:00:00+00:00,\n`,
    type: "quotation",
    columns: {
      ...{ Highlight: "body", "Book Title": "work", "Book Author": "authors", Tags: "topics" },
      ...{ Location: "locator", "Amazon Book ID": null, Note: null, Color: null },
      ...{ "Location Type": null, "Highlighted at": null, "Document tags": null },
    },
    rows: 2,
    headings: 1,
  },
  {
    file: "unknown names.csv",
    bytes: `Spruch,Wer hat es gesagt,Gefunden wo\n"${LONG}",Seneca,im Keller\nEin zweiter Spruch der auch etwas länger sein darf als ein Name es wäre,Ovid,auf dem Dach\n`,
    type: "quotation",
    columns: { Spruch: "body", "Wer hat es gesagt": "authors", "Gefunden wo": null },
    rows: 2,
    headings: 1,
  },
];

interface TableReport {
  created: number;
  updated: number;
  unchanged: number;
  failed: number;
  skipped: unknown[];
  exportsLeftOut: { what: string; count: number }[];
  problems: { line: number; field: string; message: string }[];
  tables: {
    type: string;
    rows: number;
    names: number;
    headings: number;
    columns: { column: string; place: string | null; example: string }[];
  }[];
}

async function reported(line: CommandLine, ...words: string[]): Promise<TableReport> {
  const { out, err } = await line.run("import", "--json", ...words);
  assert.notEqual(out, "", err);
  return JSON.parse(out);
}

async function items(line: CommandLine): Promise<Item[]> {
  await using record = await openRecordForCommand(readConfig(line.environment));
  const { items: outlines } = await record.desk.list({
    ...{ types: [], statuses: ["draft", "published", "archived"], sort: "created" },
    ...{ descending: false, limit: 500 },
  });
  const found = await Promise.all(outlines.map(({ id }) => record.content.item(id)));
  return found.filter((item) => item !== null);
}

function sheetOf(xml: string): { bytes: Buffer; claims: number } {
  return { bytes: Buffer.from(xml), claims: xml.length };
}

/** A workbook whose sheet is this part. */
function bombOf(part: { name: string; bytes: Buffer; claims: number }): Buffer {
  const text = (name: string, xml: string) => ({ name, bytes: Buffer.from(xml) });
  return zipOf([
    text("xl/workbook.xml", '<workbook><sheets><sheet name="A" r:id="r1"/></sheets></workbook>'),
    text(
      "xl/_rels/workbook.xml.rels",
      '<R><Relationship Id="r1" Target="worksheets/sheet9.xml"/></R>',
    ),
    part,
  ]);
}

describe("tables in an import", () => {
  it("are read as they are: columns are found, every row is counted, nothing is lost unsaid", async () => {
    using line = await openSiteLine();
    for (const { file, bytes, type, columns, rows, headings } of TABLES) {
      const path = line.file(file, bytes);
      const dry = await reported(line, "--dry-run", path);
      const [table] = dry.tables;
      assert.ok(table !== undefined);
      const guessed = table.columns.map(({ column, place }) => [column, place]);
      assert.deepEqual(Object.fromEntries(guessed), columns, file);
      assert.deepEqual([table.type, table.rows, table.headings], [type, rows, headings], file);
      for (const { column, place, example } of table.columns) {
        const isReported = dry.exportsLeftOut.some(({ what }) => what.includes(`"${column}"`));
        assert.equal(isReported, place === null && example !== "", `${file}: ${column}`);
      }
      const run = await reported(line, path);
      const sum = ({ created, updated, unchanged, failed, skipped }: TableReport) =>
        created + updated + unchanged + failed + skipped.length;
      assert.equal(sum(run), rows + table.names, file);
      assert.deepEqual({ ...run, dryRun: true }, { ...dry, dryRun: true }, file);
      const again = await reported(line, path);
      assert.deepEqual([again.unchanged, sum(again)], [rows, rows], file);
    }
  });

  it("keep texts, dates, lists and names of a cell as they were meant", async () => {
    using line = await openSiteLine();
    for (const { file, bytes } of TABLES) await line.run("import", line.file(file, bytes));
    const all = await items(line);
    const titled = (title: string) => all.find((item) => item.title === title);
    const named = (item: Item | undefined, relation: string) =>
      item?.relations[relation]?.map(({ to }) => all.find(({ id }) => id === to)?.title);
    const first = all.find(({ body }) => body.startsWith("Erste Zeile"));
    assert.equal(first?.body, 'Erste Zeile\\\nzweite Zeile mit "Wort"');
    assert.deepEqual([first?.fields, first?.sourceKey], [{ year: 65 }, "table:zitate/1"]);
    assert.deepEqual(named(first, "authors"), ["Seneca"]);
    assert.deepEqual(named(titled("Über die Zeit"), "topics"), ["Zeit, Leben"]);
    assert.deepEqual(titled("Hannah Arendt")?.fields, {
      ...{ born: "1906-10-14", died: "1975-12-04", aliases: ["H. A.", "Johanna"] },
    });
    assert.equal(titled("Emma")?.fields["isbn"], "9780141439587");
    const news = titled("First, of all");
    assert.deepEqual(
      [news?.body, news?.status, news?.language],
      ["One\n\nTwo **bold**", "published", "en"],
    );
    assert.equal(news?.publishedAt, "2021-12-24T00:00:00.000Z");
    assert.deepEqual([titled("Second")?.status, titled("Second")?.language], ["draft", "de"]);
    const merged = all.find(({ sourceKey }) => sourceKey?.startsWith("table:merged/") === true);
    assert.equal(merged?.publishedAt?.slice(0, 10), "2023-12-25");
    const below = all.filter(({ sourceKey }) => sourceKey?.startsWith("table:merged/") === true)[1];
    assert.deepEqual(named(below, "authors"), ["Seneca"]);
    assert.deepEqual(named(titled("Augenblick"), "broader"), ["Zeit"]);
    const tags = all.find(({ sourceKey }) => sourceKey === "table:tags/a-1");
    assert.deepEqual(named(tags, "topics"), ["time", "virtue"]);
    assert.equal(
      all.filter(({ title, type }) => title === "Seneca" && type === "author").length,
      1,
    );
  });

  it("are corrected by the caller, and read so again the next time", async () => {
    using line = await openSiteLine();
    const path = line.file(
      "liste.csv",
      "Spruch,Wer,Wo\nEin Satz,Seneca,Rom\nNoch einer,Ovid,Tomi\n",
    );
    const wrong = await line.run("import", path, "--map", "Was=title");
    assert.match(wrong.err, /has no column "Was"; it has "Spruch", "Wer", "Wo"/);
    const place = await line.run("import", path, "--map", "Wo=nowhere");
    assert.match(place.err, /Pages have no place "nowhere"; use one of .*title/);
    const map = [
      "--type",
      "quotation",
      "--map",
      "Spruch=body",
      "--map",
      "Wer=authors",
      "--map",
      "Wo=-",
    ];
    const first = await line.run("import", path, ...map);
    assert.equal(first.code, 0, first.err);
    assert.match(first.out, /Wo +→ {2}left out, as you said/);
    const later = line.file(
      "liste-2027.csv",
      "Spruch,Wer,Wo\nEin Satz,Seneca,Rom\nEin dritter,Ovid,\n",
    );
    const second = await line.run("import", later);
    assert.equal(second.code, 0, second.err);
    assert.match(second.out, /^1 created, 0 updated, 1 unchanged, 0 failed/m);
    assert.match(second.out, /columns as saved under "liste"/);
    const mapping = line.file("m.yaml", "type: quotation\ncolumns:\n  Spruch: body\n  Wer: work\n");
    const broken = line.file("broken.yaml", "a: [b\n");
    const refused = await line.run("import", later, "--mapping", broken);
    assert.match(refused.err, /Cannot read the mapping .*: line 2 is not YAML: /);
    const third = await line.run("import", later, "--dry-run", "--mapping", mapping);
    assert.match(third.out, /Wer +→ {2}work/);
  });

  it("say each row and cell that is wrong, and take in the rest", async () => {
    using line = await openSiteLine();
    const path = line.file(
      "quotes.csv",
      [
        "id,quote,author,year,verified",
        "1,A good one,Seneca,60,verified",
        '2,"A "bad" quotation mark",Ovid,about 8,certainly',
        "1,The number again,Ovid,9,",
        "3,Too, many, cells, in a row,x",
        "a remark below the table",
        "1,A good one,Seneca,60,verified",
        ",No number,Ovid,1,",
        "4,,Ovid,,",
      ].join("\n"),
    );
    const { code, err, out } = await line.run("import", path, "--publish");
    assert.equal(code, 1);
    for (const told of [
      /:3: warning: has a quotation mark inside a quoted cell/,
      /:3: year: "about 8" is not a whole number; the cell is left out/,
      /:3: verified: "certainly" is not a value of this field/,
      /:4: id: has the same "id" as line 2/,
      /:5: has 6 cells or more where the table has 5 columns/,
      /:6: is one cell where the table has 5 columns/,
      /:8: id: has nothing in "id"/,
      /:9: has neither a title nor a text/,
    ]) {
      assert.match(err, told);
    }
    assert.match(out, /Skipped: .*quotes\.csv:7 is the same as line 2/);
    assert.match(out, /^4 created, 0 updated, 0 unchanged, 5 failed, 1 skipped/m);
    const found = await items(line);
    assert.ok(
      found.filter(({ type }) => type === "author").every(({ status }) => status === "published"),
    );
  });

  it("create what accepted rows name, and nothing that only refused rows name", async () => {
    using line = await openSiteLine();
    const rows = [
      "id,quote,author,status",
      "1,A good one,Seneca,published",
      "2,Not public yet,Ovid,draft",
      "1,The number again,Plato,published",
      ",No number,Ovid,published",
      "3,,Homer,published",
      "4,With a \u0007 bell,Hesiod,published",
      "5,Too,many,cells,Sappho",
    ];
    const path = line.file("quotes.csv", rows.join("\n"));
    const dry = await reported(line, "--dry-run", path);
    assert.deepEqual([dry.created, dry.failed, dry.tables[0]?.names], [4, 5, 2]);
    const run = await reported(line, path);
    assert.deepEqual([run.created, run.failed], [4, 5]);
    const found = (await items(line)).filter(({ sourceKey }) => sourceKey !== null);
    const authors = found.filter(({ type }) => type === "author");
    assert.deepEqual(
      authors.map(({ title, status }) => [title, status]),
      [
        ["Seneca", "published"],
        ["Ovid", "draft"],
      ],
    );
    const again = line.file("quotes.csv", rows.toSpliced(2, 1).join("\n"));
    await line.run("import", again, "--publish");
    const after = await items(line);
    assert.equal(after.find(({ title }) => title === "Ovid")?.status, "draft");
  });

  it("are read in time that grows with their length, whatever quotation marks and blanks they hold", async () => {
    using line = await openSiteLine();
    const quotes = `Title,Text\nOne,"a${'"b'.repeat(200_000)}${" ".repeat(200_000)},c\n`;
    const begun = performance.now();
    const { err } = await line.run("import", "--type", "page", line.file("quotes.csv", quotes));
    assert.match(err, /Line 2: a quotation mark opens a cell/);
    assert.ok(performance.now() - begun < 8000, "took longer than 8 seconds");
  });

  it("are refused when they are damaged, no table, or would fill the memory", async () => {
    using line = await openSiteLine();
    const zeros = Buffer.alloc(40 * 1024 * 1024, "<row/>");
    const bomb = { name: "xl/worksheets/sheet9.xml", bytes: zeros, claims: 2 ** 31 };
    const named = (name: string) => ({ name, rows: [["Title"], ["One"]] });
    const files: [file: string, bytes: string | Buffer, told: RegExp][] = [
      [
        "open.csv",
        'Title,Text\nOne,"never closed\nTwo,b\n',
        /Line 2: a quotation mark opens a cell/,
      ],
      ["long.csv", `Title,Text\nOne,${"x".repeat(9_000_000)}`, /Line 2 is longer than 4 million/],
      ["wide.csv", `Title,Text\n${"x,".repeat(600)}x`, /Line 2 has more than 500 cells/],
      ["empty.csv", "\n\n", /has no rows/],
      ["nothing.csv", "1,2\n3,4\n", /No column looks like a title or a text: say which/],
      ["broken.xlsx", "PK no zip", /Cannot read the workbook: it is damaged, or is not a workbook/],
      ["old.xls", "\xd0\xcf", /save it as \.xlsx or \.csv/],
      [
        "rows.xlsx",
        bombOf({ ...bomb, ...sheetOf('<row r="1048577"/>') }),
        /more than 1048576 rows/,
      ],
      ["bomb.xlsx", bombOf(bomb), /Cannot read the workbook: it unpacks to more than 256 MiB/],
      ["lie.xlsx", bombOf({ ...bomb, claims: 10 }), /Cannot read the workbook: it is damaged/],
    ];
    for (const [file, bytes, told] of files) {
      const { code, err, out } = await line.run("import", line.file(file, bytes));
      assert.equal(code, 2, file);
      assert.match(err, told, file + out);
    }
    const two = line.file("two.xlsx", workbookOf([named("First"), named("Second")]));
    assert.match((await line.run("import", two)).out, /Left out: 1 other sheets \("Second"\)/);
    const other = await line.run("import", two, "--sheet", "Third");
    assert.match(
      other.err,
      /There is no sheet "Third" in the workbook; there are "First", "Second"/,
    );
    assert.equal((await items(line)).filter(({ title }) => title === "One").length, 1);
  });

  it("publish with the rows what an earlier import made of their names, and keep its text", async () => {
    using line = await openSiteLine();
    const path = line.file("quotes.csv", "quote,author\nOne,Seneca\nTwo,Seneca\n");
    await line.run("import", path);
    const { out } = await line.run("import", path, "--publish");
    assert.match(out, /^0 created, 3 updated, 0 unchanged, 0 failed/m);
  });

  it("takes each clipping of a Kindle once, without notes", async () => {
    using line = await openSiteLine();
    const entry = (book: string, about: string, text: string) =>
      `\uFEFF${book}\r\n- ${about} | Added on Tuesday, 5 March 2019 10:20:30\r\n\r\n${text}\r\n==========\r\n`;
    const emma = "Emma (Vol. 1) (Austen, Jane)";
    const entries = [
      entry(emma, "Your Highlight on page 12 | Location 170-172", "Seldom, very seldom"),
      entry(
        emma,
        "Your Highlight on page 12 | Location 170-173",
        "Seldom, very seldom, comes truth.",
      ),
      entry(emma, "Your Note on page 12 | Location 171", "SECRET"),
      entry(emma, "Your Bookmark on page 13 | Location 190", ""),
      entry("Good Omens (Gaiman, Neil;Pratchett, Terry)", "Su subrayado en la Posición 9", "Two."),
      entry("Walden (Thoreau)", "Your Highlight on Location 3", "<You have reached the limit>"),
    ];
    const { code, out } = await line.run("import", line.file("My Clippings.txt", entries.join("")));
    assert.equal(code, 1, "a text is missing");
    for (const said of [
      /1 highlights: the next one/,
      /1 notes/,
      /1 bookmarks/,
      /1 highlights: the file/,
    ]) {
      assert.match(out, said);
    }
    await using record = await openRecordForCommand(readConfig(line.environment));
    const titleOf = async (path: string) => (await record.content.itemAt(path))?.title;
    assert.equal((await record.content.itemAt("/quotations/two"))?.relations["authors"]?.length, 2);
    assert.equal(await titleOf("/authors/jane-austen"), "Jane Austen");
    assert.equal(await titleOf("/works/emma-vol-1"), "Emma (Vol. 1)");
    const quotation = await record.content.itemAt("/quotations/seldom-very-seldom-comes-truth");
    assert.equal(quotation?.fields["locator"], "p. 12");
    assert.equal(await record.content.itemAt("/quotations/seldom-very-seldom"), null);
  });
});
