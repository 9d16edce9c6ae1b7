import { AppError, englishOnlyWording } from "../../errors.ts";
import { TITLE_CHARACTERS_MAX } from "../items/item.ts";
import type { ItemSummary, PathResolution, PublishedItem, ReadingCopy } from "../library.ts";
import { InvalidListRequestError, type RejectionReason } from "../lists/invalid-list-request.ts";
import type { ContentType } from "../types/content-type.ts";
import { pageUrl } from "./addresses.ts";
import { resolvePathByRedirectPattern } from "./covering-pattern.ts";
import { queryOfAddress, redirectedAddressWithQuery } from "./redirected-query.ts";
import { pathOfAddress } from "./site-path.ts";

const CANDIDATES_MAX = 5;
const NAME_CHARACTERS_SHOWN = 200;

export interface FoundItem {
  item: PublishedItem;
  /** The requested path, if the item has since moved. */
  movedFrom: string | null;
}

/** What is at an address of this site. */
export interface ResolvedAddress {
  path: string;
  /** The query; empty if the site redirects this address with exactly this query. */
  query: URLSearchParams;
  /** The absolute URL, with the query that is redirected. */
  url: string;
  found: PathResolution;
}

/**
 * Resolves an address by the site's redirects: those of its path and query, of its path, and those
 * whose pattern covers it.
 *
 * @throws {AppError} `invalid` if the address is malformed or not on this site.
 */
export function resolveAddress(
  reading: ReadingCopy,
  address: string,
  origin: string,
): ResolvedAddress {
  const path = pathOfAddress(address, origin);
  const query = queryOfAddress(address);
  const former = redirectedAddressWithQuery(reading, { path, query });
  const exact = reading.resolve(former ?? path);
  const found = exact.kind === "absent" ? resolvePathByRedirectPattern(reading, path) : exact;
  return {
    path,
    query: former === null ? query : new URLSearchParams(),
    url: pageUrl(origin, path) + (former?.slice(path.length) ?? ""),
    found,
  };
}

/**
 * The published item at an address; follows redirects.
 *
 * @throws {AppError} `not_found` or `gone`, with similar addresses as problems; `invalid` if the
 * address is not on this site.
 */
export function findItemByAddress(
  reading: ReadingCopy,
  address: string,
  origin: string,
): FoundItem {
  const { path, url, found } = resolveAddress(reading, address, origin);
  if (found.kind === "item") return { item: found.item, movedFrom: null };
  if (found.kind === "elsewhere") {
    throw new AppError(
      "not_found",
      englishOnlyWording(`${url} leads to another site: ${found.url}`),
    );
  }
  if (found.kind === "moved") {
    const target = reading.resolve(found.to);
    if (target.kind === "item") return { item: target.item, movedFrom: path };
    const to = pageUrl(origin, found.to);
    throw new AppError(
      "not_found",
      englishOnlyWording(
        `${url} leads to ${to}, which is not an item but a page of its own: use list_content or search_content`,
      ),
      { problems: [{ where: to, message: englishOnlyWording("where the address leads") }] },
    );
  }
  const similarItems = reading.similar(path, { limit: CANDIDATES_MAX });
  if (found.kind === "gone") {
    const { title } = found;
    const reason: RejectionReason = (texts) =>
      title === null ? texts.gone(url) : texts.withdrawn(url, title);
    throw withCandidates("gone", reason, similarItems, origin);
  }
  throw withCandidates("not_found", (texts) => texts.nothingAt(url), similarItems, origin);
}

/**
 * Finds an item by address or name. A name is first looked up among the types that are targets of
 * relations, such as topics, authors and works. If none of their items has the name, it is looked up among
 * all other types.
 *
 * @throws {AppError} as {@link findItemByAddress}; `invalid`, with candidates as problems, for a name that
 *   several items share.
 */
export function findItemByAddressOrName(
  reading: ReadingCopy,
  text: string,
  origin: string,
): FoundItem {
  const isName = !isAddress(text) && text.length <= TITLE_CHARACTERS_MAX;
  const namedItems = isName ? itemsNamed(reading, text) : [];
  const [only] = namedItems;
  if (only === undefined) return findItemByAddress(reading, text, origin);
  if (namedItems.length === 1)
    return findItemByAddress(reading, pageUrl(origin, only.path), origin);
  const message = `More than one item is called "${text.trim().slice(0, NAME_CHARACTERS_SHOWN)}": give the address of one`;
  throw withCandidates("invalid", () => message, namedItems, origin);
}

function itemsNamed(reading: ReadingCopy, text: string): ItemSummary[] {
  const types = [...reading.types().values()];
  const targetTypes = new Set(
    types.flatMap(({ relations }) => Object.values(relations).map(({ target }) => target)),
  );
  const itemsOfTypes = (isTarget: boolean) =>
    types
      .filter(({ name }) => targetTypes.has(name) === isTarget)
      .flatMap(({ name }) =>
        reading.itemsByName(text, { type: name, isExact: true, limit: CANDIDATES_MAX }),
      )
      .slice(0, CANDIDATES_MAX);
  const targetItems = itemsOfTypes(true);
  return targetItems.length > 0 ? targetItems : itemsOfTypes(false);
}

/**
 * Returns the title if tools and pages accept the title in place of an address. Returns null if the title
 * looks like an address, or if several items share it as a name.
 */
export function titleIfUsableAsAddress(reading: ReadingCopy, title: string): string | null {
  return !isAddress(title) && reading.hasUniqueName(title) ? title : null;
}

/**
 * Finds an item of a type by address or name.
 *
 * @throws {AppError} `not_found` or `invalid`, with candidates as problems, unless exactly one item
 * matches.
 */
export function findItemOfType(
  reading: ReadingCopy,
  type: ContentType,
  { text, origin }: { text: string; origin: string },
): ItemSummary {
  if (isAddress(text)) {
    return requireType(findItemByAddress(reading, text, origin).item, type, reading);
  }
  const name = text.trim();
  const options = { type: type.name, limit: CANDIDATES_MAX };
  const exact = name === "" ? [] : reading.itemsByName(name, { ...options, isExact: true });
  const namedItems =
    exact.length > 0 || name === ""
      ? exact
      : reading.itemsByName(name, { ...options, isExact: false });
  const [only] = namedItems;
  if (only !== undefined && namedItems.length === 1) return only;
  const shown = name.slice(0, NAME_CHARACTERS_SHOWN);
  const { label } = type;
  if (namedItems.length > 1) {
    throw withCandidates("invalid", (texts) => texts.several(label, shown), namedItems, origin);
  }
  const similarItems = reading.similar(name, options);
  throw withCandidates("not_found", (texts) => texts.nobody(label, shown), similarItems, origin);
}

/** Whether a text is an address rather than a name. */
export function isAddress(text: string): boolean {
  return /^\s*(\/|https?:)/i.test(text);
}

function requireType(item: ItemSummary, type: ContentType, reading: ReadingCopy): ItemSummary {
  if (item.type === type.name) return item;
  const actualLabel = reading.types().get(item.type)?.label ?? item.type;
  const other = { type: type.label, actual: actualLabel, title: item.title };
  throw new InvalidListRequestError("invalid", (texts) => texts.otherType(item.path, other));
}

function withCandidates(
  code: "not_found" | "gone" | "invalid",
  reason: RejectionReason,
  candidates: readonly ItemSummary[],
  origin: string,
): InvalidListRequestError {
  const problems = candidates.map(({ path, title }) => ({
    where: pageUrl(origin, path),
    message: englishOnlyWording(title),
  }));
  const list = problems.map((problem) => `${problem.message.en} (${problem.where})`).join(", ");
  const whole: RejectionReason = (texts) =>
    list === "" ? reason(texts) : texts.perhaps(reason(texts), list);
  return new InvalidListRequestError(code, whole, problems);
}
