import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { CorpusLines } from "../../../bench/bulk/lines.ts";
import { sendBulk } from "../../../bench/bulk/server.ts";
import { freePort } from "../../support/free-port.ts";
import { type PrivatePostgres, startPrivatePostgres } from "../../support/private-postgres.ts";
import { ask } from "./asking.ts";
import { startFront } from "./front.ts";
import { Instance } from "./instance.ts";

const READERS = 4;
const READER_RATE = 100_000;
const PATHS_MAX = 400;
const DESK_TRIES_MAX = 300;
const DESK_PAUSE_MILLISECONDS = 1000;

/** A site as `deploy/` sets it up: PostgreSQL, two instances, and nginx in front of them. */
export interface ScaledSite extends AsyncDisposable {
  /** The public origin. */
  origin: string;
  postgres: PrivatePostgres;
  instances: readonly [Instance, Instance];
  /** A key with a high rate limit that may write and publish. */
  editor: string;
  /** Keys with high rate limits that may call tools. */
  readers: readonly string[];
  /** Some pages, spread over all pages. */
  paths: readonly string[];
  /** Words that occur in titles. */
  words: readonly string[];
  issueKey(scopes: readonly string[], ratePerMinute: number): Promise<string>;
  /** Another instance, which is not started and has to build its copy. */
  newInstance(): Promise<Instance>;
}

export async function startScaledSite(
  { first, quotations }: CorpusLines,
  tell: (line: string) => void,
): Promise<ScaledSite> {
  await using stack = new AsyncDisposableStack();
  let keeper: AsyncDisposableStack = stack;
  const folder = stack.adopt(mkdtempSync(join(tmpdir(), "commonplace-scale-")), (made) =>
    rmSync(made, { recursive: true, force: true }),
  );
  const postgres = stack.use(await startPrivatePostgres());
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const newInstance = async () =>
    keeper.use(
      new Instance({
        port: await freePort(),
        publicUrl: origin,
        dataDir: mkdtempSync(join(folder, "instance-")),
        databaseUrl: postgres.url,
      }),
    );
  const instances = [await newInstance(), await newInstance()] as const;
  const [one, other] = instances;
  await one.commonplace("init");
  tell(`first instance serves an empty site after ${seconds(await one.start())}`);
  const issueKey = async (scopes: readonly string[], ratePerMinute: number) => {
    const words = scopes.flatMap((scope) => ["--scope", scope]);
    const rate = ["--rate", String(ratePerMinute), "--json"];
    const printed = await one.commonplace("keys", "issue", "--name", "proof", ...words, ...rate);
    return String(JSON.parse(printed).key);
  };
  const editor = await issueKey(
    ["content:read", "content:write", "content:publish", "keys:manage"],
    READER_RATE,
  );
  const begun = performance.now();
  for (const lines of [first, quotations]) {
    await sendBulk({ origin: one.origin, key: editor }, lines);
  }
  tell(`${first.length + quotations.length} items in after ${seconds(performance.now() - begun)}`);
  tell(`second instance, with a copy made anew, serves after ${seconds(await other.start())}`);
  const imported = performance.now();
  for (const { origin: at } of instances) await untilDeskIsBuilt(at, editor);
  tell(`the desks of both find every item after ${seconds(performance.now() - imported)} more`);
  stack.use(await startFront(port, [one.port, other.port]));
  const readers: string[] = [];
  while (readers.length < READERS) readers.push(await issueKey(["mcp:read"], READER_RATE));
  const paths = await somePaths(one.origin, origin);
  const words = [...new Set(paths.flatMap((path) => path.match(/\p{L}{4,}/gu) ?? []))];
  const parts = { origin, postgres, instances, editor, readers, paths, words, issueKey };
  keeper = stack.move();
  return { ...parts, newInstance, [Symbol.asyncDispose]: () => keeper.disposeAsync() };
}

/** The judgement starts after the import's background work has ended. */
async function untilDeskIsBuilt(instance: string, key: string): Promise<void> {
  for (let tries = 0; tries < DESK_TRIES_MAX; tries += 1) {
    const { status, text } = await ask(instance, {
      path: "/api/v1/content/names?q=a",
      headers: { authorization: `Bearer ${key}` },
    });
    if (status === 200 && JSON.parse(text).isCurrent === true) return;
    await sleep(DESK_PAUSE_MILLISECONDS);
  }
  throw new Error(`${instance}: the index of the desk was not built`);
}

async function somePaths(instance: string, origin: string): Promise<string[]> {
  const { text } = await ask(instance, { path: "/sitemap.xml" });
  const all = [...text.matchAll(/<loc>([^<]+)<\/loc>/g)].map((match) =>
    (match[1] ?? "").slice(origin.length),
  );
  const items = all.filter((path) => path.lastIndexOf("/") > 0);
  const step = Math.max(1, Math.floor(items.length / PATHS_MAX));
  return items.filter((_, at) => at % step === 0);
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}
