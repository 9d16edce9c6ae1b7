import { copyFileSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { isDeepStrictEqual } from "node:util";
import { readingDump } from "../../support/dumps.ts";
import {
  countedWordsIn,
  indexedItemsIn,
  postingsIn,
  type StemIndex,
} from "../../support/index-model.ts";
import type { Simulation } from "./simulation.ts";

const CURRENT_MILLISECONDS_MAX = 60_000;
const SHOWN_MAX = 3;

/** Waits until every instance shows everything, as it must once all faults are over. */
export async function waitUntilCurrent({
  world,
  slots,
  server,
  record,
}: Simulation): Promise<void> {
  const isUp = await world.passUntil(
    () => slots.every(({ instance }) => instance !== null),
    CURRENT_MILLISECONDS_MAX,
  );
  if (!isUp) {
    const down = slots.filter(({ instance }) => instance === null).map(({ name }) => name);
    world.violation(`${down.join(", ")} does not come back`);
  }
  // Changes that wait for the lock of a process that has ended.
  await world.pass(1500);
  if (server === null) return;
  const [state] = record.rows("SELECT last FROM change_state");
  const last = Number(state?.["last"]);
  for (const { name, instance } of slots) {
    const isCurrent = await world.passUntil(
      () => (instance?.position() ?? 0) >= last,
      CURRENT_MILLISECONDS_MAX,
    );
    if (!isCurrent) {
      world.violation(
        `${name} still shows ${instance?.position()} of ${last} changes after a minute`,
      );
    }
  }
}

/** Every copy must equal one built from the record now, and every term must list exactly its items. */
export async function checkCopies(simulation: Simulation): Promise<void> {
  const { slots, world } = simulation;
  const rebuilt = await rebuiltDump(simulation);
  const copies = new Map(slots.map(({ copy, name }) => [copy, name]));
  for (const [copy, name] of copies) {
    const dump = readingDump(copy);
    for (const [table, rows] of Object.entries(rebuilt)) {
      const fault = difference(dump[table] ?? [], rows);
      if (fault !== null)
        world.violation(`The copy of ${name} differs from a new one: ${table} ${fault}`);
    }
    const counted = countedWordsIn(copy);
    for (const index of [postingsIn(copy), indexedItemsIn(copy)]) {
      const fault = indexFault(index, counted);
      if (fault !== null) world.violation(`The index of ${name} is wrong: ${fault}`);
    }
  }
}

async function rebuiltDump(simulation: Simulation): Promise<Record<string, string[]>> {
  const { folder, recordFile, server } = simulation;
  const place = join(folder, `rebuilt-${simulation.world.now}`);
  mkdirSync(place);
  const copy = join(place, server === null ? "commonplace.db" : "reading.db");
  if (server === null) copyRecord(recordFile, copy);
  let dump: Record<string, string[]> = {};
  await simulation.withAnother(place, () => {
    dump = readingDump(copy);
  });
  return dump;
}

/** Copies a record and marks its reading copy as made by another version, so that it is rebuilt. */
function copyRecord(from: string, to: string): void {
  for (const end of ["", "-wal"]) {
    if (existsSync(`${from}${end}`)) copyFileSync(`${from}${end}`, `${to}${end}`);
  }
  using db = new DatabaseSync(to);
  db.exec("UPDATE reading_made SET version = 0");
}

function difference(found: readonly string[], expected: readonly string[]): string | null {
  if (isDeepStrictEqual(found, expected)) return null;
  const missing = expected.filter((row) => !found.includes(row)).slice(0, SHOWN_MAX);
  const extra = found.filter((row) => !expected.includes(row)).slice(0, SHOWN_MAX);
  return `lacks ${missing.join(" ") || "nothing"} and has ${extra.join(" ") || "nothing"} in excess`;
}

function indexFault(index: StemIndex, counted: StemIndex): string | null {
  for (const stem of new Set([...index.keys(), ...counted.keys()])) {
    const fault = difference(index.get(stem) ?? [], counted.get(stem) ?? []);
    if (fault !== null) return `"${stem}" ${fault}`;
  }
  return null;
}
