import type { PublishedItem } from "../../library.ts";
import { readEventTimeSpan, readTextField } from "../../lists/event-times.ts";
import type { Edition } from "../../site/editions.ts";
import type { ContentType } from "../../types/content-type.ts";
import { isEventType } from "../../types/date-fields.ts";
import { DEFAULT_LAYOUT, type Layout } from "../../types/layouts.ts";
import { relationViews } from "../../types/relation-views.ts";
import { buildCalendarBlocks } from "../dated-blocks.ts";
import { formatEventTimeAndPlace } from "../event-line.ts";
import type { Block, Fact } from "../view.ts";
import { bylineOf, NO_BYLINE } from "./byline.ts";
import { buildFactBlocks } from "./item-facts.ts";

/** The blocks of an item's page that do not come from its own fields. */
interface OtherBlocks {
  lead: readonly Block[];
  text: readonly Block[];
  citations: readonly Block[];
  /** The lists of items that link to the page's item. */
  groups: readonly Block[];
}

/** The blocks of an item's page in the order of its type's layout. */
export function arrangeBlocksByLayout(
  item: PublishedItem,
  { type, edition }: { type: ContentType; edition: Edition },
  { lead, text, citations, groups }: OtherBlocks,
): Block[] {
  const calendar = buildCalendarBlocks(item, { type, edition });
  const layout = layoutOf(type, edition.site);
  const isFactsFirst = layout === "profile" || layout === "event";
  const byline = isFactsFirst ? NO_BYLINE : bylineOf(item, type, edition);
  const above = [...byline.blocks, ...lead];
  const facts = () => buildFactBlocks(item, type, { edition, excluded: byline.names });
  switch (layout) {
    case "article":
      return [...above, ...text, ...facts(), ...calendar, ...citations, ...groups];
    case "profile":
      return [...above, ...facts(), ...calendar, ...text, ...citations, ...groups];
    case "list":
      return [...above, ...groups, ...text, ...facts(), ...calendar, ...citations];
    case "event": {
      const { whenAndWhere, others } = datedFacts(item, type, edition);
      return [...above, ...whenAndWhere, ...calendar, ...text, ...others, ...citations, ...groups];
    }
  }
}

function layoutOf({ name, layout }: ContentType, { layouts }: Edition["site"]): Layout {
  return layouts?.[name] ?? layout ?? DEFAULT_LAYOUT;
}

function datedFacts(
  item: PublishedItem,
  type: ContentType,
  edition: Edition,
): { whenAndWhere: Block[]; others: Block[] } {
  const datedNames = new Set(Object.values(type.dated ?? {}));
  const relations = relationViews(edition.types, type.name).map(({ name }) => name);
  const names = [...Object.keys(type.fields), ...relations];
  const undatedNames = new Set(names.filter((name) => !datedNames.has(name)));
  const timeFact = whenFact(item, type, edition);
  const whenFields =
    timeFact === null ? [] : TIME_FIELDS.flatMap((part) => type.dated?.[part] ?? []);
  const excluded = new Set([...undatedNames, ...whenFields]);
  const where = buildFactBlocks(item, type, { edition, excluded }).flatMap((block) =>
    block.kind === "facts" ? block.facts : [],
  );
  const facts = [...(timeFact === null ? [] : [timeFact]), ...where];
  return {
    whenAndWhere: facts.length === 0 ? [] : [{ kind: "facts", facts }],
    others: buildFactBlocks(item, type, { edition, excluded: datedNames }),
  };
}

const TIME_FIELDS = ["by", "until", "time", "untilTime"] as const;

/**
 * The times of an event in one line. Null for items that are not events, and if the line would omit
 * a time of the event.
 */
function whenFact(item: PublishedItem, type: ContentType, edition: Edition): Fact | null {
  if (!isEventType(type)) return null;
  const { by, until, time, untilTime } = type.dated;
  const times = readEventTimeSpan(item.fields, type.dated, edition.site.timeZone);
  const [period] = formatEventTimeAndPlace(item, edition);
  if (times === null || period === undefined) return null;
  const isStated = (field: string | undefined) => readTextField(item.fields, field) !== null;
  const hasTime = "moment" in times.start;
  if (isStated(time) !== hasTime || (isStated(untilTime) && !hasTime)) return null;
  if ((isStated(until) || isStated(untilTime)) && times.end === null) return null;
  return { label: type.fields[by]?.label ?? by, values: [[period]] };
}
