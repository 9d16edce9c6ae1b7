import { saveItem } from "../../src/content/editing/editing.ts";
import { saveSite } from "../../src/content/site/site-saving.ts";
import { NOW, OPERATOR, openPlace, SITE, topic } from "./record-store.ts";

/** A separate process that saves topics and prints each once it is saved: PLACE NAME COUNT. */
const [place = "", name = "", count = ""] = process.argv.slice(2);
await using record = await openPlace(place);
await saveSite(record.content, OPERATOR, SITE, [], NOW);
for (let number = 1; number <= Number(count); number += 1) {
  const input = topic(`${name} ${number}`, { sourceKey: `${name}:${number}` });
  await saveItem(record.content, OPERATOR, input, NOW);
  process.stdout.write(`${name}:${number}\n`);
}
