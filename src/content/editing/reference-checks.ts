import { AppError, type Problem, type Wording } from "../../errors.ts";
import type { Item, Status } from "../items/item.ts";
import type { MergePatch } from "../items/merge-patch.ts";
import { NAMED_REFERRERS_MAX, type References } from "./references.ts";

const TEXT_LINK: Wording = { en: "links to it in its text", de: "verlinkt sie im Text" };
const WITHDRAWN_STATUSES: readonly Status[] = ["draft", "archived", "deleted"];

/** Thrown if other items refer to an item. The problems concern those items, not the input. */
export class ItemReferencedError extends AppError {
  constructor(wording: Wording, problems: readonly Problem[]) {
    super("conflict", wording, { problems });
  }
}

/**
 * Refuses to withdraw an item that other items refer to.
 *
 * @throws {ItemReferencedError} naming the first of these items.
 */
export function requireUnreferenced(
  { relations, texts, total }: References,
  { path }: { path: string },
): void {
  if (total === 0) return;
  const problems = [
    ...relations.flatMap(({ relation, items }) =>
      items.map((item) => ({
        where: item.path,
        message: { en: `states it as ${relation}`, de: `ist damit verknüpft (${relation})` },
      })),
    ),
    ...texts.items.map((item) => ({ where: item.path, message: TEXT_LINK })),
  ];
  const namedPaths = problems.slice(0, NAMED_REFERRERS_MAX).map(({ where }) => where);
  const more = andOthers(total, namedPaths);
  throw new ItemReferencedError(
    {
      en: `Cannot withdraw "${path}": ${namedPaths.join(", ")}${more.en} point to it. Change them, or repeat with references=keep`,
      de: `„${path}“ lässt sich so nicht zurückziehen: ${namedPaths.join(", ")}${more.de} verweisen darauf. Ändern Sie diese Stellen zuerst, oder bestätigen Sie, dass die Verweise bleiben sollen`,
    },
    problems.slice(0, NAMED_REFERRERS_MAX),
  );
}

/** Whether a patch sets the status or the address of an item. */
export function setsStatusOrAddress(patch: MergePatch): boolean {
  return "status" in patch || "path" in patch || "slug" in patch;
}

/** Whether a change could remove the item from its address, so that references to it must be looked up. */
export function changesStatusOrAddress(
  { status, path }: Pick<Item, "status" | "path">,
  patch: MergePatch,
): boolean {
  if (status === "deleted") return false;
  const [toStatus, toPath] = [patch["status"] ?? status, patch["path"] ?? path];
  return toStatus !== status || toPath !== path || "slug" in patch;
}

/**
 * Refuses to withdraw an item that other items refer to, or to change its address while texts link to the
 * current address. Relations are not affected by a new address.
 *
 * @param references null or undefined if the caller accepts that links break.
 * @throws {ItemReferencedError} naming the first references.
 */
export function requireNoBrokenReferences(
  references: References | null | undefined,
  before: Pick<Item, "status" | "path"> | null,
  after: Pick<Item, "status" | "path">,
): void {
  if (references == null || before === null || before.status === "deleted") return;
  const isWithdrawn = after.status !== before.status && WITHDRAWN_STATUSES.includes(after.status);
  if (isWithdrawn) requireUnreferenced(references, before);
  if (after.path === before.path || references.texts.total === 0) return;
  const { items, total } = references.texts;
  const namedPaths = items.slice(0, NAMED_REFERRERS_MAX).map(({ path }) => path);
  const more = andOthers(total, namedPaths);
  throw new ItemReferencedError(
    {
      en: `Cannot move "${before.path}": the texts of ${namedPaths.join(", ")}${more.en} link to it. Change them, or repeat with references=keep`,
      de: `Die Adresse „${before.path}“ lässt sich so nicht ändern: Texte in ${namedPaths.join(", ")}${more.de} verlinken sie. Ändern Sie diese Stellen zuerst, oder bestätigen Sie, dass die Links bleiben sollen`,
    },
    namedPaths.map((where) => ({ where, message: TEXT_LINK })),
  );
}

function andOthers(total: number, named: readonly string[]): Wording {
  const count = total - named.length;
  return count > 0 ? { en: ` and ${count} more`, de: ` und ${count} weitere` } : { en: "", de: "" };
}
