import { markdownUrl } from "../content/addresses/addresses.ts";
import type { ReadingCopy } from "../content/library.ts";
import { hasIncomingRelationWithItems, listMostLinkedItems } from "../content/lists/hubs.ts";
import { sectionsInAnyEdition } from "../content/lists/sections.ts";
import type { ContentType } from "../content/types/content-type.ts";
import type { DiscoveryDocument, DocumentContext } from "./document.ts";
import {
  collapseWhitespace,
  formatDetailedItemLine,
  formatLinkLine,
  LLMS_LINKS_CHARACTERS_MAX,
  renderLlmsFile,
  takeLinesThatFit,
  truncateAtWord,
} from "./llms-lines.ts";
import { type LlmsPart, splitIntoLlmsParts } from "./llms-parts.ts";
import { renderSearchGuide } from "./search-filters.ts";

const HUBS_MAX = 30;
const EXCERPT_CHARACTERS_MAX = 36;

/**
 * The list of one type. The file has all items if they fit. Otherwise, the file links to related
 * lists, to the items with the most links, and to the parts of the list. The links to the parts are
 * left out if there are too many parts.
 */
export const llmsSection: DiscoveryDocument = {
  name: "llms.txt of a type",
  paths: ["/:path+/llms.txt"],
  contentType: "text/markdown; charset=utf-8",
  render(context, parameters) {
    const type = sectionType(context.reading, parameters["path"]);
    if (type === undefined) return null;
    const { reading, origin } = context;
    const count = reading.counts()[type.name] ?? 0;
    return renderLlmsFile({
      title: `${type.plural}: ${reading.site().name}`,
      summary: `${type.description} Published: ${count}.`.trimStart(),
      paragraphs: [guide(context, type)],
      sections: sectionsOfFile(context, type, splitIntoLlmsParts(reading, type.name, origin)),
    });
  },
};

/** A part of the list of a type that does not fit into one file. */
export const llmsPart: DiscoveryDocument = {
  name: "llms.txt part of a type",
  paths: ["/:path+/llms-:part.txt"],
  contentType: "text/markdown; charset=utf-8",
  render({ reading, origin }, parameters) {
    const type = sectionType(reading, parameters["path"]);
    const partNumber = readPartNumber(parameters["part"]);
    if (type === undefined || partNumber === null) return null;
    const parts = splitIntoLlmsParts(reading, type.name, origin) ?? [];
    const part = parts[partNumber - 1];
    if (part === undefined || parts.length === 1) return null;
    const { offset, length } = part;
    const items = reading.items({ ...inIndexOrder(type), offset, limit: length });
    return renderLlmsFile({
      title: `${partName(type, part)}: ${reading.site().name}`,
      summary: `Part ${partNumber} of ${parts.length} of the list of all ${type.plural.toLowerCase()}.`,
      paragraphs: [`All parts: ${origin}${llmsSectionPath(type)}`],
      sections: [
        {
          heading: type.plural,
          lines: items.map((item) => formatDetailedItemLine(item, { reading, origin })),
        },
      ],
    });
  },
};

/**
 * The path of the file that lists a type's items: `/topics/llms.txt`, below the type's list page. If the
 * type has no list page, the path begins with the name of the type instead.
 */
export function llmsSectionPath(type: ContentType): string {
  return `${type.listPath ?? `/${type.name}`}/llms.txt`;
}

/**
 * The lines that link to the files with the parts of a type's list. None if one file has all items,
 * or if there are too many parts.
 */
export function formatLlmsPartLines(
  { reading, origin }: DocumentContext,
  type: ContentType,
): string[] {
  const parts = splitIntoLlmsParts(reading, type.name, origin) ?? [];
  if (parts.length < 2) return [];
  return parts.map((part, index) => {
    const url = `${origin}${llmsSectionPath(type).replace(/\.txt$/, `-${index + 1}.txt`)}`;
    return formatLinkLine(
      partName(type, part),
      url,
      `from “${excerpt(part.first)}” to “${excerpt(part.last)}”`,
    );
  });
}

function sectionsOfFile(context: DocumentContext, type: ContentType, parts: LlmsPart[] | null) {
  const { reading, origin } = context;
  if (parts !== null && parts.length < 2) {
    const items = reading.items({ ...inIndexOrder(type), limit: parts[0]?.length ?? 0 });
    const lines = items.map((item) => formatDetailedItemLine(item, context));
    return [{ heading: type.plural, lines }];
  }
  const related = sectionsInAnyEdition(reading)
    .filter((other) => pointsAt(type, other.type))
    .map((other) =>
      formatLinkLine(
        other.type.plural,
        origin + llmsSectionPath(other.type),
        `${other.count}; each lists its ${type.plural.toLowerCase()}`,
      ),
    );
  const shown = hasIncomingRelationWithItems(reading, type) || related.length === 0 ? HUBS_MAX : 0;
  const hubs = listMostLinkedItems(reading, type, { limit: HUBS_MAX })
    .slice(0, shown)
    .map((item) => formatDetailedItemLine(item, context));
  const lists = formatLlmsPartLines(context, type);
  const remaining = LLMS_LINKS_CHARACTERS_MAX - [...hubs, ...related].join("\n").length;
  return [
    { heading: `Ways to ${type.plural.toLowerCase()}`, lines: related },
    { heading: "Start with", lines: hubs },
    { heading: "Parts", lines: takeLinesThatFit(lists, remaining) },
  ];
}

/**
 * The query for the items of a type, in order of creation. {@link splitIntoLlmsParts} divides them in the
 * same order.
 */
function inIndexOrder(type: ContentType) {
  return { types: [type.name], filters: [], links: [], sort: "added", descending: false };
}

function guide({ reading, origin }: DocumentContext, type: ContentType): string {
  const index = `The index of the whole site is ${origin}/llms.txt.`;
  if (type.listPath === null) return index;
  const listing = markdownUrl(origin, type.listPath);
  const search = renderSearchGuide({ reading, origin });
  const isIncomplete = splitIntoLlmsParts(reading, type.name, origin) === null;
  const rest = isIncomplete
    ? " There are more than a file can list: go by a page below, or search."
    : "";
  return `Every link leads to the Markdown form of a page; leave \`.md\` out for the address to cite. The same as pages, a screen at a time: ${listing}. ${search}${rest} ${index}`;
}

function pointsAt(type: ContentType, other: ContentType): boolean {
  return (
    other !== type &&
    Object.values(type.relations).some(
      ({ target, inverse }) => target === other.name && inverse !== undefined,
    )
  );
}

function partName(type: ContentType, { offset, length }: LlmsPart): string {
  return `${type.plural} ${offset + 1} to ${offset + length}`;
}

/** The start of a title, to be put in quotation marks. */
function excerpt(title: string): string {
  return truncateAtWord(collapseWhitespace(title).replaceAll(/["“”]/g, ""), EXCERPT_CHARACTERS_MAX);
}

function readPartNumber(text: string | undefined): number | null {
  return text !== undefined && /^[1-9]\d{0,3}$/.test(text) ? Number(text) : null;
}

function sectionType(reading: ReadingCopy, path: string | undefined): ContentType | undefined {
  const types = [...reading.types().values()];
  return (
    types.find(({ listPath }) => listPath === `/${path}`) ??
    types.find(({ listPath, name }) => listPath === null && name === path)
  );
}
