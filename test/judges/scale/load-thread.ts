import { Agent } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { z } from "zod";
import { type Answer, type Asked, ask, toolCall } from "./asking.ts";
import { KINDS, type Kind, type Lost, type Seen } from "./load.ts";

/** Requests pages, searches and tools without pause, and records wrong answers. */
const { origin, paths, words, keys } = z
  .object({
    origin: z.string(),
    paths: z.array(z.string()).min(1),
    words: z.array(z.string()).min(1),
    keys: z.array(z.string()).min(1),
  })
  .parse(workerData);

/** Number of concurrent clients, and the pause of each between two requests. */
const ASKING: Readonly<Record<Kind, { clients: number; restMs: number }>> = {
  page: { clients: 4, restMs: 20 },
  search: { clients: 1, restMs: 40 },
  call: { clients: 3, restMs: 20 },
};
const HTML = { accept: "text/html" };

const agent = new Agent({ keepAlive: true });
let turn = 0;
let isOver = false;
let milliseconds: Record<Kind, number[]> = { page: [], search: [], call: [] };
let lost: Lost[] = [];

const asking = KINDS.flatMap((kind) =>
  Array.from({ length: ASKING[kind].clients }, async () => {
    while (!isOver) {
      await askOnce(kind);
      await wait(ASKING[kind].restMs);
    }
  }),
);

parentPort?.on("message", async (word: unknown) => {
  if (word === "stop") {
    isOver = true;
    await Promise.all(asking);
    agent.destroy();
  }
  const seen: Seen = { milliseconds, lost };
  milliseconds = { page: [], search: [], call: [] };
  lost = [];
  parentPort?.postMessage(seen);
  if (isOver) parentPort?.close();
});

async function askOnce(kind: Kind): Promise<void> {
  turn += 1;
  const asked = requestOf(kind);
  const sentAt = Date.now();
  const note = (what: string, upstream: string) =>
    lost.push({ kind, path: asked.path, sentAt, endedAt: Date.now(), what, upstream });
  const begun = performance.now();
  try {
    const answer = await ask(origin, { ...asked, agent });
    const wrong = whatIsWrong(kind, answer);
    if (wrong !== null) note(wrong, answer.upstream);
    milliseconds[kind].push(performance.now() - begun);
  } catch (error) {
    note(error instanceof Error ? error.message : String(error), "");
  }
}

function requestOf(kind: Kind): Asked {
  const path = pick(paths);
  if (kind === "page") {
    return turn % 3 === 0 ? { path: `${path}.md` } : { path, headers: HTML };
  }
  if (kind === "search") {
    return {
      path: `/search?q=${encodeURIComponent(`${pick(words)} ${pick(words)}`)}`,
      headers: HTML,
    };
  }
  const calls: readonly [string, object][] = [
    ["get_content_by_url", { url: path }],
    ["search_content", { query: `${pick(words)} ${pick(words)}` }],
    ["list_topics", { limit: 20 }],
    ["list_content", { type: "quotation", limit: 20 }],
    ["describe_content_catalog", {}],
  ];
  const [name, args] = calls[turn % calls.length] ?? ["list_topics", {}];
  return toolCall(pick(keys), name, args);
}

/** Null: the answer is correct. */
function whatIsWrong(kind: Kind, { status, text }: Answer): string | null {
  if (status !== 200) return `status ${status}: ${text.replaceAll(/\s+/g, " ").slice(0, 120)}`;
  if (kind === "call") {
    const { result } = JSON.parse(text);
    return result === undefined || result.isError === true ? text.slice(0, 200) : null;
  }
  return text.length > 0 ? null : "nothing in it";
}

function pick(choices: readonly string[]): string {
  return choices[Math.floor(Math.random() * choices.length)] ?? "";
}
