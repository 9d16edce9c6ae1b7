import { openRecordForCommand } from "../../src/app/store.ts";
import { readConfig } from "../../src/config.ts";
import { formatRedirectTarget } from "../../src/content/addresses/redirect-addresses.ts";
import type { Item } from "../../src/content/items/item.ts";
import type { CommandLine } from "./command-line.ts";
import { itemsInSnapshot } from "./snapshot-items.ts";

/** What an import has left in the store. */
export interface ImportedContent {
  /** Items by their path. */
  items: Map<string, Item>;
  /** Targets of redirects by their address. */
  redirects: Map<string, string>;
}

export async function importedContent(line: CommandLine): Promise<ImportedContent> {
  await using record = await openRecordForCommand(readConfig(line.environment));
  const found = await record.desk.redirects({ limit: 200 });
  const items = new Map<string, Item>();
  await using snapshot = record.snapshot();
  for (const { item } of await itemsInSnapshot(snapshot)) items.set(item.path, item);
  const byId = new Map([...items.values()].map(({ id, path }) => [id, path]));
  const redirects = found.map(({ from, to }): [string, string] => [
    from,
    (to !== null && "itemId" in to ? byId.get(to.itemId) : formatRedirectTarget(to)) ?? "",
  ]);
  return { items, redirects: new Map(redirects) };
}
