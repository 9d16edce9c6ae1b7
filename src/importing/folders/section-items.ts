import { join } from "node:path";
import { markdownText } from "../../content/import/html/html-page.ts";
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

/** Makes pages for sections that have none of their own, except where the site has one already. */
export async function* sectionItems(
  sections: readonly SectionPage[],
  record: ContentReader,
  options: Options,
): AsyncGenerator<ParsedItem> {
  const made: string[] = [];
  for (const section of sections) {
    if ((await record.itemAt(section.path)) !== null) continue;
    made.push(section.path);
    yield itemOfSection(section, options);
  }
  if (made.length > 0) options.onNote(summary(made));
}

/** Sections named in the report. */
const SHOWN_MAX = 5;

function summary(made: readonly string[]): Wording {
  const more = made.length - SHOWN_MAX;
  const shown = made.slice(0, SHOWN_MAX).join(", ") + (more > 0 ? ` + ${more}` : "");
  return {
    en: `Sections without a page of their own got one that lists their pages, as the former program made it: ${shown}`,
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
  return markdownText({ type: "root", children: [list] }).trimEnd();
}

function listItemOf({ path, title }: SectionEntry) {
  const text = { type: "text" as const, value: title };
  const link = { type: "link" as const, url: path, children: [text] };
  const paragraph = { type: "paragraph" as const, children: [link] };
  return { type: "listItem" as const, spread: false, children: [paragraph] };
}
