import type { Wording } from "../../errors.ts";
import { momentIn } from "../site/time-zone.ts";
import { isoDateTime } from "./iso-date-time.ts";

/** The effect of a key from another site generator on an item's visibility. */
interface VisibilityStatement {
  /** Spelled as in the input. */
  key: string;
  /** A warning for the editor, or null. */
  message: Wording | null;
  /** Whether the item must not be published. */
  isHidden: boolean;
  /** Whether the value is a date that the item keeps. */
  isDate: boolean;
}

type VisibilityEffect = Pick<VisibilityStatement, "message" | "isHidden">;

interface Context {
  now: Date;
  timeZone: string;
}

/** Keys whose dates an item keeps. */
const DATE_KEYS: ReadonlySet<string> = new Set([
  "date",
  "expireat",
  "expirydate",
  "expires",
  "unpublishdate",
]);
const YES_VALUES: ReadonlySet<string> = new Set(["true", "yes", "on", "1"]);
const NO_VALUES: ReadonlySet<string> = new Set(["false", "no", "off", "0"]);
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

const VISIBILITY_RULES: Readonly<
  Record<string, (value: unknown, context: Context) => VisibilityEffect>
> = {
  draft: (value) => hiddenUnless(value, NO_VALUES),
  private: (value) => hiddenUnless(value, NO_VALUES),
  // Docusaurus: visible only to those who know the address.
  unlisted: (value) => hiddenUnless(value, NO_VALUES),
  // Hugo: the page is only a part of other pages.
  headless: (value) => hiddenUnless(value, NO_VALUES),
  build: hiddenByBuild,
  _build: hiddenByBuild,
  published: (value, context) =>
    timeOf(value, context) === null
      ? hiddenUnless(value, YES_VALUES)
      : hiddenBefore(value, context),
  publishdate: hiddenBefore,
  date: hiddenBefore,
  expireat: hiddenAfter,
  expirydate: hiddenAfter,
  expires: hiddenAfter,
  unpublishdate: hiddenAfter,
};

/**
 * Interprets the keys with which other site generators hide items, ignoring case.
 *
 * @param isOwn whether the item's type declares the key, which then has another meaning.
 */
export function visibilityStatements(
  raw: Readonly<Record<string, unknown>>,
  context: Context,
  isOwn: (key: string) => boolean,
): VisibilityStatement[] {
  return Object.entries(raw).flatMap(([key, value]) => {
    const name = key.toLowerCase();
    const rule = Object.hasOwn(VISIBILITY_RULES, name) ? VISIBILITY_RULES[name] : undefined;
    if (rule === undefined || isOwn(key) || value === null || value === undefined) return [];
    const isDate = DATE_KEYS.has(name) && timeOf(value, context) !== null;
    return [{ key, ...rule(value, context), isDate }];
  });
}

/** Hides the item unless the value clearly means public. */
function hiddenUnless(value: unknown, publicValues: ReadonlySet<string>): VisibilityEffect {
  const isHidden = !publicValues.has(String(value).toLowerCase());
  const message = isHidden ? NOT_PUBLIC : null;
  return { isHidden, message };
}

/** Hugo's build options: a page is hidden if `render` is `never`, or `false` in older versions. */
function hiddenByBuild(value: unknown): VisibilityEffect {
  const hasRender = typeof value === "object" && value !== null && "render" in value;
  const render = hasRender ? String(value.render) : "";
  return NO_VALUES.has(render) || render === "never"
    ? { isHidden: true, message: NOT_PUBLIC }
    : { isHidden: false, message: null };
}

function hiddenBefore(value: unknown, context: Context): VisibilityEffect {
  const time = timeOf(value, context);
  const isHidden = time !== null && time > context.now.getTime();
  const message = isHidden ? IN_FUTURE : null;
  return { isHidden, message };
}

function hiddenAfter(value: unknown, context: Context): VisibilityEffect {
  const time = timeOf(value, context);
  const isHidden = time === null || time <= context.now.getTime();
  const message = isHidden ? NO_LONGER_PUBLIC : null;
  return { isHidden, message };
}

/** Milliseconds since 1970; null if the value is not a date. */
function timeOf(value: unknown, { timeZone }: Context): number | null {
  if (value instanceof Date) return value.getTime();
  if (typeof value !== "string" || !/^\d{4}-\d{2}-\d{2}/.test(value)) return null;
  try {
    return momentIn(timeZone, isoDateTime(value)).getTime();
  } catch {
    const time = Date.parse(value);
    return Number.isNaN(time) ? null : time;
  }
}
