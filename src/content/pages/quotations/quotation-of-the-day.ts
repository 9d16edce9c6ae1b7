import { hash } from "node:crypto";
import { RANDOM_PATH } from "../../addresses/paths.ts";
import type { ItemSummary, ReadingCopy } from "../../library.ts";
import { type Edition, editionPath } from "../../site/editions.ts";
import { buildListBlocks, isQuotationType } from "../lines.ts";
import type { Block } from "../view.ts";
import { warningSealOf } from "./seals.ts";

/** Number of quotations in the daily rotation. */
const CANDIDATES_MAX = 365;

/**
 * The quotation of a day (`YYYY-MM-DD`), selected from the best quotations that have no warning.
 * Returns no blocks if `day` is null or there is no such quotation.
 */
export function buildQuotationOfTheDayBlocks(
  reading: ReadingCopy,
  edition: Edition,
  day: string | null,
): Block[] {
  const type = [...edition.types.values()].find(({ name }) => isQuotationType(edition.types, name));
  if (type === undefined || day === null) return [];
  const query = {
    types: [type.name],
    filters: [],
    links: [],
    ...edition.languageFilter,
    sort: type.defaultSort,
    descending: false,
  };
  const best = reading.items({ ...query, limit: CANDIDATES_MAX });
  const item = selectByHash(
    best.filter((each) => warningSealOf(each, edition.types) === null),
    day,
  );
  if (item === undefined) return [];
  const { quotation } = edition.texts;
  return [
    { kind: "heading", text: quotation.ofTheDay, id: "quotation-of-the-day" },
    ...buildListBlocks([item], edition),
    { kind: "aside", line: [{ text: quotation.another, to: editionPath(edition, RANDOM_PATH) }] },
  ];
}

/**
 * Selects an item by the hash of its path and the day (rendezvous hashing, Thaler and Ravishankar
 * 1996). Unlike selection by index, the result rarely changes within a day when items are published
 * or withdrawn.
 */
function selectByHash(items: readonly ItemSummary[], day: string): ItemSummary | undefined {
  const order = new Map(items.map((item) => [item, hash("sha1", `${day} ${item.path}`)]));
  const first = [...order.values()].sort()[0];
  return items.find((item) => order.get(item) === first);
}
