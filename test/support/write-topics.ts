import { saveItem } from "../../src/content/editing.ts";
import { saveSite } from "../../src/content/site-saving.ts";
import { openRecord } from "../../src/storage/record/open.ts";
import { NOW, OPERATOR, RECORD_ORIGIN, SITE, topic } from "./record-store.ts";

/** A process of its own that saves topics, telling each once it is saved: FILE NAME COUNT. */
const [file = "", name = "", count = ""] = process.argv.slice(2);
await using record = await openRecord({ file, origin: RECORD_ORIGIN });
await saveSite(record.content, OPERATOR, SITE, [], NOW);
for (let number = 1; number <= Number(count); number += 1) {
  const input = topic(`${name} ${number}`, { sourceKey: `${name}:${number}` });
  await saveItem(record.content, OPERATOR, input, NOW);
  process.stdout.write(`${name}:${number}\n`);
}
