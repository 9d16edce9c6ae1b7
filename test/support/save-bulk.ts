import { createReadStream } from "node:fs";
import { saveBulk } from "../../src/content/editing/bulk.ts";
import { splitIntoLines } from "../../src/content/import/lines.ts";
import { parseBulkLine } from "../../src/http/api/bulk-lines.ts";
import { NOW, OPERATOR, openPlace } from "./record-store.ts";

const KILL_MILLISECONDS = 17;

/**
 * A separate process that saves a file of lines: PLACE LINES [BLOCKS]. It kills itself in the middle of the
 * block after this many.
 */
const [place = "", source = "", blocks = "Infinity"] = process.argv.slice(2);
await using record = await openPlace(place);
const types = await record.content.types();

async function* lines() {
  for await (const line of splitIntoLines(createReadStream(source)))
    yield parseBulkLine(line, { types, now: new Date(), timeZone: "UTC" });
}

let saved = 0;
for await (const told of saveBulk(record.content, OPERATOR, lines(), { now: NOW })) {
  process.stdout.write(`${Array.isArray(told) ? `saved ${told.length}` : JSON.stringify(told)}\n`);
  if (Array.isArray(told)) saved += 1;
  if (saved === Number(blocks))
    setTimeout(() => process.kill(process.pid, "SIGKILL"), KILL_MILLISECONDS);
}
