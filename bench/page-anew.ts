import { resolve } from "node:path";
import { tagOf } from "../src/http/reply.ts";
import { ReusedBytes } from "../src/http/reused-bytes.ts";
import { itemReply } from "../src/http/site/item-reply.ts";
import type { Form } from "../src/http/site/page-reply.ts";
import type { PagePiece } from "../src/render/page-pieces.ts";
import { openReadingCopy } from "../src/storage/reading/open.ts";

/**
 * What it costs in process to make the page of an item of its pieces, with its validator, beside the
 * copying of bytes that were made before: `node bench/page-anew.ts FILE [ROUNDS] [PATH]`, the file a
 * reading copy of the demo.
 */
const [file = "", rounds = "2000", only] = process.argv.slice(2);
const origin = "http://127.0.0.1:18500";
using reading = openReadingCopy({ file: resolve(file) });
const PAGES: readonly [path: string, form: Form][] = [
  ["/topics/time", "html"],
  ["/topics/time", "twin"],
  ["/quotations/abet", "html"],
  ["/quotations/abet", "twin"],
  ["/authors/epictetus", "html"],
  ["/works/epictetus-discourses-george-long", "html"],
];

const request = { parameter: () => undefined };
const reused = new ReusedBytes();
const join = (pieces: readonly PagePiece[]) => {
  reused.useAgain();
  return reused.joined(pieces);
};
const rows = PAGES.filter(([path]) => only === undefined || path === only).map(([path, form]) => {
  const make = () => itemReply({ reading, origin }, path, { form, request, join });
  const made = make();
  if (made === null) throw new Error(`There is no item at ${path}`);
  return {
    path,
    form,
    bytes: made.body.length,
    "page µs": microseconds(make),
    "validator µs": microseconds(() => tagOf(made.body)),
    "copy µs": microseconds(() => Buffer.from(made.body)),
  };
});
console.table(rows);

/** CPU time a round, the best of five runs after one to warm up. */
function microseconds(work: () => unknown): number {
  const runs: number[] = [];
  for (let run = 0; run < 6; run += 1) {
    const start = process.cpuUsage();
    for (let round = 0; round < Number(rounds); round += 1) work();
    const { user, system } = process.cpuUsage(start);
    runs.push((user + system) / Number(rounds));
  }
  return Math.round(Math.min(...runs.slice(1)) * 10) / 10;
}
