import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../test/support/free-port.ts";
import { createDatabase, type TestDatabase } from "../test/support/postgres-store.ts";
import { MeasuredProcess } from "./load/process.ts";

/**
 * Measures how long a new instance takes until it serves a record of this many items in PostgreSQL, and its
 * memory: `npm run bench:new-instance -- [ITEMS]`. TEST_DATABASE_URL names a server on which a superuser may
 * create a database. The demo's quotations are repeated with their relations, some with a unique word.
 */
const ITEMS = Number(process.argv[2] ?? 31_000);
const MAIN = join(import.meta.dirname, "../src/main.ts");
/** Number of repeated quotations that share an added word. */
const ITEMS_A_WORD = 7;

await using database = await createDatabase();
const folder = mkdtempSync(join(tmpdir(), "commonplace-new-instance-"));
try {
  await timed("The demo association", async () => {
    await using _first = await startInstance("first", "1");
  });
  await timed(`${ITEMS} items`, () => repeatQuotations(database, ITEMS));
  const begun = performance.now();
  await using instance = await startInstance("new", "0");
  const seconds = (performance.now() - begun) / 1000;
  const file = statSync(join(folder, "new", "reading.db"));
  console.table({
    items: ITEMS,
    "ready after, s": round(seconds),
    "CPU, s": round(instance.cpuSeconds()),
    "memory at most, MB": round(peakMegabytes(instance.pid)),
    "memory then, MB": round(instance.residentMegabytes()),
    "reading copy, MB": round(file.size / 1e6),
  });
} finally {
  rmSync(folder, { recursive: true });
}

async function startInstance(name: string, demo: "0" | "1"): Promise<MeasuredProcess> {
  const environment = {
    DATABASE_URL: database.url,
    DATA_DIR: join(folder, name),
    PORT: String(await freePort()),
    DEMO: demo,
    LOG_LEVEL: "warn",
  };
  return await MeasuredProcess.start(process.execPath, [MAIN, "serve"], {
    environment,
    ready: /serves/,
  });
}

/** Inserts directly into the tables, without checking what is known to hold. */
async function repeatQuotations({ query }: TestDatabase, items: number): Promise<void> {
  const repeated = `quotations AS MATERIALIZED (
      SELECT * FROM items WHERE type = 'quotation' AND source_key NOT LIKE 'copy:%'
    ), copies AS (
      SELECT q.*, k, md5(q.id || k)::uuid::text AS copy_id,
        row_number() OVER (ORDER BY k, q.number) AS place
      FROM quotations AS q CROSS JOIN generate_series(1, 1 + ${items} / (SELECT count(*) FROM quotations)) AS k
    ), wanted AS (
      SELECT * FROM copies WHERE place <= ${items} - (SELECT count(*) FROM items WHERE status = 'published')
    )`;
  await query(`SET session_replication_role = replica;
    CREATE TABLE wanted AS WITH ${repeated} SELECT * FROM wanted ORDER BY place;
    INSERT INTO items (id, type, path, title, summary, body, fields, language, status, published_at,
      created_at, updated_at, revision, source_key)
    SELECT copy_id, type, path || '-' || k, title, summary,
      body || ' ' || 'x' || left(md5((place / ${ITEMS_A_WORD})::text), 7), fields, language, status,
      published_at, created_at, updated_at, 1, 'copy:' || place
    FROM wanted ORDER BY place;
    INSERT INTO path_claims SELECT path || '-' || k, copy_id, 1, 1 FROM wanted;
    INSERT INTO relations SELECT copy_id, relation, position, to_id, note
    FROM wanted JOIN relations ON from_id = id ORDER BY place, relation, position;
    DROP TABLE wanted`);
  // The state of a database that was not filled just now.
  await query("VACUUM ANALYZE");
}

async function timed(what: string, work: () => Promise<void>): Promise<void> {
  const begun = performance.now();
  await work();
  process.stderr.write(`${what}: ${round((performance.now() - begun) / 1000)} s\n`);
}

function peakMegabytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
