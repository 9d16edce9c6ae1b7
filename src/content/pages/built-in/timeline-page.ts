import type { ReadingCopy } from "../../library.ts";
import { type Edition, editionPath } from "../../site/editions.ts";
import type { ContentType } from "../../types/content-type.ts";
import { buildCountAndRangeLine, buildPaging, pageAddress, parsePageNumber } from "../paging.ts";
import type { Anchor, Block, PageRequest, PageView } from "../view.ts";
import { type BuiltInPage, listBuiltInPageTranslations } from "./built-in-page.ts";
import {
  buildTimeline,
  hasTimelineItems,
  isTypeOnTimeline,
  type Timeline,
  type TimelineItem,
} from "./timeline.ts";

const TIMELINE_PATH = "/timeline";

const ITEMS_PER_PAGE = 100;

/** The items with a year, by century. */
export const timelinePage: BuiltInPage = {
  path: TIMELINE_PATH,
  title: (texts) => texts.timeline.title,
  isLinkable: true,
  listed: "everything with a year, by century",
  hasContent: hasTimelineItems,
  view: buildTimelinePage,
};

function buildTimelinePage(
  reading: ReadingCopy,
  edition: Edition,
  request: PageRequest,
): PageView | null {
  const timeline = buildTimeline(reading, edition);
  const total = timeline.items.length;
  const page = parsePageNumber(request.parameter("page"));
  const offset = (page - 1) * ITEMS_PER_PAGE;
  if (offset >= total) return null;
  const { language, texts } = edition;
  const path = editionPath(edition, TIMELINE_PATH);
  const { title, lead } = texts.timeline;
  const paging = buildPaging(page, Math.ceil(total / ITEMS_PER_PAGE), (n) => pageAddress(path, n));
  const items = timeline.items.slice(offset, offset + ITEMS_PER_PAGE);
  const range = { offset, shown: items.length };
  return {
    path,
    query: page === 1 ? "" : `?page=${page}`,
    title,
    description: lead,
    language,
    textLanguage: language,
    updatedAt: reading.updatedAt(),
    isIndexed: true,
    subject: { kind: "other", path, title },
    trail: [{ text: texts.frame.home, to: editionPath(edition, "/") }],
    translations: listBuiltInPageTranslations(timelinePage, reading).filter(
      (other) => other.language !== language,
    ),
    blocks: [
      { kind: "lead", text: lead, language },
      ...(page === 1 ? [centuriesBlock(timeline, { path, edition })] : []),
      {
        kind: "paragraph",
        line: buildCountAndRangeLine(texts.timeline.count(total), { paging, range, texts }),
      },
      ...centuryBlocks(items, edition),
      ...(paging === null ? [] : [{ kind: "paging" as const, paging }]),
    ],
  };
}

/** The link from a type's list page to the timeline, if the timeline has items of the type. */
export function buildTimelineLinks(
  reading: ReadingCopy,
  type: ContentType,
  edition: Edition,
): Anchor[] {
  if (!isTypeOnTimeline(reading, type, edition)) return [];
  const to = editionPath(edition, TIMELINE_PATH);
  return [{ text: edition.texts.timeline.title, to }];
}

/** The number of items of each type per century. Each century links to its part of the timeline. */
function centuriesBlock(
  { types, items }: Timeline,
  { path, edition: { texts } }: { path: string; edition: Edition },
): Block {
  const { caption, column, century } = texts.timeline;
  const byCentury = Map.groupBy(
    items.map((timelineItem, at) => ({ ...timelineItem, at })),
    (timelineItem) => timelineItem.century,
  );
  const rows = [...byCentury].map(([centuryNumber, centuryItems]) => {
    const page = Math.floor((centuryItems[0]?.at ?? 0) / ITEMS_PER_PAGE) + 1;
    return {
      anchor: {
        text: century(centuryNumber),
        to: `${pageAddress(path, page)}#${centuryId(centuryNumber)}`,
      },
      counts: types.map(({ name }) => centuryItems.filter(({ type }) => type === name).length),
    };
  });
  const columns = types.map(({ plural }) => plural);
  return { kind: "counts", caption, rowLabel: column, columns, rows };
}

function centuryBlocks(items: readonly TimelineItem[], { texts }: Edition): Block[] {
  const byCentury = [...Map.groupBy(items, ({ century }) => century)];
  return byCentury.flatMap(([centuryNumber, centuryItems]): Block[] => [
    { kind: "heading", text: texts.timeline.century(centuryNumber), id: centuryId(centuryNumber) },
    { kind: "entries", entries: centuryItems.map(({ entry }) => entry) },
  ]);
}

function centuryId(century: number): string {
  return century < 0 ? `century-${-century}-bce` : `century-${century}`;
}
