import { markdownUrl } from "../content/addresses/addresses.ts";
import type { ItemSummary, ReadingCopy } from "../content/library.ts";
import { formatLinkCounts } from "../content/pages/lines.ts";
import {
  sealInMainEdition,
  titleWithWarning,
  warningSealOf,
} from "../content/pages/quotations/seals.ts";
import { englishTextsAndTypes } from "../content/site/editions.ts";

/** Maximum length of an index file. Scanners and agents truncate longer files. */
export const LLMS_CHARACTERS_MAX = 30_000;

/**
 * Maximum length of all links in a file of links together. The text above the links can use the rest of
 * {@link LLMS_CHARACTERS_MAX}.
 */
export const LLMS_LINKS_CHARACTERS_MAX = 27_000;

const NOTE_CHARACTERS_MAX = 90;
const NAME_CHARACTERS_MAX = 120;

interface ListedItem {
  path: string;
  title: string;
  summary: string;
  language: string;
}

/** A line of a link section, such as `- [name](url): note`. */
export function formatLinkLine(name: string, url: string, note = ""): string {
  const shownNote = truncateAtWord(collapseWhitespace(note), NOTE_CHARACTERS_MAX);
  return `- [${formatLlmsLinkText(name)}](${url})${shownNote === "" ? "" : `: ${shownNote}`}`;
}

/**
 * The line of an item in a link section. Names the item's language if it differs from the site's.
 */
export function formatItemLine(
  item: ListedItem,
  { reading, origin }: { reading: ReadingCopy; origin: string },
  note = repeatsTitle(item) ? "" : item.summary,
): string {
  const isForeign = primaryTag(item.language) !== primaryTag(reading.site().language);
  const name = isForeign ? `${item.title} (${item.language})` : item.title;
  const url = markdownUrl(origin, item.path);
  return formatLinkLine(name, url, note);
}

/**
 * The note of an item in a list: its summary. If the summary only repeats the title, the note names
 * the item's sources ("authors: Seneca, work: Letters"), except sources of the item's own type.
 * Without sources, the note gives the number of items that link to the item ("231 quotations").
 */
function itemNote(item: ItemSummary, reading: ReadingCopy): string {
  if (item.summary !== "" && !repeatsTitle(item)) return item.summary;
  const relations = reading.types().get(item.type)?.relations ?? {};
  const sources = Object.entries(item.links).flatMap(([name, [first]]) =>
    first === undefined || first.type === item.type
      ? []
      : [`${relations[name]?.label.toLowerCase() ?? name}: ${first.title}`],
  );
  return sources.length > 0
    ? sources.slice(0, 2).join(", ")
    : formatLinkCounts(item, englishTextsAndTypes(reading.types())).join(", ");
}

/**
 * The line of an item in the list of its type: the name, with a warning if the item has one, then
 * counts of linked items, the degree of verification, and a note.
 */
export function formatDetailedItemLine(
  item: ItemSummary,
  context: { reading: ReadingCopy; origin: string },
): string {
  const types = context.reading.types();
  const counts = formatLinkCounts(item, englishTextsAndTypes(types)).join(", ");
  const note = itemNote(item, context.reading);
  const verification =
    warningSealOf(item, types) === null ? (sealInMainEdition(item, types)?.value ?? "") : "";
  const notes = [counts, verification, note === counts ? "" : note];
  const shown = notes.filter((each) => each !== "").join("; ");
  return formatItemLine({ ...item, title: titleWithWarning(item, types) }, context, shown);
}

/** The first lines, as many as fit into `charactersMax` characters, including line breaks. */
export function takeLinesThatFit(lines: Iterable<string>, charactersMax: number): string[] {
  const fittingLines: string[] = [];
  let remaining = charactersMax;
  for (const line of lines) {
    remaining -= line.length + 1;
    if (remaining < 0) break;
    fittingLines.push(line);
  }
  return fittingLines;
}

/** A file in the llmstxt.org grammar: title, summary, paragraphs, link sections. */
export function renderLlmsFile(file: {
  title: string;
  summary: string;
  paragraphs: readonly string[];
  sections: readonly { heading: string; lines: readonly string[] }[];
}): string {
  const sections = file.sections
    .filter(({ lines }) => lines.length > 0)
    .map(({ heading, lines }) => `## ${collapseWhitespace(heading)}\n\n${lines.join("\n")}`);
  const head = [
    `# ${collapseWhitespace(file.title)}`,
    `> ${collapseWhitespace(file.summary)}`,
    ...file.paragraphs,
  ];
  return `${[...head, ...sections].join("\n\n")}\n`;
}

/** Collapses white space, because a line break in a title would split the line. */
export function collapseWhitespace(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

/**
 * The text of a link, without square brackets. Parsers of llms.txt end a link's text at the first
 * bracket, even if the bracket is escaped.
 */
export function formatLlmsLinkText(name: string): string {
  const plain = collapseWhitespace(name).replaceAll("[", "(").replaceAll("]", ")");
  return truncateAtWord(plain, NAME_CHARACTERS_MAX).replaceAll(/[\\`<]/g, "\\$&");
}

/** Cuts a text that is too long, at a word boundary if there is one, and adds `…`. */
export function truncateAtWord(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text;
  const head = [...text.slice(0, charactersMax)].slice(0, -1).join("");
  const space = head.lastIndexOf(" ");
  return `${head.slice(0, space > charactersMax / 2 ? space : head.length)}…`;
}

/**
 * Whether the summary repeats a long title. Titles and summaries of quotations are often both the
 * start of the text.
 */
function repeatsTitle({ title, summary }: ListedItem): boolean {
  const start = collapseWhitespace(title).replace(/[….]+$/, "");
  return collapseWhitespace(summary).startsWith(start) && start.length > NOTE_CHARACTERS_MAX / 3;
}

function primaryTag(language: string): string {
  return language.split("-")[0] ?? "";
}
