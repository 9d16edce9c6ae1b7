import { DAY_MILLISECONDS } from "../../../access/days.ts";
import { RANDOM_PATH } from "../../addresses/paths.ts";
import type { ReadingCopy } from "../../library.ts";
import type { Edition } from "../../site/editions.ts";
import { isQuotation, listBlocks } from "../lines.ts";
import type { Block } from "../view.ts";

/** Number of quotations in the daily rotation. */
const CANDIDATES_MAX = 365;

/** The quotation of a day (`YYYY-MM-DD`), chosen from the best in turn; nothing without a day. */
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
    limit: 1,
  };
  const { total } = reading.list(query);
  if (total === 0) return [];
  const dayNumber = Math.floor(Date.parse(day) / DAY_MILLISECONDS);
  const { items } = reading.list({ ...query, offset: dayNumber % Math.min(total, CANDIDATES_MAX) });
  const { quotation } = edition.texts;
  return [
    { kind: "heading", text: quotation.ofTheDay, id: "quotation-of-the-day" },
    ...listBlocks(items, edition),
    { kind: "aside", line: [{ text: quotation.another, to: RANDOM_PATH }] },
  ];
}
