import { siteTexts } from "../../texts/site/site-texts.ts";
import { SEARCH_PATH, slugOf } from "../addresses/paths.ts";
import type { ListQuery, PublishedItem, ReadingCopy } from "../library.ts";
import { isDated, listUpcomingItems } from "../lists/dated-lists.ts";
import { listMostLinkedItems } from "../lists/hubs.ts";
import { type Section, sectionsInEdition, typesWithItems } from "../lists/sections.ts";
import {
  type Edition,
  editionPath,
  editionsOf,
  itemPageLanguage,
  profileTextLanguage,
  typeTextLanguage,
} from "../site/editions.ts";
import { DEFAULT_HOME_BLOCKS, type HomeBlock } from "../site/home-blocks.ts";
import { hasPlaceholderDescription, hasPlaceholderSitePurpose } from "../site/starter-site.ts";
import type { ContentType } from "../types/content-type.ts";
import { buildUpcomingEventBlocks } from "./dated-blocks.ts";
import { buildListBlocks, isQuotationType, listEntryOf } from "./lines.ts";
import { buildQuotationOfTheDayBlocks } from "./quotations/quotation-of-the-day.ts";
import { buildSlotBlocks } from "./slots.ts";
import type { Block, PageRequest, PageView } from "./view.ts";

const HUBS_SHOWN = 8;
const QUOTES_SHOWN = 3;
const UNLISTED_MAX = 50;

/** The home page: introduction, starting points, and a sample of the content. */
export function buildHomePage(
  reading: ReadingCopy,
  { edition, item }: { edition: Edition; item: PublishedItem | null },
  request: PageRequest,
): PageView {
  const { site } = edition;
  const title = item?.title ?? site.name;
  const isDescribed = item?.hasOwnSummary === true || !hasPlaceholderDescription(site);
  const introduction =
    item?.hasOwnSummary || (item !== null && !isDescribed)
      ? { text: item.summary, language: item.language }
      : { text: site.description, language: profileTextLanguage(edition, "description") };
  const path = editionPath(edition, "/");
  const textLanguage = item?.language ?? profileTextLanguage(edition, "name");
  const homeBlocks = site.home.length === 0 ? DEFAULT_HOME_BLOCKS : site.home;
  return {
    path,
    query: "",
    title,
    description: introduction.text,
    language: itemPageLanguage(edition, textLanguage),
    textLanguage,
    updatedAt: reading.updatedAt(),
    isIndexed: true,
    subject: { kind: "home", path, title, item },
    trail: [],
    translations: otherHomes(reading, edition),
    // Hides the heading, because the site header already shows the site's name.
    ...(title === site.name ? { heading: { text: title, isHidden: true } } : {}),
    blocks: [
      ...(isDescribed ? [{ kind: "lead" as const, ...introduction }] : []),
      ...homeBlocks.flatMap((block, blockIndex) =>
        blocksToShow(block, { reading, edition, item, request, blockIndex }),
      ),
      ...buildSlotBlocks(edition, "home"),
    ],
  };
}

interface HomeParts {
  reading: ReadingCopy;
  edition: Edition;
  item: PublishedItem | null;
  request: PageRequest;
  blockIndex: number;
}

function blocksToShow(block: HomeBlock, home: HomeParts): Block[] {
  const { reading, edition, item, request, blockIndex } = home;
  switch (block.show) {
    case "introduction": {
      const body = bodyBlocks(item);
      if (body.length > 0) return body;
      const sections = sectionBlocks(sectionsInEdition(reading, edition), edition);
      return sections.length > 0 ? sections : unlistedBlocks(reading, edition);
    }
    case "quotation_of_the_day":
      return buildQuotationOfTheDayBlocks(reading, edition, request.today?.() ?? null);
    case "search": {
      const types = typesWithItems(reading, edition);
      return [
        {
          kind: "search",
          action: editionPath(edition, SEARCH_PATH),
          text: "",
          types,
          chosen: null,
        },
      ];
    }
    case "sections":
      return sectionBlocks(sectionsInEdition(reading, edition), edition);
    case "samples":
      return sectionsInEdition(reading, edition).flatMap(({ type }) =>
        sampleBlocks(reading, type, edition),
      );
    case "purpose":
      return purposeBlocks(edition);
    case "text":
      return [
        {
          kind: "source",
          name: `home-${blockIndex}`,
          markdown: block.markdown,
          language: profileTextLanguage(edition, "home"),
        },
      ];
    case "items":
      return chosenBlocks(block, home);
    case "upcoming":
      return upcomingItemBlocks(block, home);
    case "newest":
    case "best":
      return listedBlocks(block, home);
  }
}

/** The items that the editors chose. Leaves out unpublished items. */
function chosenBlocks(
  { title, paths }: Extract<HomeBlock, { show: "items" }>,
  { reading, edition }: HomeParts,
): Block[] {
  const items = paths.flatMap((path) => {
    const found = reading.resolve(path);
    return found.kind === "item" ? [found.item] : [];
  });
  if (items.length === 0) return [];
  const byType = Map.groupBy(items, ({ type }) => type);
  return [
    {
      kind: "heading",
      text: title,
      id: `chosen-${slugOf(title)}`,
      language: profileTextLanguage(edition, "home"),
    },
    ...[...byType.values()].flatMap((ofOneType) => buildListBlocks(ofOneType, edition)),
  ];
}

/** The upcoming items of a type; none for types that are not events. */
function upcomingItemBlocks(
  { type: name, items: limit }: Extract<HomeBlock, { show: "upcoming" }>,
  { reading, edition, request }: HomeParts,
): Block[] {
  const type = edition.types.get(name);
  const today = request.today?.();
  if (type === undefined || today === undefined) return [];
  const items = listUpcomingItems(reading, type, {
    languageFilter: edition.languageFilter,
    today,
    limit,
  });
  return buildUpcomingEventBlocks(items, { type, edition });
}

/** The newest items of a type, or the first items in its default order. */
function listedBlocks(
  { show, type: name, items: limit }: Extract<HomeBlock, { show: "newest" | "best" }>,
  { reading, edition }: HomeParts,
): Block[] {
  const type = edition.types.get(name);
  if (type === undefined) return [];
  const query = { types: [name], filters: [], links: [], ...edition.languageFilter };
  const items = reading.items({ ...query, ...sortForList(show, type), limit });
  if (items.length === 0) return [];
  const text = listHeading(show, type, edition);
  return [{ kind: "heading", text, id: `${show}-${name}` }, ...buildListBlocks(items, edition)];
}

/**
 * The heading of a list. For a dated type, the heading is just the plural, because "Newest news"
 * would be redundant.
 */
function listHeading(
  show: "newest" | "best",
  type: ContentType,
  { texts: { home } }: Edition,
): string {
  if (show === "best") return home.sample(type.plural);
  return isDated(type) ? type.plural : home.newest(type.plural);
}

function sortForList(
  show: "newest" | "best",
  type: ContentType,
): Pick<ListQuery, "sort" | "descending"> {
  if (show === "best") return { sort: type.defaultSort, descending: false };
  return { sort: type.dated?.by ?? "added", descending: true };
}

function otherHomes(reading: ReadingCopy, { language }: Edition): PageView["translations"] {
  return editionsOf(reading)
    .filter((other) => other.language !== language)
    .map((other) => ({
      language: other.language,
      path: editionPath(other, "/"),
      title: other.site.name,
    }));
}

function bodyBlocks(item: PublishedItem | null): Block[] {
  return item === null || item.markdown === ""
    ? []
    : [{ kind: "body", html: item.html, markdown: item.markdown, language: item.language }];
}

/** Links to the sections; nothing if there are none. */
function sectionBlocks(sections: readonly Section[], edition: Edition): Block[] {
  if (sections.length === 0) return [];
  const { texts } = edition;
  const entries = sections.map(({ type, listPath, count }) => ({
    line: [
      { text: type.plural, to: listPath, language: typeTextLanguage(edition, type) },
      ` (${texts.number(count)})`,
    ],
    note: type.description === "" ? [] : [type.description],
    noteLanguage: typeTextLanguage(edition, type),
  }));
  return [
    { kind: "heading", text: texts.home.browse, id: "browse" },
    { kind: "entries", entries },
  ];
}

/** Links to the items of types without a list page. */
function unlistedBlocks(reading: ReadingCopy, edition: Edition): Block[] {
  const types = [...edition.types.values()].filter(({ listPath }) => listPath === null);
  const query = {
    types: types.map(({ name }) => name),
    filters: [],
    links: [],
    ...edition.languageFilter,
  };
  const items = reading
    .items({ ...query, sort: "title", descending: false, limit: UNLISTED_MAX })
    .filter(({ path }) => path !== editionPath(edition, "/"));
  if (items.length === 0) return [];
  return [
    { kind: "heading", text: edition.texts.home.browse, id: "browse" },
    { kind: "entries", entries: items.map((item) => listEntryOf(item, edition)) },
  ];
}

/** The most linked items of a type, or the newest if the type has no incoming relations. */
function sampleBlocks(reading: ReadingCopy, type: ContentType, edition: Edition): Block[] {
  const areQuotations = isQuotationType(reading.types(), type.name);
  const items = listMostLinkedItems(reading, type, {
    limit: areQuotations ? QUOTES_SHOWN : HUBS_SHOWN,
    languageFilter: edition.languageFilter,
  });
  if (
    !areQuotations &&
    items.every(({ counts }) => Object.values(counts).every((count) => count === 0))
  ) {
    return [];
  }
  return [
    {
      kind: "heading",
      text: areQuotations ? edition.texts.home.sample(type.plural) : type.plural,
      id: `taste-${type.name}`,
    },
    ...buildListBlocks(items, edition),
  ];
}

/** A sentence with the purposes of the site, in the language in which the profile states them. */
function purposeBlocks(edition: Edition): Block[] {
  const { site, texts } = edition;
  if (hasPlaceholderSitePurpose(site)) return [];
  const { whenToUse, whenNotToUse } = site;
  const language = profileTextLanguage(edition, "whenToUse");
  const { home } = siteTexts(language);
  return [
    { kind: "heading", text: texts.home.use, id: "when-to-use" },
    { kind: "paragraph", line: [home.usesAre(whenToUse, whenNotToUse)], language },
  ];
}
