import type { Wording } from "../../../errors.ts";
import { cutAtWord } from "../../../search/language/folding.ts";
import { headingId } from "../../addresses/heading-id.ts";
import { countLineBreaks } from "../lines.ts";
import { splitCodeAndProse } from "./code-parts.ts";
import type { ConversionNote } from "./conversion-note.ts";
import { PICTURE_EXTENSION } from "./tags/tag-arguments.ts";

/** Matches wiki links: `[[Walden]]`, `[[Walden#Spring|in spring]]`, `![[photo.png|300]]`. */
const WIKI_LINK =
  /(!?)\[\[([^[\]|#\n]{0,300})(?:#([^[\]|\n]{0,300}))?(?:\|([^[\]\n]{0,300}))?\]\]/g;

/** Matches comments in the syntax of Obsidian, such as `%% not for readers %%`. */
const OBSIDIAN_COMMENT = /(?<!%)%%(?!%)[^%]{0,5000}%%(?!%)/g;

/** Matches the id at the end of a paragraph, such as `^4f2a`. Links may target this id. */
const PARAGRAPH_ID = /(?:^|[ \t])\^[A-Za-z0-9-]{1,100}[ \t]*$/gm;

/** Maximum number of missing link targets that are reported one by one. Further targets share one note. */
const MISSING_REPORTED_MAX = 20;

interface MissingTarget {
  name: string;
  isEmbedded: boolean;
  bodyLine: number;
}

/**
 * Converts wiki links to Markdown links. Each link names the file by its path from the top folder. A link
 * to a missing file becomes plain text, and a missing embedded file is left out. Both are reported in
 * `notes`.
 */
export function convertWikiLinks(
  text: string,
  fileNamed: (name: string) => string | undefined,
  notes: ConversionNote[],
): string {
  const { body, comments, bodyLine } = removeObsidianComments(text);
  if (comments > 0) notes.push({ bodyLine, message: leftOutComments(comments) });
  const missing: MissingTarget[] = [];
  let line = 1;
  let linked = "";
  for (const { part, isCode } of splitCodeAndProse(body.replaceAll(PARAGRAPH_ID, ""))) {
    const lineBefore = line;
    const onMissing = (name: string, { isEmbedded, at }: { isEmbedded: boolean; at: number }) => {
      const isReported = missing.length <= MISSING_REPORTED_MAX;
      const bodyLine = isReported ? lineBefore + countLineBreaks(part.slice(0, at)) : 0;
      missing.push({ name, isEmbedded, bodyLine });
    };
    linked += isCode ? part : withLinks(part, fileNamed, onMissing);
    line += countLineBreaks(part);
  }
  notes.push(...missingNotes(missing));
  return linked;
}

/**
 * Removes comments but keeps their line breaks, so that later messages have the right line numbers.
 * `bodyLine` is the line of the first comment.
 */
export function removeObsidianComments(text: string): {
  body: string;
  comments: number;
  bodyLine: number;
} {
  let comments = 0;
  let first = 0;
  const body = text.replaceAll(OBSIDIAN_COMMENT, (comment, at: number) => {
    if (comments === 0) first = at;
    comments += 1;
    return comment.replaceAll(/[^\n]/g, "");
  });
  return { body, comments, bodyLine: 1 + countLineBreaks(text.slice(0, first)) };
}

function withLinks(
  prose: string,
  fileNamed: (name: string) => string | undefined,
  onMissing: (name: string, place: { isEmbedded: boolean; at: number }) => void,
): string {
  return prose.replace(
    WIKI_LINK,
    (whole, mark: string, place: string, heading = "", label = "", at: number) => {
      // Drops the backslash that escapes the `|` before a label in a table.
      const name = place.trim().replace(/\\$/, "");
      if (name === "" && heading === "") return whole;
      const file = name === "" ? undefined : fileNamed(name);
      const text = label || name || heading;
      const fragment = fragmentTo(heading);
      if (name === "" && fragment !== "") return `[${text}](${fragment})`;
      if (file !== undefined) return linkTo(file, { mark, text, fragment });
      if (name !== "") onMissing(name, { isEmbedded: mark === "!", at });
      return mark === "!" ? "" : text;
    },
  );
}

function missingNotes(missing: readonly MissingTarget[]): ConversionNote[] {
  const notes: ConversionNote[] = missing
    .slice(0, MISSING_REPORTED_MAX)
    .map(({ bodyLine, ...target }) => ({ bodyLine, message: missingTarget(target) }));
  const next = missing[MISSING_REPORTED_MAX];
  if (next === undefined) return notes;
  const more = missing.length - MISSING_REPORTED_MAX;
  const message = {
    en: `from here on, ${more} more links lead to files that are not in the folder`,
    de: `ab hier führen ${more} weitere Links zu Dateien, die nicht im Ordner sind`,
  };
  return [...notes, { bodyLine: next.bodyLine, message }];
}

function missingTarget({ name, isEmbedded }: Pick<MissingTarget, "name" | "isEmbedded">): Wording {
  const shown = cutAtWord(name, 100);
  return isEmbedded
    ? {
        en: `"${shown}" is shown here but is not in the folder; it is left out`,
        de: `„${shown}“ soll hier stehen, ist aber nicht im Ordner; es wird weggelassen`,
      }
    : {
        en: `the link to "${shown}" became text: no such file is in the folder`,
        de: `der Link zu „${shown}“ wurde zu Text: Im Ordner ist keine solche Datei`,
      };
}

function leftOutComments(count: number): Wording {
  return {
    en: `comments of Obsidian (%%) are left out: ${count}`,
    de: `Kommentare von Obsidian (%%) werden weggelassen: ${count}`,
  };
}

/**
 * Markdown for a link or an embedded file. Only pictures stay embedded; other files become links. A
 * picture's label is dropped, because it states the width.
 */
function linkTo(
  file: string,
  { mark, text, fragment }: { mark: string; text: string; fragment: string },
): string {
  const address = `/${file.split("/").map(encodeURIComponent).join("/")}`;
  if (mark !== "!" || NOTE_FILE.test(file)) return `[${text}](${address}${fragment})`;
  if (PICTURE_EXTENSION.test(file)) return `![](${address})`;
  const isPlace = /^\d*(?:x\d+)?$/.test(text) || text.includes("/");
  return `[${isPlace ? file.slice(file.lastIndexOf("/") + 1) : text}](${address})`;
}

const NOTE_FILE = /\.(?:mdx?|canvas|base)$/i;

/**
 * The fragment for a link to a heading. Nested headings are separated by `#`. Empty for a link to a
 * paragraph (`^`), because paragraphs have no id here.
 */
function fragmentTo(heading: string): string {
  const last = heading.split("#").at(-1)?.trim() ?? "";
  return last === "" || last.startsWith("^") ? "" : `#${encodeURIComponent(headingId(last))}`;
}
