import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { basename, extname, join } from "node:path";

const MINUTES = join(import.meta.dirname, "minutes.md");

/** Debian's packages of the programs that write and count. */
const PROGRAMS: Readonly<Record<string, string>> = {
  pandoc: "pandoc",
  soffice: "libreoffice-writer-nogui",
  abiword: "abiword",
  "/usr/bin/python3": "python3-docx",
};

export interface WrittenDocument {
  /** The program, and what it read. */
  what: string;
  path: string;
}

/** The packages that are not installed. */
export function missingPackages(): string[] {
  const isThere = (program: string) => {
    const words = program.endsWith("python3") ? ["-c", "import docx"] : ["--version"];
    return run(program, words) !== null;
  };
  return Object.entries(PROGRAMS).flatMap(([program, name]) => (isThere(program) ? [] : [name]));
}

/** Has each program write its documents into a folder. What cannot be written is left out. */
export function writeDocuments(folder: string): WrittenDocument[] {
  const at = (name: string) => join(folder, name);
  for (const form of ["docx", "odt", "html", "rtf"]) {
    run("pandoc", ["--standalone", MINUTES, "--output", at(`minutes.${form}`)]);
  }
  const word97 = office("doc", at("minutes.odt"), at("word97"));
  const made: readonly (readonly [what: string, path: string | null])[] = [
    ["pandoc, from Markdown", at("minutes.docx")],
    ["LibreOffice, from OpenDocument", office("docx", at("minutes.odt"), at("office-odt"))],
    ["LibreOffice, from HTML", office("docx", at("minutes.html"), at("office-html"))],
    ["LibreOffice, from RTF", office("docx", at("minutes.rtf"), at("office-rtf"))],
    ["LibreOffice, from Word 97", word97 && office("docx", word97, at("office-doc"))],
    ["LibreOffice, from Word", office("docx", at("minutes.docx"), at("office-docx"))],
    ["AbiWord, from OpenDocument", abiword(at("minutes.odt"), at("abiword-odt.docx"))],
    ["AbiWord, from RTF", abiword(at("minutes.rtf"), at("abiword-rtf.docx"))],
    ["AbiWord, from Word", abiword(at("minutes.docx"), at("abiword-docx.docx"))],
    ["python-docx", python("python_docx.py", at("library.docx"))],
    ["python-docx, numbered statutes", python("python_statutes.py", at("statutes.docx"))],
  ];
  return made.flatMap(([what, path]) =>
    path !== null && isDocument(path) ? [{ what, path }] : [],
  );
}

/** The text of a document as LibreOffice shows it, with the numbers of lists and headings; null if it cannot. */
export function shownText(path: string): string | null {
  const text = office("txt", path, `${path}-text`);
  return text === null ? null : readFileSync(text, "utf8").replace(/^\uFEFF/, "");
}

function isDocument(path: string): boolean {
  return run("pandoc", ["--from", "docx", "--to", "plain", path]) !== null;
}

function office(form: "doc" | "docx" | "txt", path: string, folder: string): string | null {
  mkdirSync(folder);
  const reader = extname(path) === ".html" ? ["--infilter=HTML (StarWriter)"] : [];
  const filter = FILTERS[form];
  const profile = `-env:UserInstallation=file://${folder}/profile`;
  const words = [
    profile,
    "--headless",
    ...reader,
    "--convert-to",
    filter,
    "--outdir",
    folder,
    path,
  ];
  if (run("soffice", words) === null) return null;
  const made = join(folder, `${basename(path, extname(path))}.${form}`);
  // LibreOffice reports success even if it cannot open a document, such as AbiWord's with a bare `&` in a link.
  return existsSync(made) ? made : null;
}

const FILTERS = {
  doc: "doc",
  docx: "docx:MS Word 2007 XML",
  txt: "txt:Text (encoded):UTF8",
} as const;

function abiword(from: string, path: string): string | null {
  return run("abiword", ["--to=docx", "-o", path, from]) === null ? null : path;
}

function python(name: string, path: string): string | null {
  const script = join(import.meta.dirname, name);
  return run("/usr/bin/python3", [script, path]) === null ? null : path;
}

/** The output of a program; null if it is missing or fails. */
function run(program: string, words: readonly string[]): string | null {
  try {
    const stdio: ["ignore", "pipe", "ignore"] = ["ignore", "pipe", "ignore"];
    return execFileSync(program, words, { stdio, encoding: "utf8", timeout: 300_000 });
  } catch {
    return null;
  }
}
