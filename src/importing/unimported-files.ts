import { basename, extname, join } from "node:path";
import type { OmittedRecords } from "../content/import/wordpress/wordpress-plan.ts";
import { buildWording, type Wording } from "../errors.ts";
import { readFileHead } from "./file-head.ts";
import { formatFileNames } from "./file-notices.ts";
import { isPlainFile, type SkippedEntry } from "./folders/folder-files.ts";

/** A file of an imported folder that the import does not read as content. */
export interface UnreadFile {
  /** Path of the file, including the path of the imported folder. */
  path: string;
  /**
   * The file's extension, such as `.xlsx`; for entries that are skipped, {@link LINK} or {@link
   * HIDDEN}.
   */
  kind: string;
  /** Whether the file looks like content. If so, the import must report that it was left out. */
  isContent: boolean;
}

/** Extensions of text formats that an import of a folder cannot read. */
const TEXT_ENDINGS: ReadonlySet<string> = new Set([
  ..."adoc asciidoc org textile tex wiki mediawiki odt doc rtf pages pdf epub mht mhtml".split(" "),
  ..."php phtml asp aspx jsp cfm shtml ppt pptx odp eml mbox".split(" "),
]);
const TABLE_ENDINGS: ReadonlySet<string> = new Set(
  "xlsx xlsm xls xlsb ods numbers csv tsv".split(" "),
);
/**
 * Matches source files that render a page: Astro, SvelteKit and Next.js have them in fixed folders,
 * Eleventy has them anywhere.
 */
const PAGE_SOURCE =
  /\.11ty\.(?:[cm]?[jt]s|[jt]sx)$|\.(?:liquid|webc)$|(?:^|\/)(?:(?:pages|routes)\/(?:.*\/)?[^/]+\.(?:astro|tsx|jsx|vue)|pages\/(?:.*\/)?[^/]+\.svelte|(?:pages|routes)\/(?:.*\/)?\+page\.svelte|app\/(?:.*\/)?page\.(?:tsx|jsx))$/;
/**
 * Matches source files that are not a single page, although {@link PAGE_SOURCE} matches them:
 * `_app`, `[slug]`, `layout`, `404`.
 */
const NOT_A_SINGLE_PAGE =
  /(?:^|\/)(?:_|api\/|components?\/|[^/]*\[|\+?(?:layout|error|loading|template|not-found|[45]\d\d)\.)/i;
/** Matches folders with templates, their data and other files not meant for readers. */
const DATA_FOLDER = /(?:^|\/)(?:_?data|_?includes|_?layouts|templates?|themes|vendor|assets)\//i;
/** Matches names of texts that are for robots, operators or developers instead of readers. */
const TECHNICAL_TEXT =
  /^(?:robots|humans|ads|app-ads|security|llms|licen[cs]e|copying|copyright|requirements|constraints|cname|version|authors|contributors|changelog|changes|notice|install|todo|manifest|readme)/i;
/** The extension of Obsidian's canvas files, which contain JSON. */
const CANVAS = ".canvas";
/** Matches a text card in a canvas file. */
const CANVAS_TEXT = /"type"\s*:\s*"text"/;
const PROSE_WORDS_MIN = 20;
const PAGE_WORDS_MIN = 5;

export function describeUnreadFile(root: string, file: string): UnreadFile {
  const path = join(root, file);
  const written = extname(file).toLowerCase() || basename(file);
  if (written === ".rst" || (written === ".txt" && isRestructuredText(path)))
    return { path, kind: ".rst", isContent: true };
  const ending = written.slice(1);
  const isOutside = !DATA_FOLDER.test(file);
  const isTable = isOutside && TABLE_ENDINGS.has(ending);
  const isText = isOutside && written === ".txt" && isProse(path);
  const isPage = isOutside && isPageSource(root, file);
  const hasCards = written === CANVAS && CANVAS_TEXT.test(readFileHead(path));
  const isContent = isTable || isText || isPage || hasCards || TEXT_ENDINGS.has(ending);
  return { path, kind: written, isContent };
}

/**
 * Describes a hidden entry or symbolic link, which an import skips.
 *
 * @param isContent whether a file of that name would be read.
 */
export function describeSkippedFile(
  root: string,
  { name, isLink }: SkippedEntry,
  isContent: (name: string) => boolean,
): UnreadFile {
  const path = join(root, name);
  return isLink
    ? { path, kind: LINK, isContent: isContent(name) }
    : { path, kind: HIDDEN, isContent: false };
}

const LINK = "symbolic links";
const HIDDEN = "hidden files and folders";

/**
 * Whether a `.txt` file is a page of a Nikola site in reStructuredText. Such a file has metadata at its top
 * or in a `.meta` file.
 */
function isRestructuredText(path: string): boolean {
  const metaFile = `${path.slice(0, -extname(path).length)}.meta`;
  const metadata = isPlainFile(metaFile) ? metaFile : path;
  return /^(?:<!--\s{0,9})?\.\. title:/.test(readFileHead(metadata));
}

/**
 * Whether a file is source code of a page with a text of its own. Pages that only list other pages
 * have too few words.
 */
function isPageSource(root: string, file: string): boolean {
  if (!PAGE_SOURCE.test(file) || NOT_A_SINGLE_PAGE.test(file)) return false;
  const markup = readFileHead(join(root, file)).replaceAll(/<(script|style)\b.*?<\/\1>/gis, "");
  const words = [...markup.matchAll(/>([^<>{}=;()]+)</g)].flatMap(([, text = ""]) =>
    text.split(/\s+/).filter((word) => /[A-Za-z\x80-\xff]{2}/.test(word)),
  );
  return words.length >= PAGE_WORDS_MIN;
}

/** Whether a plain text file contains prose for readers. */
function isProse(path: string): boolean {
  if (TECHNICAL_TEXT.test(basename(path))) return false;
  const head = readFileHead(path);
  const words = head.match(/[A-Za-z\x80-\xff]{2,}/g)?.length ?? 0;
  return words >= PROSE_WORDS_MIN && /[a-z\x80-\xff]{2}[.!?](?:\s|$)/.test(head);
}

/**
 * The files that were neither imported as content nor published. A file is published if a text uses it.
 *
 * @param published addresses of published files, keyed by path.
 */
export function findUnimportedFiles(
  sources: readonly { otherFiles: readonly UnreadFile[] }[],
  published: ReadonlyMap<string, string>,
): UnreadFile[] {
  return sources.flatMap(({ otherFiles }) => otherFiles).filter(({ path }) => !published.has(path));
}

/** Advice on how to import texts in formats that an import cannot read. */
function adviceFor(kind: string): Wording {
  if (kind === LINK) return COPY_THEM;
  if (TABLE_ENDINGS.has(kind.slice(1))) return NAME_THEM;
  if (/^\.(?:php|phtml|aspx?|jsp|cfm|shtml)$/.test(kind)) return FETCH_THEM;
  if (/^\.(?:astro|[cm]?[jt]s|[jt]sx|vue|svelte|liquid|webc)$/.test(kind)) return BUILD_THEM;
  if (kind === CANVAS) return COPY_TEXTS;
  if (kind === ".txt") return RENAME_THEM;
  return kind === ".pdf" || kind === ".epub" ? LINK_THEM : CONVERT_THEM;
}

const CONVERT_THEM: Wording = {
  en: "texts of this form are not read here; convert them to Markdown first, for example with pandoc: pandoc -s page.rst -t gfm -o page.md",
  de: "Texte in dieser Form werden hier nicht gelesen; wandeln Sie sie zuerst in Markdown um, zum Beispiel mit pandoc: pandoc -s seite.rst -t gfm -o seite.md",
};
const RENAME_THEM: Wording = {
  en: "plain texts in a folder are not read: let their names end with .md",
  de: "Reine Texte in einem Ordner werden nicht gelesen: Lassen Sie ihre Namen auf .md enden",
};
const COPY_TEXTS: Wording = {
  en: "the texts on a canvas are not read: copy them into a note",
  de: "Texte auf einem Canvas werden nicht gelesen: Kopieren Sie sie in eine Notiz",
};
const NAME_THEM: Wording = {
  en: "tables in a folder are not read: import each by itself, or link to it from a page",
  de: "Tabellen in einem Ordner werden nicht gelesen: Importieren Sie jede für sich, oder verlinken Sie sie auf einer Seite",
};
const FETCH_THEM: Wording = {
  en: "a web server makes these pages: fetch the live site by its address, or save them as HTML",
  de: "diese Seiten macht ein Webserver: Holen Sie die laufende Website über ihre Adresse, oder speichern Sie sie als HTML",
};
const BUILD_THEM: Wording = {
  en: "a program builds these pages: import the folder of HTML pages that it writes, or fetch the live site by its address",
  de: "diese Seiten baut ein Programm: Importieren Sie den Ordner mit HTML-Seiten, den es schreibt, oder holen Sie die laufende Website über ihre Adresse",
};
const LINK_THEM: Wording = {
  en: "no text links to them, so that nobody would find them: link to them from a page",
  de: "kein Text verlinkt sie, niemand fände sie also: Verlinken Sie sie auf einer Seite",
};
const COPY_THEM: Wording = {
  en: "an import does not follow them: put the files themselves into the folder",
  de: "ein Import folgt ihnen nicht: Legen Sie die Dateien selbst in den Ordner",
};
const UNUSED_FILES: Wording = { en: "no text shows them", de: "kein Text zeigt sie" };
const NOT_READ: Wording = { en: "an import does not read them", de: "ein Import liest sie nicht" };

/** The entries of a report about files that were left out, one entry for each kind of file. */
export function groupUnimportedFiles(files: readonly UnreadFile[]): OmittedRecords[] {
  const groups = Map.groupBy(files, ({ kind, isContent }) => `${isContent} ${kind}`);
  return [...groups.values()].map((group) => {
    const { kind = "", isContent = false } = group[0] ?? {};
    const names = formatFileNames(group.map(({ path }) => path));
    const unused = kind === HIDDEN || kind === LINK ? NOT_READ : UNUSED_FILES;
    const advice = isContent ? adviceFor(kind) : unused;
    return {
      what: { en: `files (${kind})`, de: `Dateien (${germanKind(kind)})` },
      count: group.length,
      reason: buildWording((language) =>
        isContent ? `${advice[language]} (${names})` : advice[language],
      ),
      isContent,
    };
  });
}

function germanKind(kind: string): string {
  if (kind === LINK) return "symbolische Verknüpfungen";
  return kind === HIDDEN ? "verborgene Dateien und Ordner" : kind;
}
