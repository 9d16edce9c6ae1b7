import type { ZodType } from "zod";
import { decodeResponseText } from "../request-page.ts";
import { type PoliteRequester, requestPolitely } from "../request-politely.ts";
import { buildRestUrl } from "./rest-address.ts";

/** WordPress allows up to 100 entries; fewer put less load on slow hosts. */
const ENTRIES_PER_PAGE = 50;
const PAGES_MAX = 2000;

/** The reason why a list or some of its entries are not copied. `from`: the requested address. */
export interface RestError {
  from: string;
  reason: string;
}

export interface RestSource {
  root: URL;
  requests: PoliteRequester;
  onFault(fault: RestError): void;
}

/**
 * Reads JSON from the interface. If the JSON is missing or not in the format of WordPress, reports a fault
 * and returns null.
 */
export async function readRestJson<T>(
  route: string,
  schema: ZodType<T>,
  lists: RestSource,
): Promise<T | null> {
  const from = buildRestUrl(lists.root, route, {});
  const found = await readJson(from, lists);
  if ("fault" in found) {
    lists.onFault({ from, reason: found.fault });
    return null;
  }
  const parsed = schema.safeParse(found.json);
  if (!parsed.success) lists.onFault({ from, reason: NOT_WORDPRESS });
  return parsed.data ?? null;
}

/**
 * Reads a list page by page, in the order of ids, so that entries added meanwhile come last. If a page
 * cannot be read, reports a fault and ends.
 */
export async function* readRestList<T extends { id: number }>(
  route: string,
  schema: ZodType<T>,
  lists: RestSource,
): AsyncGenerator<T> {
  const seen = new Set<number>();
  for (let page = 1; page <= PAGES_MAX; page += 1) {
    const entries = await readListPage(route, page, lists);
    const count = seen.size;
    for (const entry of entries) {
      const parsed = schema.safeParse(entry);
      if (!parsed.success)
        lists.onFault({ from: pageOf(route, page, lists), reason: NOT_WORDPRESS });
      else if (!seen.has(parsed.data.id)) {
        seen.add(parsed.data.id);
        yield parsed.data;
      }
    }
    const isLast = entries.length < ENTRIES_PER_PAGE || seen.size === count;
    if (isLast) return;
  }
  lists.onFault({ from: pageOf(route, PAGES_MAX, lists), reason: "The list has no end" });
}

/** Returns the entries of a page. If the page cannot be read, reports a fault and returns none. */
async function readListPage(route: string, page: number, lists: RestSource): Promise<unknown[]> {
  const from = pageOf(route, page, lists);
  const found = await readJson(from, lists);
  if ("json" in found && Array.isArray(found.json)) return found.json;
  // If the last page is full, WordPress answers the request for the next page with 400.
  const isEnd = page > 1 && "status" in found && found.status === 400;
  if (!isEnd) lists.onFault({ from, reason: "fault" in found ? found.fault : NOT_WORDPRESS });
  return [];
}

function pageOf(route: string, page: number, { root }: RestSource): string {
  return buildRestUrl(root, route, {
    per_page: String(ENTRIES_PER_PAGE),
    ...{ orderby: "id", order: "asc", page: String(page) },
  });
}

const NOT_WORDPRESS = "The answer is not as WordPress writes it";

type Json = { json: unknown } | { status: number; fault: string };

async function readJson(url: string, { requests }: RestSource): Promise<Json> {
  const answer = await requestPolitely(url, {}, requests);
  if (answer.kind === "missing") return answer;
  if (answer.kind !== "content")
    return { status: 0, fault: "The host asks to be left alone, or sends elsewhere" };
  try {
    return { json: JSON.parse(decodeResponseText(answer.bytes) ?? "") };
  } catch {
    return { status: 200, fault: NOT_WORDPRESS };
  }
}
