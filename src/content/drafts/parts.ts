import { isDeepStrictEqual } from "node:util";
import { AppError, englishOnlyWording, type Problem } from "../../errors.ts";
import type { Item } from "../items/item.ts";
import { targetNameOf } from "../items/link-targets.ts";
import { isObject } from "../items/merge-patch.ts";
import { cleanText, validateFields } from "../items/validation.ts";
import type { ContentTransaction } from "../record.ts";
import { parseTimeInZone, readSiteTimeZone } from "../site/time-zone.ts";
import type { ContentType } from "../types/content-type.ts";
import type { DraftChanges, DraftedItemParts } from "./draft.ts";

const PLAIN_PARTS = [
  "title",
  "summary",
  "body",
  "path",
  "language",
  "translationOf",
  "publishedAt",
  "expireAt",
  "reviewAt",
] as const satisfies readonly (keyof Item)[];

const TIME_PARTS: ReadonlySet<string> = new Set(["publishedAt", "expireAt", "reviewAt"]);

/** The parts of an item that a draft can change. */
export function partsOfItem(item: Item): DraftedItemParts {
  return {
    ...Object.fromEntries(PLAIN_PARTS.map((part) => [part, item[part]])),
    ...namedParts("fields", item.fields),
    ...namedParts("relations", item.relations),
  };
}

/**
 * Converts the changes to a draft into parts. Valid values are normalised like those of an item, so that
 * values of draft and item can be compared. Invalid values stay as typed.
 *
 * @throws {AppError} `invalid` for a field or relation that the type does not have.
 */
export async function partsFromDraftChanges(
  content: Pick<ContentTransaction, "references" | "site">,
  type: ContentType,
  { fields = {}, relations = {}, ...plain }: DraftChanges,
): Promise<DraftedItemParts> {
  const problems = [
    ...undeclaredProblems("fields", fields, type.fields),
    ...undeclaredProblems("relations", relations, type.relations),
  ];
  if (problems.length > 0) throw invalidDraft(problems, type);
  const names = Object.values(relations).flatMap((links) => (links ?? []).map(targetNameOf));
  const { translationOf } = plain;
  const found = await content.references(
    typeof translationOf === "string" ? [...names, translationOf] : names,
  );
  const linksByName = Object.entries(relations).map(([name, links]) => [
    name,
    (links ?? []).map((link) => ({
      to: found.get(targetNameOf(link))?.id ?? targetNameOf(link),
      note: typeof link === "string" ? null : (link.note ?? null),
    })),
  ]);
  const timeZone = await readSiteTimeZone(content);
  const values = Object.entries(fields).map(([name, value]) => [
    name,
    normalisedField(type, name, value),
  ]);
  return {
    ...Object.fromEntries(
      Object.entries(plain).map(([part, value]) => [part, normalisedPart(part, value, timeZone)]),
    ),
    ...(typeof translationOf === "string"
      ? { translationOf: found.get(translationOf)?.id ?? translationOf }
      : {}),
    ...namedParts("fields", Object.fromEntries(values)),
    ...namedParts("relations", Object.fromEntries(linksByName)),
  };
}

/** Converts parts to a JSON Merge Patch (RFC 7396) of an item. */
export function patchFromParts(parts: DraftedItemParts): Record<string, unknown> {
  const patch: Record<string, unknown> = {};
  for (const [part, value] of Object.entries(parts)) {
    const [group = "", ...name] = part.split(".");
    if (name.length === 0) patch[part] = value;
    else
      patch[group] = { ...(isObject(patch[group]) ? patch[group] : {}), [name.join(".")]: value };
  }
  return patch;
}

/** Whether two values of a part are equivalent. An empty value is equivalent to an absent one. */
export function isSameValue(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(isEmpty(a) ? null : a, isEmpty(b) ? null : b);
}

/** Returns the entries of `parts` whose values differ from the same parts of an item. */
export function partsDifferingFromItem(
  parts: DraftedItemParts,
  item: DraftedItemParts,
): DraftedItemParts {
  return Object.fromEntries(
    Object.entries(parts).filter(([part, value]) => !isSameValue(value, item[part])),
  );
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === "" || (Array.isArray(value) && value.length === 0);
}

function namedParts(group: "fields" | "relations", values: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [`${group}.${name}`, value]),
  );
}

function undeclaredProblems(group: string, values: object, declared: object): Problem[] {
  const knownNames = Object.keys(declared).join(", ") || "none";
  return Object.keys(values)
    .filter((name) => !Object.hasOwn(declared, name))
    .map((name) => ({
      where: `${group}.${name}`,
      message: englishOnlyWording(`does not exist (there are: ${knownNames})`),
    }));
}

function invalidDraft(problems: readonly Problem[], type: ContentType): AppError {
  const messages = problems.map(({ where, message }) => `${where} ${message.en}`).join("; ");
  return new AppError(
    "invalid",
    englishOnlyWording(`Cannot save the draft of a ${type.name}: ${messages}`),
    {
      problems,
    },
  );
}

function normalisedPart(part: string, value: unknown, timeZone: string): unknown {
  if (typeof value !== "string") return value;
  if (TIME_PARTS.has(part)) return parseTimeInZone(timeZone, value, part).toISOString();
  return cleanText(value) ?? value;
}

function normalisedField(type: ContentType, name: string, value: unknown): unknown {
  try {
    return validateFields(type, { [name]: value }, name)[name] ?? null;
  } catch (error) {
    if (error instanceof AppError) return value;
    throw error;
  }
}
