import { containsCredential } from "./credentials.ts";
import { DAY_MILLISECONDS, iterateDaysLatestFirst, type UtcDayRange, utcDayOf } from "./days.ts";
import { findMostFrequentTexts, textCountsFromMap } from "./most-frequent.ts";

/**
 * `page`: a page as HTML. `markdown`: a page as Markdown, requested at its `.md` address or through content
 * negotiation. `missing`: a 404.
 */
export const VIEW_KINDS = ["page", "markdown", "missing"] as const;

export type ViewKind = (typeof VIEW_KINDS)[number];

/** How often a path was viewed on a UTC day, without any data about clients. */
export interface PathViewCount {
  day: string;
  kind: ViewKind;
  path: string;
  count: number;
}

/** The number of views of one kind on a UTC day, over all paths. */
export type DailyViewCount = Omit<PathViewCount, "path">;

export interface ViewCountStore {
  /** Adds these counts to the stored counts. Can drop the least viewed paths of a day. */
  add(days: readonly DailyViewCount[], paths: readonly PathViewCount[]): Promise<void>;
  /** The views of each day and `kind`, over all paths; earliest day first. */
  days(period: UtcDayRange): Promise<DailyViewCount[]>;
  /**
   * The counts of one day by path. Yields to the event loop before it returns, so that a loop over
   * many days does not delay requests.
   */
  pathsOfDay(day: string): Promise<PathViewCount[]>;
  /** Deletes the counts of each path for days before `paths`, and the totals for days before `totals`. */
  forget(before: { paths: string; totals: string }): Promise<void>;
}

/**
 * Counts one response. `address` is the response's representation and path, as in `html /topics`.
 */
export type CountView = (address: string) => void;

const KIND_OF_FORM: ReadonlyMap<string, ViewKind> = new Map([
  ["html", "page"],
  ["negotiated", "markdown"],
  ["markdown", "markdown"],
  ["missing", "missing"],
]);

/**
 * Limit on distinct addresses between two saves. Views of further addresses are counted by `ViewKind`, not by
 * address.
 */
const ADDRESSES_UNSAVED_MAX = 2000;
const PATH_CHARACTERS_MAX = 300;

/** Unsaved counts of one UTC day. */
interface DayCounts {
  addresses: Map<string, number>;
  /** Number of views of all addresses that are not in `addresses`, keyed by `ViewKind`. */
  others: Map<ViewKind, number>;
}

/**
 * Counts responses in memory, at the cost of one look-up each; a clock task saves the counts. Each
 * view counts for the day on which it happened, even if it is saved on a later day.
 */
export class ViewCounter {
  #unsaved = new Map<string, DayCounts>();
  #addressCount = 0;
  #dayNumber = -1;
  #today: DayCounts = { addresses: new Map(), others: new Map() };

  note(address: string, now: Date): void {
    const dayNumber = Math.floor(now.getTime() / DAY_MILLISECONDS);
    if (dayNumber !== this.#dayNumber) {
      this.#today = this.#countsOf(utcDayOf(now));
      this.#dayNumber = dayNumber;
    }
    this.#count(this.#today, address, 1);
  }

  /** Saves new counts, if any. Counts that could not be saved are saved by the next call. */
  async save(store: Pick<ViewCountStore, "add">): Promise<void> {
    if (this.#unsaved.size === 0) return;
    const unsaved = this.#unsaved;
    this.#unsaved = new Map();
    this.#addressCount = 0;
    this.#dayNumber = -1;
    const days = [...unsaved].flatMap(([day, counts]) => dayViews(counts, day));
    const paths = [...unsaved].flatMap(([day, counts]) => pathViews(counts.addresses, day));
    if (days.length === 0) return;
    try {
      await store.add(days, paths);
    } catch (error) {
      for (const [day, counts] of unsaved) this.#takeBack(day, counts);
      throw error;
    }
  }

  #takeBack(day: string, { addresses, others }: DayCounts): void {
    const counts = this.#countsOf(day);
    for (const [address, count] of addresses) this.#count(counts, address, count);
    for (const [kind, count] of others) addCount(counts.others, kind, count);
  }

  #countsOf(day: string): DayCounts {
    const known = this.#unsaved.get(day);
    if (known !== undefined) return known;
    const counts = { addresses: new Map<string, number>(), others: new Map<ViewKind, number>() };
    this.#unsaved.set(day, counts);
    return counts;
  }

  #count({ addresses, others }: DayCounts, address: string, count: number): void {
    const known = addresses.get(address);
    if (known !== undefined) {
      addresses.set(address, known + count);
    } else if (this.#addressCount < ADDRESSES_UNSAVED_MAX) {
      this.#addressCount += 1;
      addresses.set(address, count);
    } else {
      const kind = kindOf(address);
      if (kind !== null) addCount(others, kind, count);
    }
  }
}

function dayViews({ addresses, others }: DayCounts, day: string): DailyViewCount[] {
  const totals = new Map(others);
  for (const [address, count] of addresses) {
    const kind = kindOf(address);
    if (kind !== null) addCount(totals, kind, count);
  }
  return [...totals].map(([kind, count]) => ({ day, kind, count }));
}

function addCount<K>(counts: Map<K, number>, key: K, count: number): void {
  counts.set(key, (counts.get(key) ?? 0) + count);
}

export interface ViewStatistics {
  /** Total number of views of pages as HTML. */
  total: number;
  byDay: DailyViewCount[];
  top: { path: string; count: number }[];
  /** Addresses that were answered with 404, most frequent first. */
  missing: { path: string; count: number }[];
}

/** Views in a period; lists have at most `limit` entries. */
export async function readViewStatistics(
  views: ViewCountStore,
  period: UtcDayRange,
  limit: number,
): Promise<ViewStatistics> {
  const byDay = await views.days(period);
  const pages = new Map<string, number>();
  const missing = new Map<string, number>();
  for (const day of iterateDaysLatestFirst(period)) {
    for (const { kind, path, count } of await views.pathsOfDay(day)) {
      const counts = kind === "missing" ? missing : pages;
      counts.set(path, (counts.get(path) ?? 0) + count);
    }
  }
  const pageViews = byDay.filter(({ kind }) => kind === "page");
  return {
    total: pageViews.reduce((sum, { count }) => sum + count, 0),
    byDay,
    top: mostViewed(pages, limit),
    missing: mostViewed(missing, limit),
  };
}

function mostViewed(
  counts: ReadonlyMap<string, number>,
  limit: number,
): { path: string; count: number }[] {
  return findMostFrequentTexts(textCountsFromMap(counts), limit).map(({ text: path, count }) => ({
    path,
    count,
  }));
}

/**
 * Returns the views of each path, separately by `ViewKind`. Leaves out 404s whose paths may contain
 * personal data.
 */
function pathViews(counts: ReadonlyMap<string, number>, day: string): PathViewCount[] {
  const views = new Map<string, PathViewCount>();
  for (const [address, count] of counts) {
    const kind = kindOf(address);
    const path = address.slice(address.indexOf(" ") + 1);
    if (kind === null || (kind === "missing" && isPersonal(path))) continue;
    const key = `${kind} ${path}`;
    views.set(key, { day, kind, path, count: count + (views.get(key)?.count ?? 0) });
  }
  return [...views.values()];
}

/** Returns the `ViewKind` of a response; null: the response is not a page and is not counted. */
function kindOf(address: string): ViewKind | null {
  return KIND_OF_FORM.get(address.slice(0, address.indexOf(" "))) ?? null;
}

/** Matches long words with letters and digits, which are probably keys or tokens. */
const SECRET_LIKE = /^(?=.*\d)(?=.*[a-z])[a-z\d+=~]{16,}$/i;
/**
 * Matches words of 40 or more letters, even without digits, and words of 8 or more characters with digits and
 * mixed case.
 */
const TOKEN_LIKE = /^[A-Za-z+=~]{40,}$|^(?=.*[A-Z])(?=.*[a-z])(?=.{8})\w*[A-Za-z]\d+[A-Za-z]\w*$/;
const UUID_PATTERN = /[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}/i;
/** Matches telephone, card and account numbers, with or without separators between digits. */
const LONG_NUMBER = /\d(?:[ .()+_-]{0,2}\d){8,}/;
/**
 * Matches the at sign of an e-mail address: literal, percent-encoded any number of times, or
 * written out.
 */
const AT_SIGN = /@|%(?:25)*40|[([]at[)\]]/i;

/** Whether a path may contain personal data or a secret. */
function isPersonal(path: string): boolean {
  return (
    path.length > PATH_CHARACTERS_MAX ||
    [AT_SIGN, UUID_PATTERN, LONG_NUMBER].some((pattern) => pattern.test(path)) ||
    containsCredential(path) ||
    path.split(/[/._-]/).some((word) => SECRET_LIKE.test(word) || TOKEN_LIKE.test(word))
  );
}
