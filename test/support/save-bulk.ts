import { createReadStream } from "node:fs";
import { saveBulk } from "../../src/content/bulk.ts";
import { linesOf } from "../../src/content/import/lines.ts";
import { bulkLine } from "../../src/http/api/bulk-lines.ts";
import { openRecord } from "../../src/storage/record/open.ts";
import { NOW, OPERATOR, RECORD_ORIGIN } from "./record-store.ts";

/** A process of its own that saves a file of lines, telling each block when it is saved: FILE LINES. */
const [file = "", source = ""] = process.argv.slice(2);
await using record = await openRecord({ file, origin: RECORD_ORIGIN });
const types = await record.content.types();

async function* lines() {
  for await (const line of linesOf(createReadStream(source))) yield bulkLine(line, types);
}

for await (const told of saveBulk(record.content, OPERATOR, lines(), { now: NOW })) {
  process.stdout.write(`${Array.isArray(told) ? `saved ${told.length}` : JSON.stringify(told)}\n`);
}
