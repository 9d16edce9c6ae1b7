import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { corpusAt } from "../test/judges/scale/corpus.ts";
import { type Server, sendBulk, startServer } from "./bulk/server.ts";

/**
 * Measures how long pages take while a topic that 15,000 quotations name is renamed, withdrawn and published
 * again: `npm run bench:many-links -- [FOLDER]`, a folder with quotations, topics and works; without it, made-up ones.
 */
const PORT = 18_439;
const LINKS = 15_000;
const PAGE_EVERY_MILLISECONDS = 5;
/** Pages of works that the folder fills. */
const PAGES = 2;
/** Pages are requested for this long after each change, to see its after-effects. */
const AFTER_MILLISECONDS = 3000;
const TOPIC = { type: "topic", title: "Named often", sourceKey: "often", status: "published" };

const folder = mkdtempSync(join(tmpdir(), "commonplace-links-"));
try {
  await using server = await startServer(folder, PORT);
  await load(server);
  const id = await topicId(server);
  const rename = (title: string) => () => change(server, "PATCH", `/content/${id}`, { title });
  const rows = {
    idle: await measured(server, () => sleep(AFTER_MILLISECONDS)),
    rename: await measured(server, rename("Renamed")),
    withdraw: await measured(server, () =>
      change(server, "POST", `/content/${id}/archive?references=keep`),
    ),
    publish: await measured(server, () => change(server, "POST", `/content/${id}/publish`)),
    "rename back": await measured(server, rename("Named often")),
  };
  console.table(rows);
} finally {
  rmSync(folder, { recursive: true });
}

async function load(server: Server): Promise<void> {
  const { first, quotations } = corpusAt(process.argv[2]);
  const naming = quotations.slice(0, LINKS).map((line) => {
    const item = JSON.parse(line);
    const topics = [...item.relations.topics, TOPIC.sourceKey];
    return `${JSON.stringify({ ...item, relations: { ...item.relations, topics } })}\n`;
  });
  await sendBulk(server, [`${JSON.stringify(TOPIC)}\n`, ...first]);
  await sendBulk(server, [...naming, ...quotations.slice(LINKS)]);
}

async function topicId(server: Server): Promise<string> {
  const response = await fetch(`${server.origin}/api/v1/content?sourceKey=${TOPIC.sourceKey}`, {
    headers: { Authorization: `Bearer ${server.key}` },
  });
  const found: ReturnType<typeof JSON.parse> = await response.json();
  return found.items[0].id;
}

async function change(server: Server, method: string, path: string, body?: object): Promise<void> {
  const response = await fetch(`${server.origin}/api/v1${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${server.key}`,
      "Content-Type": "application/json",
      "If-Match": "*",
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok)
    throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  await response.arrayBuffer();
}

/**
 * Times of pages during a change and just after it, and of the turns of the server's event loop, which limit
 * how long a page waits on an idle machine.
 */
async function measured(server: Server, run: () => Promise<unknown>) {
  const times: number[] = [];
  let isRunning = true;
  const reader = (async () => {
    while (isRunning) {
      const begun = performance.now();
      await (await fetch(`${server.origin}/works?page=${1 + (times.length % PAGES)}`)).text();
      times.push(performance.now() - begun);
      await sleep(PAGE_EVERY_MILLISECONDS);
    }
  })();
  await server.turns();
  const [begun, cpuBefore] = [performance.now(), server.process.cpuSeconds()];
  try {
    await run();
    const taken = performance.now() - begun;
    await sleep(AFTER_MILLISECONDS);
    const cpuSeconds = server.process.cpuSeconds() - cpuBefore;
    const { p99Milliseconds, mostMilliseconds } = await server.turns();
    const sorted = times.sort((a, b) => a - b);
    const page = (share: number) => rounded(sorted[Math.floor(share * (sorted.length - 1))] ?? 0);
    return {
      "change, ms": Math.round(taken),
      "CPU, s": rounded(cpuSeconds),
      "page p50, ms": page(0.5),
      "page p99, ms": page(0.99),
      "page at most, ms": page(1),
      "turn p99, CPU ms": rounded(p99Milliseconds),
      "turn at most, CPU ms": rounded(mostMilliseconds),
    };
  } finally {
    isRunning = false;
    await reader;
  }
}

function rounded(figure: number): number {
  return Math.round(figure * 10) / 10;
}
