import type { ContentReader } from "../record.ts";
import type { Item } from "./item.ts";
import { invalidInputError } from "./validation.ts";

/**
 * Refuses an item that would make its translation group invalid. A valid group has one original,
 * which is not itself a translation, and at most one item per language. Deleted translations do not
 * count. A group remains if its original is deleted or archived.
 *
 * @throws {AppError} `invalid`, naming the conflicting item.
 */
export async function requireValidTranslationGroup(
  content: ContentReader,
  item: Item,
  before: Item | null,
): Promise<void> {
  if (!mayDisturb(item, before)) return;
  const subject = `"${item.path}"`;
  const ownGroup = before === null ? [] : await content.translations(item.id);
  const ownTranslations = ownGroup.filter(({ id }) => id !== item.id);
  const [first] = ownTranslations;
  if (item.translationOf !== null && first !== undefined) {
    const message = {
      en: `it is the original of "${first.path}" (${first.language}), and a translation cannot be one; take the translationOf away there first`,
      de: `„${first.path}“ (${first.language}) ist eine Übersetzung davon, und eine Übersetzung kann selbst keine haben: Lösen Sie zuerst dort die Verbindung`,
    };
    throw invalidInputError(subject, [{ where: "translationOf", message }]);
  }
  const group =
    item.translationOf === null ? ownTranslations : await content.translations(item.translationOf);
  const sibling = group.find(({ id, language }) => id !== item.id && language === item.language);
  if (sibling === undefined) return;
  const message = {
    en: `"${sibling.path}" is the ${item.language} item of these translations already`,
    de: `In dieser Sprache (${item.language}) gibt es unter den Übersetzungen schon „${sibling.path}“`,
  };
  throw invalidInputError(subject, [{ where: "language", message }]);
}

/**
 * Returns the id of the original of an item's translation group; the id itself if the item is the original.
 * Follows several steps, because the original of a deleted translation may have become a translation since.
 */
export async function findOriginalId(content: ContentReader, id: string): Promise<string> {
  const passed = new Set<string>();
  for (let original = id; ; ) {
    const next = (await content.item(original))?.translationOf ?? null;
    if (next === null || passed.has(next)) return original;
    passed.add(original);
    original = next;
  }
}

/** Whether the change can affect the translation group. New originals and most changes cannot. */
function mayDisturb(item: Item, before: Item | null): boolean {
  if (before === null) return item.translationOf !== null;
  return (
    before.translationOf !== item.translationOf ||
    before.language !== item.language ||
    (before.status === "deleted" && item.status !== "deleted")
  );
}
