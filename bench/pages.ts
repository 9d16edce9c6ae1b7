import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import { freePort } from "../test/support/free-port.ts";
import { CHROME } from "./load/clients.ts";
import { median } from "./load/comparing.ts";
import { ForgetfulStore } from "./load/first-views.ts";
import { describeMachine } from "./load/machine.ts";
import { MeasuredProcess } from "./load/process.ts";
import { type LoadRequest, sendLoad } from "./load/wrk.ts";

/**
 * Compares the CPU time of first and kept views of pages with that of an earlier checkout, installed with
 * `npm ci`: `npm run bench:pages -- OTHER_CHECKOUT`. Needs wrk. Both serve the items of the earlier one's demo.
 * They are loaded in turn, because the speed of a machine varies; the median of the ratios counts.
 */
const PAIRS = 7;
const SECONDS = 2;
const CLIENTS = 4;
const PAGES_MAX = 2000;
const RATIO_MAX = 1.2;
const KINDS = ["quotation", "topic", "author", "work"];
const [other] = process.argv.slice(2);
if (other === undefined) throw new Error("Usage: npm run bench:pages -- OTHER_CHECKOUT");
const content = join(resolve(other), "demo", "content");

interface Side extends AsyncDisposable {
  process: MeasuredProcess;
  origin: string;
  file: string;
  store: ForgetfulStore;
}

await using earlier = await start(resolve(other));
await using now = await start(process.cwd());
const rows = [];
for (const kind of KINDS) {
  const pages = pagesOf(kind);
  rows.push(await compared(`first views: ${kind}`, pages, (side) => () => side.store.forget()));
  rows.push(await compared(`a kept page: ${kind}`, pages.slice(0, 1), () => undefined));
}
console.table(rows);
console.log(JSON.stringify(describeMachine()));
process.exitCode = rows.every(({ isWithin }) => isWithin) ? 0 : 1;

/** Pages that both sides have. */
function pagesOf(type: string): LoadRequest[] {
  const [before, after] = [earlier, now].map(({ file }) => {
    using db = new DatabaseSync(file, { readOnly: true });
    const found = db
      .prepare("SELECT path FROM reading_item WHERE type = ? ORDER BY path")
      .all(type);
    return new Set(found.map(({ path }) => String(path)));
  });
  const shared = [...(before?.intersection(after ?? new Set()) ?? [])].slice(0, PAGES_MAX);
  return shared.map((path) => ({ method: "GET", target: encodeURI(path), headers: CHROME }));
}

async function compared(
  what: string,
  requests: readonly LoadRequest[],
  forgetting: (side: Side) => (() => void) | undefined,
) {
  const measured = (side: Side) => microsecondsOf(side, { requests, forget: forgetting(side) });
  for (const side of [earlier, now]) await measured(side);
  const pairs: { earlier: number; now: number }[] = [];
  for (let pair = 0; pair < PAIRS; pair += 1) {
    pairs.push({ earlier: await measured(earlier), now: await measured(now) });
  }
  const ratio = median(pairs.map((pair) => pair.now / pair.earlier));
  return {
    what,
    pages: requests.length,
    "earlier, CPU µs": Math.round(median(pairs.map((pair) => pair.earlier))),
    "now, CPU µs": Math.round(median(pairs.map((pair) => pair.now))),
    ratio: ratio.toFixed(2),
    isWithin: ratio <= RATIO_MAX,
  };
}

async function microsecondsOf(
  { process: server, origin }: Side,
  load: { requests: readonly LoadRequest[]; forget: (() => void) | undefined },
): Promise<number> {
  const before = server.cpuSeconds();
  const { requests, failures } = await sendLoad({
    origin,
    seconds: SECONDS,
    clients: CLIENTS,
    ...load,
  });
  if (failures > 0) throw new Error(`${failures} of the requests to ${origin} failed`);
  return ((server.cpuSeconds() - before) / requests) * 1e6;
}

async function start(checkout: string): Promise<Side> {
  const stack = new AsyncDisposableStack();
  const dataDir = stack.adopt(mkdtempSync(join(tmpdir(), "bench-pages-")), (made) =>
    rmSync(made, { recursive: true, force: true }),
  );
  const port = await freePort();
  const environment = { DATA_DIR: dataDir, PORT: String(port), DEMO: "0", LOG_LEVEL: "warn" };
  const program = join(checkout, "src", "main.ts");
  await promisify(execFile)(process.execPath, [program, "import", content, "--publish"], {
    env: { ...process.env, ...environment },
  });
  const server = stack.use(
    await MeasuredProcess.start(process.execPath, [program, "serve"], {
      environment,
      ready: /serves|Issue a key/,
    }),
  );
  const file = join(dataDir, "commonplace.db");
  return {
    process: server,
    origin: `http://127.0.0.1:${port}`,
    file,
    store: stack.use(new ForgetfulStore(file)),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}
