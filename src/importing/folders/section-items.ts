import { join } from "node:path";
import { serializeMarkdown } from "../../content/import/html/html-page.ts";
import { type ParseOptions, parseItem } from "../../content/import/item-parsing.ts";
import type { ParsedItem } from "../../content/import/parsed-item.ts";
import type { ContentReader } from "../../content/record.ts";
import type { Wording } from "../../errors.ts";
import type { SectionEntry, SectionPage } from "./folder-sections.ts";

interface Options extends Pick<ParseOptions, "types" | "now" | "timeZone"> {
  /** The imported folder. */
  root: string;
  onNote: (message: Wording) => void;
}

/**
 * Generates a page for each section that has none, unless the site already has an item at the section's
 * address.
 */
export async function* generateSectionItems(
  sections: readonly SectionPage[],
  record: ContentReader,
  options: Options,
): AsyncGenerator<ParsedItem> {
  const paths: string[] = [];
  for (const section of sections) {
    if ((await record.itemAt(section.path)) !== null) continue;
    paths.push(section.path);
    yield itemOfSection(section, options);
  }
  if (paths.length > 0) options.onNote(summary(paths));
}

/** Limit on the sections that are named in the report. */
const SHOWN_MAX = 5;

function summary(paths: readonly string[]): Wording {
  const more = paths.length - SHOWN_MAX;
  const shown = paths.slice(0, SHOWN_MAX).join(", ") + (more > 0 ? ` + ${more}` : "");
  return {
    en: `Sections without a page of their own got one that lists their pages, as the former site generator made it: ${shown}`,
    de: `Abschnitte ohne eigene Seite bekamen eine, die ihre Seiten auflistet, wie sie das frühere Programm erzeugte: ${shown}`,
  };
}

function itemOfSection(
  { path, title, language, translationOf, entries, file }: SectionPage,
  { root, types, now, timeZone }: Options,
): ParsedItem {
  const placeOf = () => ({ line: 1, field: "" });
  const { problems, ...read } = parseItem(
    {
      ...{ type: "page", path, title, body: listOf(entries) },
      ...(language === null ? {} : { language }),
      ...(translationOf === null ? {} : { translationOf }),
    },
    { types, now, timeZone, unknown: "refuse" },
  );
  return {
    ...{ ...read, file: join(root, file), skipped: null, placeOf },
    problems: problems.map(({ where: _where, ...problem }) => ({ ...problem, ...placeOf() })),
  };
}

function listOf(entries: readonly SectionEntry[]): string {
  const list = { type: "list" as const, spread: false, children: entries.map(listItemOf) };
  return serializeMarkdown({ type: "root", children: [list] }).trimEnd();
}

function listItemOf({ path, title }: SectionEntry) {
  const text = { type: "text" as const, value: title };
  const link = { type: "link" as const, url: path, children: [text] };
  const paragraph = { type: "paragraph" as const, children: [link] };
  return { type: "listItem" as const, spread: false, children: [paragraph] };
}
