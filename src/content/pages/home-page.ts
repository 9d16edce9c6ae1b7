import type { PublishedItem, ReadingCopy } from "../library.ts";
import { hubsOf } from "../lists/hubs.ts";
import { type Section, sectionsOf } from "../lists/sections.ts";
import type { ContentType } from "../types/content-type.ts";
import { isQuotation, listBlocks } from "./lines.ts";
import type { Block, PageView } from "./view.ts";

const HUBS = 8;
const QUOTES = 3;

/** The home page: what the site is, where to begin, and a sample of its content. */
export function homePage(reading: ReadingCopy, item: PublishedItem | null): PageView {
  const site = reading.site();
  const title = item?.title ?? site.name;
  const description = item?.hasOwnSummary ? item.summary : site.description;
  const sections = sectionsOf(reading);
  const body = bodyBlocks(item);
  return {
    path: "/",
    query: "",
    title,
    description,
    language: item?.language ?? site.language,
    updatedAt: reading.updatedAt(),
    isIndexed: true,
    subject: { kind: "home", title, item },
    trail: [],
    translations: item?.translations ?? [],
    blocks: [
      { kind: "lead", text: description },
      ...(body.length > 0 ? body : sectionBlocks(sections)),
      ...sections.flatMap(({ type }) => sampleBlocks(reading, type)),
      ...useBlocks(reading),
    ],
  };
}

function bodyBlocks(item: PublishedItem | null): Block[] {
  return item === null || item.markdown === ""
    ? []
    : [{ kind: "body", html: item.html, markdown: item.markdown }];
}

/** Links to the sections, unless the home page has its own body. */
function sectionBlocks(sections: readonly Section[]): Block[] {
  if (sections.length === 0) return [];
  const entries = sections.map(({ type, listPath, count }) => ({
    line: [{ text: type.plural, to: listPath }, ` (${count})`],
    note: [type.description],
  }));
  return [
    { kind: "heading", text: "Browse", id: "browse" },
    { kind: "entries", entries },
  ];
}

/** The most linked items of a type, or the newest if the type has no incoming relations. */
function sampleBlocks(reading: ReadingCopy, type: ContentType): Block[] {
  const quotes = isQuotation(reading.types(), type.name);
  const items = hubsOf(reading, type, quotes ? QUOTES : HUBS);
  if (!quotes && items.every(({ counts }) => Object.values(counts).every((count) => count === 0))) {
    return [];
  }
  return [
    {
      kind: "heading",
      text: quotes ? `From the ${type.plural.toLowerCase()}` : type.plural,
      id: `taste-${type.name}`,
    },
    ...listBlocks(items, reading),
  ];
}

function useBlocks(reading: ReadingCopy): Block[] {
  const { whenToUse, whenNotToUse } = reading.site();
  const not = whenNotToUse.length === 0 ? "" : ` Not for ${whenNotToUse.join("; nor for ")}.`;
  return [
    { kind: "heading", text: "When to use this site", id: "when-to-use" },
    { kind: "paragraph", line: [`To ${whenToUse.join("; to ")}.${not}`] },
  ];
}
