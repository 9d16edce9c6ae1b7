import { createHash } from "node:crypto";
import { readingDump } from "../../support/dumps.ts";
import type { Verdict } from "../verdict.ts";
import type { ScaledSite } from "./site.ts";

/**
 * Compares the copies of both instances, which must have stopped, with one that a third instance builds from
 * the record, table by table with checksums.
 */
export async function judgeCopies(site: ScaledSite): Promise<Verdict[]> {
  const anew = await site.newInstance();
  await anew.start();
  await anew.stop();
  const expected = readingDump(anew.copy);
  return site.instances.map(({ copy }, at): Verdict => {
    const found = readingDump(copy);
    const tables = [...new Set([...Object.keys(expected), ...Object.keys(found)])];
    const different = tables.filter(
      (table) => checksum(expected[table]) !== checksum(found[table]),
    );
    const rows = Object.values(found).reduce((sum, lines) => sum + lines.length, 0);
    return {
      what: `the copy of ${at === 0 ? "the first" : "the second"} instance is what one made anew is`,
      passed: different.length === 0 && rows > 0,
      detail: `${tables.length} tables, ${rows} rows${different.map((table) => `; ${table}: ${firstDifference(expected[table], found[table])}`).join("")}`,
    };
  });
}

function checksum(lines: readonly string[] | undefined): string {
  const hash = createHash("sha256");
  for (const line of lines ?? ["no such table"]) hash.update(`${line}\n`);
  return hash.digest("hex");
}

function firstDifference(expected: readonly string[] = [], found: readonly string[] = []): string {
  const at = expected.findIndex((line, place) => line !== found[place]);
  const place = at === -1 ? expected.length : at;
  return `${found[place]?.slice(0, 300)} instead of ${expected[place]?.slice(0, 300)}`;
}
