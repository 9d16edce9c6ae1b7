import { openRecordForCommand } from "../../src/app/store.ts";
import { readConfig } from "../../src/config.ts";
import type { Item } from "../../src/content/items/item.ts";
import { openCommandLine } from "./command-line.ts";

type Files = Readonly<Record<string, string | Buffer>>;

/** Imports a folder. Returns the report and the items at these paths. */
export async function importedFolder(files: Files, ...paths: string[]) {
  using line = openCommandLine();
  for (const [name, text] of Object.entries(files)) line.file(`old/${name}`, text);
  const folder = line.file("old/.keep", "").replace(/\/\.keep$/, "");
  const printed = await line.run("import", folder, "--publish");
  const items = new Map<string, Item>();
  await using record = await openRecordForCommand(readConfig(line.environment));
  for (const path of paths) {
    const item = await record.content.itemAt(path);
    if (item !== null) items.set(path, item);
  }
  return { ...printed, items };
}
