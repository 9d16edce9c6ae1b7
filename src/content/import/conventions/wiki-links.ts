import { headingId } from "../../addresses/heading-id.ts";

/** `[[Walden]]`, `[[Walden#Spring|in spring]]`, `![[photo.png|300]]`. */
const WIKI_LINK =
  /(!?)\[\[([^[\]|#\n]{0,300})(?:#([^[\]|\n]{0,300}))?(?:\|([^[\]\n]{0,300}))?\]\]/g;

/** `%% not for readers %%` */
const OBSIDIAN_COMMENT = /(?<!%)%%(?!%)[^%]{0,5000}%%(?!%)/g;

/** The name of a paragraph, to which links may lead: `^4f2a` at its end. */
const PARAGRAPH_ID = /(?:^|[ \t])\^[A-Za-z0-9-]{1,100}[ \t]*$/gm;

/**
 * Converts wiki links to Markdown links, which give the file's path from the top folder. If there
 * is no such file, a link becomes plain text, and an embedded file is left out.
 */
export function withoutWikiLinks(
  body: string,
  fileNamed: (name: string) => string | undefined,
): string {
  return body
    .replaceAll(OBSIDIAN_COMMENT, "")
    .replaceAll(PARAGRAPH_ID, "")
    .replace(WIKI_LINK, (whole, mark: string, place: string, heading = "", label = "") => {
      // Within a table, the separator before a label is escaped.
      const name = place.trim().replace(/\\$/, "");
      if (name === "" && heading === "") return whole;
      const file = name === "" ? undefined : fileNamed(name);
      const text = label || name || heading;
      const fragment = fragmentTo(heading);
      if (name === "" && fragment !== "") return `[${text}](${fragment})`;
      return file === undefined
        ? mark === "!"
          ? ""
          : text
        : linkTo(file, { mark, text, fragment });
    });
}

/**
 * The Markdown for a file: an embedded picture, or a link to any other file, even if it is
 * embedded. A picture's label is dropped, since it gives the width.
 */
function linkTo(
  file: string,
  { mark, text, fragment }: { mark: string; text: string; fragment: string },
): string {
  const address = `/${file.split("/").map(encodeURIComponent).join("/")}`;
  const isPicture = mark === "!" && !/\.(?:mdx?|canvas|base)$/i.test(file);
  return isPicture ? `![](${address})` : `[${text}](${address}${fragment})`;
}

/** The fragment for a heading. `#` separates nested headings; paragraphs (`^`) have no id here. */
function fragmentTo(heading: string): string {
  const last = heading.split("#").at(-1)?.trim() ?? "";
  return last === "" || last.startsWith("^") ? "" : `#${encodeURIComponent(headingId(last))}`;
}

/**
 * Returns a function that finds a file by path or name, ignoring case and with or without `.md`.
 */
export function fileFinder(files: readonly string[]): (name: string) => string | undefined {
  const byName = new Map<string, string>();
  for (const file of files) {
    const place = file.toLowerCase();
    const name = place.slice(place.lastIndexOf("/") + 1);
    for (const key of [place, place.replace(/\.md$/, ""), name, name.replace(/\.md$/, "")]) {
      if (!byName.has(key)) byName.set(key, file);
    }
  }
  return (name) => byName.get(name.toLowerCase());
}
