import { carriesCredential } from "./credentials.ts";
import { dayOf, daysOf, type Period } from "./days.ts";

/**
 * `page`: a page as HTML. `markdown`: a page as Markdown, by its `.md` address or content negotiation.
 * `missing`: a 404.
 */
export const VIEW_KINDS = ["page", "markdown", "missing"] as const;

export type ViewKind = (typeof VIEW_KINDS)[number];

/** How often a path was answered on a UTC day, without any data about clients. */
export interface PathViews {
  day: string;
  kind: ViewKind;
  path: string;
  count: number;
}

/** The total of all paths of one kind on one day. */
export type DayViews = Omit<PathViews, "path">;

export interface ViewStore {
  /** Adds to the stored counts; may drop the least viewed paths of a day. */
  add(days: readonly DayViews[], paths: readonly PathViews[]): Promise<void>;
  /** In order of the days. */
  days(period: Period): Promise<DayViews[]>;
  /** Yields to the event loop, so that many days may be read in a row. */
  pathsOfDay(day: string): Promise<PathViews[]>;
  /** Deletes the path counts and the totals of days before these. */
  forget(before: { paths: string; totals: string }): Promise<void>;
}

/** Counts one answer; `address` is the key of that answer in the answer cache, `FORM PATH`. */
export type NoteView = (address: string) => void;

const KIND_OF_FORM: ReadonlyMap<string, ViewKind> = new Map([
  ["html", "page"],
  ["negotiated", "markdown"],
  ["markdown", "markdown"],
  ["missing", "missing"],
]);

/** Distinct addresses counted per save; views of further addresses only add to the totals. */
const ADDRESSES_UNSAVED_MAX = 2000;
const PATH_CHARACTERS_MAX = 300;

/** Counts answers in memory, at the cost of one look-up each; a clock task saves the counts. */
export class ViewCounter {
  #counts = new Map<string, number>();
  #uncounted = new Map<ViewKind, number>();

  note(address: string): void {
    const known = this.#counts.get(address);
    if (known !== undefined || this.#counts.size < ADDRESSES_UNSAVED_MAX) {
      this.#counts.set(address, (known ?? 0) + 1);
    } else {
      const kind = kindOf(address);
      if (kind !== null) this.#uncounted.set(kind, (this.#uncounted.get(kind) ?? 0) + 1);
    }
  }

  /** Saves new counts, if any. After a failed save, the next one includes them. */
  async save(store: Pick<ViewStore, "add">, now: Date): Promise<void> {
    if (this.#counts.size === 0) return;
    const counts = this.#counts;
    const uncounted = this.#uncounted;
    this.#counts = new Map();
    this.#uncounted = new Map();
    const day = dayOf(now);
    const paths = pathViews(counts, day);
    const totals = new Map(uncounted);
    for (const [address, count] of counts) {
      const kind = kindOf(address);
      if (kind !== null) totals.set(kind, (totals.get(kind) ?? 0) + count);
    }
    const days = [...totals].map(([kind, count]) => ({ day, kind, count }));
    if (days.length === 0) return;
    try {
      await store.add(days, paths);
    } catch (error) {
      for (const [address, count] of counts) {
        this.#counts.set(address, (this.#counts.get(address) ?? 0) + count);
      }
      for (const [kind, count] of uncounted) {
        this.#uncounted.set(kind, (this.#uncounted.get(kind) ?? 0) + count);
      }
      throw error;
    }
  }
}

export interface ViewStatistics {
  /** Pages as HTML. */
  total: number;
  byDay: DayViews[];
  top: { path: string; count: number }[];
  /** Addresses that were answered with 404, most frequent first. */
  missing: { path: string; count: number }[];
}

/** Views in a period; lists are cut at `limit`. */
export async function viewStatistics(
  views: ViewStore,
  period: Period,
  limit: number,
): Promise<ViewStatistics> {
  const byDay = await views.days(period);
  const pages = new Map<string, number>();
  const missing = new Map<string, number>();
  for (const day of daysOf(period)) {
    for (const { kind, path, count } of await views.pathsOfDay(day)) {
      const counts = kind === "missing" ? missing : pages;
      counts.set(path, (counts.get(path) ?? 0) + count);
    }
  }
  const ofPages = byDay.filter(({ kind }) => kind === "page");
  return {
    total: ofPages.reduce((sum, { count }) => sum + count, 0),
    byDay,
    top: mostViewed(pages, limit),
    missing: mostViewed(missing, limit),
  };
}

function mostViewed(
  counts: ReadonlyMap<string, number>,
  limit: number,
): { path: string; count: number }[] {
  return [...counts]
    .map(([path, count]) => ({ path, count }))
    .sort((a, b) => b.count - a.count || (a.path < b.path ? -1 : 1))
    .slice(0, limit);
}

/** Adds up the views of each path by kind; leaves out unknown addresses that may be personal. */
function pathViews(counts: ReadonlyMap<string, number>, day: string): PathViews[] {
  const views = new Map<string, PathViews>();
  for (const [address, count] of counts) {
    const kind = kindOf(address);
    const path = address.slice(address.indexOf(" ") + 1);
    if (kind === null || (kind === "missing" && isPersonal(path))) continue;
    const name = `${kind} ${path}`;
    views.set(name, { day, kind, path, count: count + (views.get(name)?.count ?? 0) });
  }
  return [...views.values()];
}

/** The kind of a view; null: the answer is a document rather than a page. */
function kindOf(address: string): ViewKind | null {
  return KIND_OF_FORM.get(address.slice(0, address.indexOf(" "))) ?? null;
}

/** A long word of letters and digits is probably a key or token. */
const SECRET_LIKE = /^(?=.*\d)(?=.*[a-z])[a-z\d+=~]{16,}$/i;
/** Catches longer words without digits too, and shorter ones with digits and mixed case. */
const TOKEN_LIKE = /^[A-Za-z+=~]{40,}$|^(?=.*[A-Z])(?=.*[a-z])(?=.{8})\w*[A-Za-z]\d+[A-Za-z]\w*$/;
const UUID = /[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}/i;
/** Telephone, card and account numbers, however their digits are separated. */
const LONG_NUMBER = /\d(?:[ .()+_-]{0,2}\d){8,}/;
/** The at sign of an e-mail address: literal, percent-encoded any number of times, or written out. */
const AT_SIGN = /@|%(?:25)*40|[([]at[)\]]/i;

/** Whether an address may contain personal data or a secret. */
function isPersonal(path: string): boolean {
  return (
    path.length > PATH_CHARACTERS_MAX ||
    [AT_SIGN, UUID, LONG_NUMBER].some((pattern) => pattern.test(path)) ||
    carriesCredential(path) ||
    path.split(/[/._-]/).some((word) => SECRET_LIKE.test(word) || TOKEN_LIKE.test(word))
  );
}
