import { englishOnlyWording, inputError, type Problem } from "../../errors.ts";
import type { ContentType } from "../types/content-type.ts";
import { describeIssue, formatInputPath, wordingOfIssue } from "./issue-messages.ts";
import { type Item, type ItemInput, itemInputSchema } from "./item.ts";
import { applyMergePatch, isObject, type MergePatch, withoutNulls } from "./merge-patch.ts";

const REQUIRED_KEYS: ReadonlySet<string> = new Set(["type", "path", "title", "status"]);
const READ_ONLY_KEYS: ReadonlySet<string> = new Set([
  "id",
  "createdAt",
  "updatedAt",
  "revision",
  "url",
  "translations",
  "incoming",
  "formerPaths",
  "missingMedia",
]);

/**
 * Applies a merge patch to an item. Null removes a value. In `fields` and `relations`, each name is
 * patched separately, but the targets of a relation are replaced as a whole.
 *
 * @throws {AppError} `invalid`, with a problem for each fault.
 */
export function applyItemPatch(item: Item, patch: MergePatch, type: ContentType): ItemInput {
  const problems = Object.entries(patch).flatMap(([key, value]) => keyFaults(key, value));
  const merged = mergedKeys(itemAsInput(item, type), patch);
  const parsed = itemInputSchema.safeParse(merged, { error: describeIssue });
  for (const issue of parsed.error?.issues ?? []) {
    const [key = ""] = issue.path.map(String);
    const isReported =
      key === "" ? problems.length > 0 : problems.some(({ where }) => where === key);
    if (!isReported)
      problems.push({ where: formatInputPath(issue.path), message: wordingOfIssue(issue) });
  }
  if (parsed.success && problems.length === 0) {
    problems.push(...findPublishTimeProblems(patch, parsed.data));
    if (problems.length === 0) return parsed.data;
  }
  throw inputError(
    { en: `Cannot change "${item.path}"`, de: `„${item.path}“ lässt sich so nicht ändern` },
    problems,
  );
}

/** Reports a `publishAt` if the status is not `scheduled`, because the time would be lost. */
export function findPublishTimeProblems(
  change: { publishAt?: unknown },
  { status }: Pick<ItemInput, "status">,
): Problem[] {
  const publishAt = change.publishAt ?? null;
  if (publishAt === null || status === "scheduled") return [];
  const message = {
    en: `is for scheduled items, and this one is to be ${status}; state the status scheduled`,
    de: "gilt nur, wenn der Inhalt zu einer Zeit veröffentlicht werden soll",
  };
  return [{ where: "publishAt", message }];
}

function keyFaults(key: string, value: unknown): Problem[] {
  if (READ_ONLY_KEYS.has(key)) {
    return [{ where: key, message: englishOnlyWording("is set by the service; leave it out") }];
  }
  if (key === "redirectFrom") {
    return [
      { where: key, message: englishOnlyWording("is changed at /api/v1/redirects; leave it out") },
    ];
  }
  if (!Object.hasOwn(itemInputSchema.shape, key)) {
    const known = Object.keys(itemInputSchema.shape).join(", ");
    return [
      { where: key, message: englishOnlyWording(`is not a part of an item; it has ${known}`) },
    ];
  }
  if (value === null && REQUIRED_KEYS.has(key)) {
    return [
      {
        where: key,
        message: {
          en: "cannot be taken away; state another or leave it out",
          de: "darf nicht fehlen",
        },
      },
    ];
  }
  return [];
}

/**
 * The item as an input, without fields and relations that its type does not declare. The input has
 * no path, so that the item keeps its path unless the patch states one.
 */
function itemAsInput(item: Item, type: ContentType): Record<string, unknown> {
  const onlyDeclared = (values: object, known: object) =>
    Object.fromEntries(Object.entries(values).filter(([name]) => Object.hasOwn(known, name)));
  return {
    type: item.type,
    title: item.title,
    summary: item.summary,
    body: item.body,
    fields: onlyDeclared(item.fields, type.fields),
    relations: onlyDeclared(item.relations, type.relations),
    language: item.language,
    translationOf: item.translationOf,
    // An input cannot have the status `deleted`. Deleted items are rejected later, with a message
    // of their own.
    status: item.status === "deleted" ? "draft" : item.status,
    publishAt: item.publishAt,
    publishedAt: item.publishedAt,
    expireAt: item.expireAt,
    reviewAt: item.reviewAt,
    sourceKey: item.sourceKey,
  };
}

/**
 * Merges a patch into an input. Replaces the value of each patched field or relation as a whole.
 */
function mergedKeys(input: Record<string, unknown>, patch: MergePatch): Record<string, unknown> {
  const merged = { ...input, ...patch };
  for (const key of ["fields", "relations"]) {
    const values = patch[key];
    if (isObject(values)) merged[key] = applyMergePatch(input[key], values);
    else if (values === null) merged[key] = {};
  }
  return withoutNulls(merged);
}
