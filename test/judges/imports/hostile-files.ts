import { closeSync, openSync, writeSync } from "node:fs";
import { paragraph, wordOf } from "../../support/word-bytes.ts";
import { EXPORT_END, exportStart } from "../../support/wordpress-export.ts";
import { workbookOf, zipOf } from "../../support/workbook-bytes.ts";

/** A file that must be refused, quickly and with little memory. */
export interface HostileFile {
  what: string;
  /** Its path in the folder to import. */
  name: string;
  /** Content, or what to write into a file that is too large to hold. */
  content: string | Buffer | ((file: number) => void);
}

const MEGABYTE = 1024 * 1024;
const DEPTH = 100_000;
const ELEMENTS = 150_000;
const SYMBOLIC_LINK_MODE = 0o120777;
/** Far beyond what any reader unpacks. */
const BOMB_MEGABYTES = 700;

const PAGE = { name: "site/page.md", bytes: Buffer.from("# Page\n\nText\n") };
const LAUGHS = `<!DOCTYPE rss [<!ENTITY a "ha ha ha ha">${doubled("&", ";")}]>`;

/** Files of which something must be refused, of each kind that an import reads. They are made on demand, as some are large. */
export const HOSTILE_FILES: readonly (() => HostileFile)[] = [
  () => ({ what: "a ZIP bomb", name: "site.zip", content: zipOf([PAGE, bomb("site/big.md")]) }),
  () => ({
    what: "a ZIP bomb that claims to be small",
    name: "site.zip",
    content: zipOf([PAGE, { ...bomb("site/big.md"), claims: 100 }]),
  }),
  () => ({
    what: "a ZIP that leads out of its folder",
    name: "site.zip",
    content: zipOf([PAGE, { name: "../../outside.md", bytes: Buffer.from("# Outside\n") }]),
  }),
  () => ({
    what: "a ZIP with an absolute path",
    name: "site.zip",
    content: zipOf([PAGE, { name: "/tmp/outside.md", bytes: Buffer.from("# Outside\n") }]),
  }),
  () => ({
    what: "a ZIP with a symbolic link",
    name: "site.zip",
    content: zipOf([
      PAGE,
      { name: "site/link.md", bytes: Buffer.from("/etc/passwd"), mode: SYMBOLIC_LINK_MODE },
    ]),
  }),
  () => ({
    what: "a Word document that is a bomb",
    name: "a.docx",
    content: wordOf({ body: "<w:p/>", more: [bomb("word/document.xml")] }),
  }),
  () => ({
    what: "a workbook that is a bomb",
    name: "a.xlsx",
    content: workbookOf([{ name: "One", rows: [["a"]] }], [bomb("xl/worksheets/sheet1.xml")]),
  }),
  () => ({
    what: "a MediaWiki export with entities in entities",
    name: "wiki.xml",
    content: `${LAUGHS}<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.10/"><page><title>&j;</title></page></mediawiki>`,
  }),
  () => ({
    what: "a WordPress export of deep elements",
    name: "export.xml",
    content: `${exportStart()}${"<item>".repeat(DEPTH)}${EXPORT_END}`,
  }),
  () => ({
    what: "a Ghost export of deep lists",
    name: "ghost.json",
    content: `{"db":[{"meta":{"version":"5.0.0"},"data":{"posts":${"[".repeat(DEPTH)}${"]".repeat(DEPTH)}}}]}`,
  }),
  () => ({
    what: "a line of deep JSON",
    name: "items.jsonl",
    content: `{"type":"page","title":${"[".repeat(DEPTH)}${"]".repeat(DEPTH)}}\n`,
  }),
  () => ({
    what: "deep front matter",
    name: "a.md",
    content: `---\na: ${"[".repeat(DEPTH)}\n---\n`,
  }),
  () => ({
    what: "front matter of aliases in aliases",
    name: "a.md",
    content: `---\na: &a [ha, ha]\n${doubledAliases()}\n---\n# A\n`,
  }),
  () => ({
    what: "settings of aliases in aliases",
    name: "site.yaml",
    content: `a: &a [ha, ha]\n${doubledAliases()}\n`,
  }),
  () => ({
    what: "a deep bibliography",
    name: "a.bib",
    content: `@book{a, title = ${"{".repeat(DEPTH)}`,
  }),
  () => ({ what: "deep CSL-JSON", name: "references.json", content: "[".repeat(DEPTH) }),
  () => ({ what: "a table with a million columns", name: "a.csv", content: ",".repeat(1_000_000) }),
  () => ({
    what: "a table with an open quotation mark",
    name: "a.csv",
    content: `title,body\n"${"text\n".repeat(20 * MEGABYTE)}`,
  }),
  ...["md", "html", "csv", "tsv", "bib", "ris", "json", "jsonl", "xml"].map(
    (ending) => (): HostileFile => ({
      what: `a line of a gigabyte, .${ending}`,
      name: `a.${ending}`,
      content: writeGigabyte,
    }),
  ),
];

/** Files of which something may come in, but not at any cost, and with no entities expanded. */
export const COSTLY_FILES: readonly (() => HostileFile)[] = [
  () => ({
    what: "a WordPress export with entities in entities",
    name: "export.xml",
    content: `${exportStart().replace("<rss", `${LAUGHS}<rss`)}<item><title>&j;</title></item>${EXPORT_END}`,
  }),
  () => ({
    what: "HTML of deep elements",
    name: "a.html",
    content: `<title>A</title><main>${"<div>".repeat(DEPTH)}text`,
  }),
  () => ({
    what: "HTML of very many paragraphs",
    name: "a.html",
    content: `<title>A</title><main>${"<p>A word</p>\n".repeat(ELEMENTS)}`,
  }),
  () => ({
    what: "HTML of very many rows",
    name: "a.html",
    content: `<title>A</title><main><table>${"<tr><td>a</td><td>b</td></tr>\n".repeat(ELEMENTS)}`,
  }),
  () => ({
    what: "HTML of very many elements without words",
    name: "a.html",
    content: `<title>A</title><main><p>A word${"<b> </b>".repeat(ELEMENTS)}`,
  }),
  () => ({
    what: "a Word document of very many paragraphs",
    name: "a.docx",
    content: wordOf({ body: paragraph("A word").repeat(ELEMENTS) }),
  }),
  () => ({
    what: "Markdown of deep quotations",
    name: "a.md",
    content: `${"> ".repeat(DEPTH)}text`,
  }),
  () => ({
    what: "Markdown of deep lists",
    name: "a.md",
    content: Array.from({ length: 1000 }, (_, at) => `${"  ".repeat(at)}- a\n`).join(""),
  }),
  () => ({
    what: "a redirect with a costly pattern",
    name: ".htaccess",
    content: `RewriteEngine On\nRewriteRule ^(a+)+$ /b [R=301,L]\nRedirectMatch 301 ^/(a|aa)*$ /c\n`,
  }),
];

function bomb(name: string) {
  return { name, bytes: Buffer.alloc(BOMB_MEGABYTES * MEGABYTE, "a") };
}

function writeGigabyte(file: number): void {
  const piece = Buffer.alloc(8 * MEGABYTE, "a");
  for (let at = 0; at < 128; at += 1) writeSync(file, piece);
}

/** Entities `b` to `j`, each of ten times the one before. */
function doubled(before: string, after: string): string {
  return [..."bcdefghij"]
    .map((name) => {
      const other = String.fromCharCode(name.charCodeAt(0) - 1);
      return `<!ENTITY ${name} "${`${before}${other}${after}`.repeat(10)}">`;
    })
    .join("");
}

function doubledAliases(): string {
  return [..."bcdefghij"]
    .map((name) => {
      const other = `*${String.fromCharCode(name.charCodeAt(0) - 1)}`;
      return `${name}: &${name} [${Array(10).fill(other).join(", ")}]`;
    })
    .join("\n");
}

export function writeHostileFile(path: string, { content }: HostileFile): void {
  const file = openSync(path, "w");
  try {
    if (typeof content === "function") content(file);
    else if (typeof content === "string") writeSync(file, content);
    else writeSync(file, content);
  } finally {
    closeSync(file);
  }
}
