import type { z } from "zod";
import type { Wording } from "../../errors.ts";
import { wordingOfIssue } from "../items/issue-messages.ts";
import { type ItemInput, itemInputSchema } from "../items/item.ts";
import type { ContentType, ContentTypes } from "../types/content-type.ts";
import { toIsoDateTime } from "./iso-date-time.ts";
import { parseVisibilityKeys } from "./not-public.ts";
import type { UndeclaredKeyPolicy } from "./parsed-item.ts";
import { LAST_CHANGE_KEY, parseLastChange } from "./parsing/last-change.ts";
import { unknownKeyMessage, unknownTypeProblem } from "./parsing/unknown-keys.ts";
import { parseItemInput } from "./parsing/valid-input.ts";

/** A problem and its position in the input: `fields.year`, `relations.topics[1]`. */
interface InputProblem {
  where: string;
  message: Wording;
  severity: "error" | "warning";
}

interface ParseResult {
  input: ItemInput | null;
  problems: InputProblem[];
  hasStatus: boolean;
  /** Whether the item is saved as a draft, regardless of the options. */
  isNotPublic: boolean;
  /**
   * Keys and types without an equivalent in this service, such as `layout` or `type: Guide`; empty
   * unless `unknown` is `count`.
   */
  leftOut: readonly string[];
  /** When the item was last changed in its source; ISO 8601, UTC. Absent: unknown. */
  updatedAt?: string;
}

export interface ParseOptions {
  types: ContentTypes;
  unknown: UndeclaredKeyPolicy;
  now: Date;
  /** The time zone of dates, and of times without an offset. */
  timeZone: string;
  /** Whether `date` is the time of publication, even if the type has a field of that name. */
  isPost?: boolean;
}

const ITEM_KEYS: readonly string[] = Object.keys(itemInputSchema.shape);

/** Maps keys of other site generators to the equivalent keys of this service. */
const FOREIGN_KEYS: Readonly<Record<string, string>> = {
  date: "publishedAt",
  expiryDate: "expireAt",
  expirydate: "expireAt",
  expires: "expireAt",
  unpublishDate: "expireAt",
  description: "summary",
  lang: "language",
  permalink: "path",
  redirect_from: "redirectFrom",
  aliases: "redirectFrom",
};

const ALL_ITEM_KEYS = [...ITEM_KEYS, LAST_CHANGE_KEY, ...Object.keys(FOREIGN_KEYS)];

const TIME_KEYS: ReadonlySet<string> = new Set(["publishedAt", "expireAt"]);

/** Keys that accept a single value instead of a list. */
const LIST_KEYS: ReadonlySet<string> = new Set(["redirectFrom"]);

/**
 * Parses the keys of front matter or a JSON line. Fields and relations may be top-level keys, and a
 * relation with a single target needs no list.
 */
export function parseItem(
  raw: Readonly<Record<string, unknown>>,
  { types, unknown, now, timeZone, isPost }: ParseOptions,
): ParseResult {
  const severity: InputProblem["severity"] = unknown === "refuse" ? "error" : "warning";
  const type = knownType(raw["type"], types);
  const assumedType = type ?? types.get("page");
  const ownType = withoutDateOfPost(assumedType, isPost === true);
  const visibility = parseVisibilityKeys(raw, { now, timeZone }, (key) => isOwnKey(key, ownType));
  const visibilityKeys =
    unknown === "refuse"
      ? []
      : visibility.filter(({ isStoredDate }) => !isStoredDate).map(({ key }) => key);
  const ownKeys = [LAST_CHANGE_KEY].filter((key) => !isOwnKey(key, ownType));
  const changed = parseLastChange(ownKeys.map((key) => raw[key])[0], timeZone);
  const { candidate, problems, unknownKeys } = sortKeys(
    withoutKeys(raw, [...visibilityKeys, ...ownKeys]),
    ownType,
  );
  const undeclared = [
    ...(type === undefined ? [unknownTypeProblem(raw["type"], types)] : []),
    ...unknownKeys.map((key) => ({
      where: key,
      message: unknownKeyMessage(key, assumedType, ALL_ITEM_KEYS),
      name: key,
    })),
  ];
  if (unknown !== "count") {
    problems.unshift(...undeclared.map(({ where, message }) => ({ where, message, severity })));
  }
  for (const { key, message } of visibility) {
    const isRefused = problems.some(({ where }) => where === key);
    if (message !== null && !isRefused) problems.push({ where: key, message, severity });
  }
  const isNotPublic = visibility.some(({ isHidden }) => isHidden);
  if (isNotPublic) makeNotPublic(candidate);
  const hasErrors = problems.some((problem) => problem.severity === "error");
  const { input, issues } = parseItemInput(candidate);
  for (const issue of issues) {
    const message = issueMessage(issue, candidate);
    problems.push({ where: issuePath(issue.path, raw), message, severity: "error" });
  }
  problems.push(...changed.problems);
  return {
    input: hasErrors ? null : input,
    problems,
    hasStatus: "status" in candidate,
    isNotPublic,
    leftOut: unknown === "count" ? undeclared.map(({ name }) => name) : [],
    ...changed.change,
  };
}

/**
 * For a post, returns the type without its field `date`, because a post's `date` is its time of publication.
 */
function withoutDateOfPost(
  type: ContentType | undefined,
  isPost: boolean,
): ContentType | undefined {
  if (type === undefined || !isPost) return type;
  const { date: _field, ...fields } = type.fields;
  return { ...type, fields };
}

function isOwnKey(key: string, type: ContentType | undefined): boolean {
  return Object.hasOwn(type?.fields ?? {}, key) || Object.hasOwn(type?.relations ?? {}, key);
}

function withoutKeys(
  raw: Readonly<Record<string, unknown>>,
  keys: readonly string[],
): Readonly<Record<string, unknown>> {
  const entries = Object.entries(raw);
  return Object.fromEntries(entries.filter(([key]) => !keys.includes(key)));
}

function makeNotPublic(candidate: Record<string, unknown>): void {
  if (candidate["status"] !== "archived") candidate["status"] = "draft";
  delete candidate["publishAt"];
}

/** Divides keys into item properties, fields and relations. Drops empty values. */
function sortKeys(
  raw: Readonly<Record<string, unknown>>,
  type: ContentType | undefined,
): { candidate: Record<string, unknown>; problems: InputProblem[]; unknownKeys: string[] } {
  const problems: InputProblem[] = [];
  const unknownKeys: string[] = [];
  const candidate: Record<string, unknown> = { ...nonEmpty(raw, ITEM_KEYS), type: type?.name };
  const fields = ownRecord(raw["fields"]);
  const relations = ownRecord(raw["relations"]);
  const parts = { fields, relations, item: candidate };
  for (const [key, value] of Object.entries(nonEmpty(raw, otherKeys(ITEM_KEYS, raw)))) {
    const target = targetOfKey(key, type);
    if (target === null) {
      unknownKeys.push(key);
      continue;
    }
    if (Object.hasOwn(parts[target.part], target.key)) {
      problems.push({
        where: key,
        message: {
          en: `is stated twice, also as ${target.as}`,
          de: `ist zweimal angegeben, auch als ${target.as}`,
        },
        severity: "error",
      });
    }
    parts[target.part][target.key] = valueOfKey(value, target, type);
    if (LIST_KEYS.has(target.key)) parts[target.part][target.key] = [value].flat();
  }
  if (isRecord(raw["fields"] ?? {})) candidate["fields"] = fields;
  if (isRecord(raw["relations"] ?? {})) candidate["relations"] = withLists(relations);
  return { candidate, problems, unknownKeys };
}

function otherKeys(keys: readonly string[], raw: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(raw).filter((key) => !keys.includes(key));
}

function nonEmpty(
  raw: Readonly<Record<string, unknown>>,
  keys: readonly string[],
): Record<string, unknown> {
  const entries = keys.map((key) => [key, raw[key]] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== null && value !== undefined));
}

function knownType(name: unknown, types: ContentTypes): ContentType | undefined {
  return typeof name === "string" ? types.get(name) : undefined;
}

interface KeyTarget {
  part: "fields" | "relations" | "item";
  key: string;
  /** The key as messages show it, such as `fields.year`. */
  as: string;
}

/**
 * The part of an item that a top-level key belongs to: its fields, its relations or its own
 * properties. Null: the key is unknown.
 */
function targetOfKey(key: string, type: ContentType | undefined): KeyTarget | null {
  if (type !== undefined && Object.hasOwn(type.fields, key)) {
    return { part: "fields", key, as: `fields.${key}` };
  }
  if (type !== undefined && Object.hasOwn(type.relations, key)) {
    return { part: "relations", key, as: `relations.${key}` };
  }
  const known = Object.hasOwn(FOREIGN_KEYS, key) ? FOREIGN_KEYS[key] : undefined;
  return known === undefined ? null : { part: "item", key: known, as: known };
}

function withLists(relations: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(relations).map(([name, value]) => [
      name,
      Array.isArray(value) ? value : [value],
    ]),
  );
}

/**
 * The value of a top-level key. Converts times and days to ISO 8601; values that cannot be parsed are
 * unchanged.
 */
function valueOfKey(
  raw: unknown,
  { part, key }: KeyTarget,
  type: ContentType | undefined,
): unknown {
  if (typeof raw !== "string") return raw;
  const isTime = part === "item" && TIME_KEYS.has(key);
  const isDay = part === "fields" && type?.fields[key]?.kind === "date";
  const time = isTime || isDay ? toIsoDateTime(raw) : null;
  return (isDay ? time?.slice(0, 10) : time) ?? raw;
}

function issueMessage(
  issue: z.core.$ZodIssue,
  candidate: Readonly<Record<string, unknown>>,
): Wording {
  const [key = ""] = issue.path;
  const value = candidate[String(key)];
  if (issue.path.length === 1 && (typeof value === "number" || typeof value === "boolean")) {
    const { en, de } = wordingOfIssue(issue);
    return {
      en: `${en}; put it in quotation marks`,
      de: `${de}; setzen Sie es in Anführungszeichen`,
    };
  }
  return wordingOfIssue(issue);
}

/** The path of an issue as text, such as `fields.year`. Begins with the key as the author wrote it. */
function issuePath(path: readonly PropertyKey[], raw: Readonly<Record<string, unknown>>): string {
  const [first = "", ...rest] = path.map(String);
  const foreign = Object.entries(FOREIGN_KEYS).find(
    ([key, own]) => own === first && key in raw && !(own in raw),
  );
  return [foreign?.[0] ?? first, ...rest].reduce((where, part) =>
    /^\d+$/.test(part) ? `${where}[${part}]` : `${where}.${part}`,
  );
}

function ownRecord(value: unknown): Record<string, unknown> {
  return isRecord(value) ? { ...value } : {};
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
