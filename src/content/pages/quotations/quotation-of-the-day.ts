import { DAY_MILLISECONDS } from "../../../access/days.ts";
import { RANDOM_PATH } from "../../addresses/paths.ts";
import type { ReadingCopy } from "../../library.ts";
import type { Edition } from "../../site/editions.ts";
import { isQuotation, listBlocks } from "../lines.ts";
import type { Block } from "../view.ts";

/** Number of quotations in the daily rotation. */
const CANDIDATES_MAX = 365;

/** One of the best quotations, a different one each `day` (`YYYY-MM-DD`); none without a day. */
export function dayBlocks(reading: ReadingCopy, edition: Edition, day: string | null): Block[] {
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
  const number = Math.floor(Date.parse(day) / DAY_MILLISECONDS);
  const { items } = reading.list({ ...query, offset: number % Math.min(total, CANDIDATES_MAX) });
  const { quotation } = edition.texts;
  return [
    { kind: "heading", text: quotation.ofTheDay, id: "quotation-of-the-day" },
    ...listBlocks(items, edition),
    { kind: "aside", line: [{ text: quotation.another, to: RANDOM_PATH }] },
  ];
}
