import { createReadStream } from "node:fs";
import { saveBulk } from "../../src/content/editing/bulk.ts";
import { linesOf } from "../../src/content/import/lines.ts";
import { bulkLine } from "../../src/http/api/bulk-lines.ts";
import { NOW, OPERATOR, openPlace } from "./record-store.ts";

/** A process of its own that saves a file of lines, telling each block when it is saved: PLACE LINES. */
const [place = "", source = ""] = process.argv.slice(2);
await using record = await openPlace(place);
const types = await record.content.types();

async function* lines() {
  for await (const line of linesOf(createReadStream(source)))
    yield bulkLine(line, { types, now: new Date() });
}

for await (const told of saveBulk(record.content, OPERATOR, lines(), { now: NOW })) {
  process.stdout.write(`${Array.isArray(told) ? `saved ${told.length}` : JSON.stringify(told)}\n`);
}
