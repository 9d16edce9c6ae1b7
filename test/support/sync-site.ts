import type { Actor } from "../../src/access/actor.ts";
import { changeItem, saveItem } from "../../src/content/editing/editing.ts";
import { archiveItem, deleteItem, publishItem } from "../../src/content/editing/publishing.ts";
import type { Item } from "../../src/content/items/item.ts";
import type { OpenRecord } from "../../src/storage/record/stores.ts";
import { itemsInSnapshot } from "./snapshot-items.ts";

const OPERATOR: Actor = { kind: "operator" };

/** All items that are not deleted, by path. */
export async function itemsOf(record: OpenRecord): Promise<Item[]> {
  await using snapshot = record.snapshot();
  const items = await itemsInSnapshot(snapshot);
  // Ids of the same millisecond have no order.
  return items.map(({ item }) => item).sort((one, other) => (one.path < other.path ? -1 : 1));
}

export async function createPage(
  { content }: OpenRecord,
  page: Pick<Item, "path" | "title" | "summary" | "body">,
): Promise<void> {
  const rest = { type: "page", fields: {}, relations: {}, status: "draft" as const };
  await saveItem(content, OPERATOR, { ...page, ...rest }, new Date());
}

export async function replaceOnSite(
  { content }: OpenRecord,
  { id, title, summary, body }: Item,
  [old, word]: readonly [string, string],
): Promise<void> {
  const texts = Object.entries({ title, summary, body }).filter(([, text]) => text.includes(old));
  const patch = Object.fromEntries(texts.map(([part, text]) => [part, text.replaceAll(old, word)]));
  await changeItem(content, OPERATOR, id, { patch, now: new Date() });
}

export async function movePage({ content }: OpenRecord, { id }: Item, path: string): Promise<void> {
  await changeItem(content, OPERATOR, id, { patch: { path }, now: new Date() });
}

export async function deletePage({ content }: OpenRecord, { id }: Item): Promise<void> {
  await deleteItem(content, OPERATOR, id, { now: new Date() });
}

/** Publishes an item, or withdraws one that is published. */
export async function changeStatus({ content }: OpenRecord, { id, status }: Item): Promise<void> {
  const change = status === "published" ? archiveItem : publishItem;
  await change(content, OPERATOR, id, { now: new Date() });
}
