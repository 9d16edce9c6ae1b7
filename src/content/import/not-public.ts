import type { Wording } from "../../errors.ts";
import { momentIn } from "../site/time-zone.ts";
import { joinedMoment } from "./joined-moment.ts";

/** What a foreign key says about an item's visibility. */
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
  draft: (value) => flag(value, NO_VALUES),
  private: (value) => flag(value, NO_VALUES),
  // Docusaurus: visible only to those who know the address.
  unlisted: (value) => flag(value, NO_VALUES),
  // Hugo: the page is only a part of others.
  headless: (value) => flag(value, NO_VALUES),
  build: ofBuild,
  _build: ofBuild,
  published: (value, context) =>
    momentOf(value, context) === null ? flag(value, YES_VALUES) : begin(value, context),
  publishdate: begin,
  date: begin,
  expireat: end,
  expirydate: end,
  expires: end,
  unpublishdate: end,
};

/**
 * Interprets the keys with which other publishing programs hide items, ignoring case.
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
    const isDate = DATE_KEYS.has(name) && momentOf(value, context) !== null;
    return [{ key, ...rule(value, context), isDate }];
  });
}

/** Hides the item unless the value clearly means public. */
function flag(value: unknown, open: ReadonlySet<string>): VisibilityEffect {
  const isHidden = !open.has(String(value).toLowerCase());
  const message = isHidden ? NOT_PUBLIC : null;
  return { isHidden, message };
}

/** Hugo's build options: a page is hidden if `render` is `never`, or `false` in older versions. */
function ofBuild(value: unknown): VisibilityEffect {
  const hasRender = typeof value === "object" && value !== null && "render" in value;
  const render = hasRender ? String(value.render) : "";
  return NO_VALUES.has(render) || render === "never"
    ? { isHidden: true, message: NOT_PUBLIC }
    : { isHidden: false, message: null };
}

function begin(value: unknown, context: Context): VisibilityEffect {
  const moment = momentOf(value, context);
  const isHidden = moment !== null && moment > context.now.getTime();
  const message = isHidden ? IN_FUTURE : null;
  return { isHidden, message };
}

function end(value: unknown, context: Context): VisibilityEffect {
  const moment = momentOf(value, context);
  const isHidden = moment === null || moment <= context.now.getTime();
  const message = isHidden ? NO_LONGER_PUBLIC : null;
  return { isHidden, message };
}

/** Milliseconds since 1970; null if the value is not a date. */
function momentOf(value: unknown, { timeZone }: Context): number | null {
  if (value instanceof Date) return value.getTime();
  if (typeof value !== "string" || !/^\d{4}-\d{2}-\d{2}/.test(value)) return null;
  try {
    return momentIn(timeZone, joinedMoment(value)).getTime();
  } catch {
    const moment = Date.parse(value);
    return Number.isNaN(moment) ? null : moment;
  }
}
