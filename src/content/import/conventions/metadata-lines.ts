import { type FrontMatter, readFrontMatter } from "../front-matter.ts";

/**
 * The syntaxes in which site generators write metadata at the top of a text without front matter.
 */
export type MetadataSyntax = "pelican" | "nikola";

const METADATA_LINE = {
  pelican: /^([A-Za-z][\w-]*):[ \t]*(.*)$/,
  nikola: /^\.\. ([\w-]+):[ \t]*(.*)$/,
};
const CONTINUATION_LINE = /^(?: {4,}|\t)(.*)$/;
const LIST_KEYS: ReadonlySet<string> = new Set(["tags", "authors"]);

/** Reads front matter, or metadata in lines such as `Title: Spring` or `.. title: Spring`. */
export function readFrontMatterOrMetadata(
  source: string,
  form: MetadataSyntax | undefined,
): FrontMatter {
  const frontMatter = readFrontMatter(source);
  if (form === undefined) return frontMatter;
  const text = source.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
  const lines = text.split("\n");
  const isFenced = (form === "pelican" && lines[0]?.trim() === "---") || lines[0] === "<!--";
  const { values, keyLines, end } = metadataIn(lines, isFenced ? 1 : 0, METADATA_LINE[form]);
  const isClosed = isFenced && /^(?:---|\.\.\.|-->)[ \t]*$/.test(lines[end] ?? "");
  if (keyLines.size === 0 || isClosed !== isFenced) return frontMatter;
  return {
    values: valuesIn(values, form),
    ...{ faults: [], repeated: [] },
    body: lines.slice(isClosed ? end + 1 : end).join("\n"),
    lineOf: ([key = ""]) => keyLines.get(key) ?? 1,
  };
}

function metadataIn(lines: readonly string[], start: number, linePattern: RegExp) {
  const values: Record<string, string> = {};
  const keyLines = new Map<string, number>();
  let key = "";
  let end = start;
  for (; end < lines.length; end += 1) {
    const line = lines[end] ?? "";
    const [, name, value = ""] = linePattern.exec(line) ?? [];
    const [, more] = CONTINUATION_LINE.exec(line) ?? [];
    if (name !== undefined) {
      key = name.toLowerCase();
      values[key] = value.trim();
      keyLines.set(key, end + 1);
    } else if (more !== undefined && key !== "") values[key] = `${values[key]} ${more.trim()}`;
    else break;
  }
  return { values, keyLines, end };
}

function valuesIn(raw: Readonly<Record<string, string>>, form: MetadataSyntax) {
  const values: Record<string, unknown> = {};
  for (const [key, text] of Object.entries(raw)) {
    // Nikola's `type` chooses a template, not a content type.
    if (text === "" || (form === "nikola" && key === "type")) continue;
    if (LIST_KEYS.has(key))
      values[key] = text.split(text.includes(";") ? ";" : ",").map((name) => name.trim());
    else values[key] = key === "date" || key === "modified" ? withOffset(text) : text;
  }
  return values;
}

/** Rewrites an offset from UTC: `2015-09-03 14:01:57 UTC+02:00` → `2015-09-03 14:01:57 +02:00`. */
function withOffset(dateTime: string): string {
  return dateTime.replace(
    / UTC([+-]\d\d:?\d\d)?$/,
    (_utc, offset: string | undefined) => ` ${offset ?? "+00:00"}`,
  );
}

/** Rewrites Pelican's links to files of the folder: `{filename}/a.md` → `/a.md`. */
export function convertPelicanLinks(body: string): string {
  return body.replaceAll(/(?<=[(<"'\s:])[{|](?:filename|static|attach)[}|]/g, "");
}
