/** What a foreign key says about an item's visibility. */
interface Statement {
  /** Spelled as in the input. */
  key: string;
  /** A warning for the editor, or null. */
  message: string | null;
  /** Whether the item must not be published. */
  isHidden: boolean;
}

const YES: ReadonlySet<string> = new Set(["true", "yes", "on", "1"]);
const NO: ReadonlySet<string> = new Set(["false", "no", "off", "0"]);
const KEPT = "the item is kept as a draft";

const RULES: Readonly<Record<string, (value: unknown, now: Date) => Omit<Statement, "key">>> = {
  draft: (value) => flag(value, NO),
  private: (value) => flag(value, NO),
  published: (value, now) => (momentIn(value) === null ? flag(value, YES) : begin(value, now)),
  publishdate: begin,
  date: begin,
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
  stated: Readonly<Record<string, unknown>>,
  now: Date,
  isOwn: (key: string) => boolean,
): Statement[] {
  return Object.entries(stated).flatMap(([key, value]) => {
    const name = key.toLowerCase();
    const rule = Object.hasOwn(RULES, name) ? RULES[name] : undefined;
    if (rule === undefined || isOwn(key) || value === null || value === undefined) return [];
    return [{ key, ...rule(value, now) }];
  });
}

/** Hides the item unless the value clearly means public. */
function flag(value: unknown, open: ReadonlySet<string>): Omit<Statement, "key"> {
  const isHidden = !open.has(String(value).toLowerCase());
  return { isHidden, message: isHidden ? `says that this is not public: ${KEPT}` : null };
}

function begin(value: unknown, now: Date): Omit<Statement, "key"> {
  const moment = momentIn(value);
  const isHidden = moment !== null && moment > now.getTime();
  const advice = "to publish it then, state status: scheduled and publishAt";
  return { isHidden, message: isHidden ? `is in the future: ${KEPT}; ${advice}` : null };
}

function end(value: unknown, now: Date): Omit<Statement, "key"> {
  const moment = momentIn(value);
  const isHidden = moment === null || moment <= now.getTime();
  const message = isHidden
    ? `says that this is no longer public: ${KEPT}`
    : "is in the future, and items do not expire here: archive it by then";
  return { isHidden, message };
}

/** Milliseconds since 1970; null if the value is not a date. */
function momentIn(value: unknown): number | null {
  const isDate = typeof value === "string" && /^\d{4}-\d{2}-\d{2}/.test(value);
  const moment = value instanceof Date ? value.getTime() : isDate ? dateOf(value) : Number.NaN;
  return Number.isNaN(moment) ? null : moment;
}

/** Also accepts Jekyll's `2024-02-01 10:00:00 +0200`. */
function dateOf(text: string): number {
  const joined = text.trim().replace(/^(\S+) (\S+?)(?: ?([+-]\d{2}):?(\d{2})|Z)?$/, "$1T$2");
  const moment = Date.parse(text);
  return Number.isNaN(moment) ? Date.parse(joined) : moment;
}
