import { DAY_MILLISECONDS } from "../../../access/days.ts";
import { RANDOM_PATH } from "../../addresses/paths.ts";
import type { ReadingCopy } from "../../library.ts";
import { type Edition, editionPath } from "../../site/editions.ts";
import { isQuotation, listBlocks } from "../lines.ts";
import type { Block } from "../view.ts";
import { cautionOf } from "./seals.ts";

/** Number of quotations in the daily rotation. */
const CANDIDATES_MAX = 365;
/** Number of quotations to try, starting with the day's own, until one has no warning. */
const ATTEMPTS_MAX = 10;

/**
 * The quotation of a day (`YYYY-MM-DD`). The best quotations take turns, except those that have a warning.
 * Without a day, there are no blocks.
 */
export function quotationOfTheDayBlocks(
  reading: ReadingCopy,
  edition: Edition,
  day: string | null,
): Block[] {
  const type = [...edition.types.values()].find(({ name }) => isQuotation(edition.types, name));
  if (type === undefined || day === null) return [];
  const query = {
    types: [type.name],
    filters: [],
    links: [],
    ...edition.only,
    sort: type.defaultSort,
    descending: false,
  };
  const { total } = reading.list({ ...query, limit: 1 });
  if (total === 0) return [];
  const soundFrom = (offset: number) =>
    reading
      .list({ ...query, offset, limit: ATTEMPTS_MAX })
      .items.find((item) => cautionOf(item, edition.types) === null);
  const dayNumber = Math.floor(Date.parse(day) / DAY_MILLISECONDS);
  const item = soundFrom(dayNumber % Math.min(total, CANDIDATES_MAX)) ?? soundFrom(0);
  if (item === undefined) return [];
  const { quotation } = edition.texts;
  return [
    { kind: "heading", text: quotation.ofTheDay, id: "quotation-of-the-day" },
    ...listBlocks([item], edition),
    { kind: "aside", line: [{ text: quotation.another, to: editionPath(edition, RANDOM_PATH) }] },
  ];
}
