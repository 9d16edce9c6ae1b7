import type { Wording } from "../../errors.ts";
import { parseTimeInZone } from "../site/time-zone.ts";
import { toIsoDateTime } from "./iso-date-time.ts";

/** The effect of a key from another site generator on an item's visibility. */
interface VisibilityStatement {
  /** Spelled as in the input. */
  key: string;
  /** A warning for the editor, or null. */
  message: Wording | null;
  /** Whether the item must not be published. */
  isHidden: boolean;
  /**
   * Whether the value is a date that the import stores with the item, in addition to its effect on
   * visibility.
   */
  isStoredDate: boolean;
}

type VisibilityEffect = Pick<VisibilityStatement, "message" | "isHidden">;

const NO_EFFECT: VisibilityEffect = { isHidden: false, message: null };

interface Context {
  now: Date;
  timeZone: string;
}

/** Keys that affect visibility and whose dates the import also stores with the item. */
const DATE_KEYS: ReadonlySet<string> = new Set([
  "date",
  "expireat",
  "expirydate",
  "expires",
  "unpublishdate",
]);
/** Keys, in lower case, for the date on which an item becomes public. */
export const PUBLICATION_DATE_KEYS: readonly string[] = [
  ..."publishdate publish_date published_at publisheddate published_date".split(" "),
  ..."pubdate datepublished date_published".split(" "),
];
const YES_VALUES: ReadonlySet<string> = new Set(["true", "yes", "on", "1"]);
const NO_VALUES: ReadonlySet<string> = new Set(["false", "no", "off", "0"]);
/** Values of `visibility` and `access` that clearly mean "public". */
const PUBLIC_VALUES: ReadonlySet<string> = new Set([
  ...YES_VALUES,
  ..."all anybody anyone everybody everyone free guest guests open public published".split(" "),
  ..."unrestricted visible world alle frei offen sichtbar öffentlich".split(" "),
  ...["open access", "open-access", "open_access"],
]);
const KEPT_AS_DRAFT = { en: "the item is kept as a draft", de: "der Inhalt bleibt ein Entwurf" };
const NOT_PUBLIC: Wording = {
  en: `says that this is not public: ${KEPT_AS_DRAFT.en}`,
  de: `sagt, dass das nicht öffentlich ist: ${KEPT_AS_DRAFT.de}`,
};
const NO_LONGER_PUBLIC: Wording = {
  en: `says that this is no longer public: ${KEPT_AS_DRAFT.en}`,
  de: `sagt, dass das nicht mehr öffentlich ist: ${KEPT_AS_DRAFT.de}`,
};
const IN_FUTURE: Wording = {
  en: `is in the future: ${KEPT_AS_DRAFT.en}; to publish it then, state status: scheduled and publishAt`,
  de: `liegt in der Zukunft: ${KEPT_AS_DRAFT.de}; soll er dann öffentlich werden, geben Sie status: scheduled und publishAt an`,
};

const UNREADABLE: Wording = {
  en: `is a date of publication that cannot be read: ${KEPT_AS_DRAFT.en}; write it like 2026-11-21`,
  de: `ist ein Tag der Veröffentlichung, der sich nicht lesen lässt: ${KEPT_AS_DRAFT.de}; schreiben Sie ihn wie 2026-11-21`,
};

type VisibilityRule = (value: unknown, context: Context) => VisibilityEffect;

/**
 * Keys, in lower case, that hide an item unless their value is negative. Docusaurus shows an
 * `unlisted` page only to those who know its address. Hugo uses a `headless` page only as a part of
 * other pages.
 */
const HIDING_KEYS: readonly string[] = [
  ..."draft isdraft is_draft private isprivate is_private protected membersonly".split(" "),
  ..."members_only unlisted headless".split(" "),
];
/** Keys, in lower case, that hide an item unless their value is affirmative. */
const SHOWING_KEYS: readonly string[] = "public ispublic is_public ispublished is_published".split(
  " ",
);

const VISIBILITY_RULES: Readonly<Record<string, VisibilityRule>> = {
  ...rulesFor(HIDING_KEYS, (value) => hiddenUnless(value, NO_VALUES)),
  ...rulesFor(SHOWING_KEYS, (value) => hiddenUnless(value, YES_VALUES)),
  access: hiddenUnlessForAll,
  visibility: hiddenUnlessForAll,
  password: (value) => (isEmpty(value) ? NO_EFFECT : hiddenUnless(value, NO_VALUES)),
  // Zola builds no page if `render` is false.
  render: (value) => hiddenUnless(value, YES_VALUES),
  build: hiddenByBuild,
  _build: hiddenByBuild,
  published: (value, context) =>
    timeOf(value, context) === null
      ? hiddenUnless(value, YES_VALUES)
      : hiddenBefore(value, context),
  ...rulesFor(PUBLICATION_DATE_KEYS, hiddenBefore),
  date: hiddenBeforeDay,
  expireat: hiddenAfter,
  expirydate: hiddenAfter,
  expires: hiddenAfter,
  unpublishdate: hiddenAfter,
};

/** Whether a key can hide an item. */
export function isVisibilityKey(key: string): boolean {
  return Object.hasOwn(VISIBILITY_RULES, key.toLowerCase());
}

/**
 * Interprets the keys with which other site generators hide items, ignoring case.
 *
 * @param isOwn whether the item's type declares the key. Such a key has another meaning and is
 * ignored.
 */
export function parseVisibilityKeys(
  raw: Readonly<Record<string, unknown>>,
  context: Context,
  isOwn: (key: string) => boolean,
): VisibilityStatement[] {
  return Object.entries(raw).flatMap(([key, value]) => {
    const name = key.toLowerCase();
    const rule = Object.hasOwn(VISIBILITY_RULES, name) ? VISIBILITY_RULES[name] : undefined;
    if (rule === undefined || isOwn(key) || value === null || value === undefined) return [];
    const isStoredDate = DATE_KEYS.has(name) && timeOf(value, context) !== null;
    return [{ key, ...rule(value, context), isStoredDate }];
  });
}

function rulesFor(
  keys: readonly string[],
  rule: VisibilityRule,
): Readonly<Record<string, VisibilityRule>> {
  return Object.fromEntries(keys.map((key) => [key, rule]));
}

/** Hides the item unless the value clearly means public. */
function hiddenUnless(value: unknown, publicValues: ReadonlySet<string>): VisibilityEffect {
  const isHidden = !publicValues.has(String(value).trim().toLowerCase());
  const message = isHidden ? NOT_PUBLIC : null;
  return { isHidden, message };
}

/** Hides the item unless the value clearly means public or is empty. Checks each value of a list. */
function hiddenUnlessForAll(value: unknown): VisibilityEffect {
  const stated = [value].flat().filter((each) => String(each ?? "").trim() !== "");
  const effects = stated.map((each) => hiddenUnless(each, PUBLIC_VALUES));
  return effects.find(({ isHidden }) => isHidden) ?? NO_EFFECT;
}

/**
 * Hides a page for which Hugo writes no file: the build option `render` is `never`, `link` or, in
 * older versions, `false`.
 */
function hiddenByBuild(value: unknown): VisibilityEffect {
  const hasRender = typeof value === "object" && value !== null && "render" in value;
  const render = hasRender ? String(value.render).toLowerCase() : "";
  return NO_VALUES.has(render) || render === "never" || render === "link"
    ? { isHidden: true, message: NOT_PUBLIC }
    : NO_EFFECT;
}

/** Hides the item until its date of publication, and always if the date cannot be read. */
function hiddenBefore(value: unknown, context: Context): VisibilityEffect {
  const time = timeOf(value, context);
  if (time === null && !isEmpty(value)) return { isHidden: true, message: UNREADABLE };
  return hiddenIfFuture(time, context);
}

/**
 * Hides the item until its date. If the value is not a readable date, hides the item only if the
 * value contains this year or a later one.
 */
function hiddenBeforeDay(value: unknown, context: Context): VisibilityEffect {
  const time = timeOf(value, context);
  const years = time === null ? (String(value).match(/(?<!\d)\d{4}(?!\d)/g) ?? []) : [];
  const mayBeFuture = years.some((year) => Number(year) >= context.now.getUTCFullYear());
  if (mayBeFuture) return { isHidden: true, message: UNREADABLE };
  return hiddenIfFuture(time, context);
}

function isEmpty(value: unknown): boolean {
  return value === false || String(value).trim() === "";
}

function hiddenIfFuture(time: number | null, { now }: Context): VisibilityEffect {
  const isHidden = time !== null && time > now.getTime();
  const message = isHidden ? IN_FUTURE : null;
  return { isHidden, message };
}

function hiddenAfter(value: unknown, context: Context): VisibilityEffect {
  const time = timeOf(value, context);
  const isHidden = time === null || time <= context.now.getTime();
  const message = isHidden ? NO_LONGER_PUBLIC : null;
  return { isHidden, message };
}

/**
 * Milliseconds since 1970; null if the value is not a date. An ambiguous date is read as the later day, so
 * that nothing is published early.
 */
function timeOf(value: unknown, { timeZone }: Context): number | null {
  const times = (["day-first", "month-first"] as const).flatMap((order) => {
    const text = toIsoDateTime(value, order);
    return text === null ? [] : [momentOf(text, timeZone)];
  });
  return times.length === 0 ? null : Math.max(...times);
}

function momentOf(text: string, timeZone: string): number {
  try {
    return parseTimeInZone(timeZone, text).getTime();
  } catch {
    return Date.parse(text);
  }
}
