import assert from "node:assert/strict";
import { it } from "node:test";
import { z } from "zod";
import { openSiteLine } from "../../support/command-line.ts";
import { dice } from "../../support/dice.ts";
import { testedEngine } from "../../support/engine.ts";
import { createDatabase } from "../../support/postgres-store.ts";
import { serve, stop } from "../../support/served.ts";
import { found } from "../../support/until.ts";

const ROUNDS = 3;
/** On a busy machine, all requests of a round may have had their effect before the server is gone. */
const ROUNDS_MAX = 12;
const REQUESTS = 24;
const SEED = 4711;

const issued = z.object({ key: z.string() });
/** Items have a title, keys a name. */
const listed = z.object({
  items: z.array(z.object({ title: z.string().optional(), name: z.string().optional() })),
});

it("a repeated request has one effect and one answer, whenever the server is killed", async () => {
  await using database = testedEngine() === "SQLite" ? null : await createDatabase();
  const place = database === null ? {} : { DATABASE_URL: database.url };
  using shell = await openSiteLine({ DEMO: "0", LOG_LEVEL: "error", ...place });
  const scopes = ["content:read", "content:write", "content:publish", "keys:manage", "mcp:read"];
  const words = ["keys", "issue", "--name", "Writer", "--json", "--rate", "1000"];
  const { out } = await shell.run(...words, ...scopes.flatMap((scope) => ["--scope", scope]));
  const { key } = issued.parse(JSON.parse(out));
  const roll = dice(SEED);
  await using servers = new AsyncDisposableStack();
  let served = servers.use(await serve(shell));
  let cutOff = 0;
  let replayedUnheard = 0;
  const isShown = () => replayedUnheard < cutOff;
  for (let round = 0; round < ROUNDS || (round < ROUNDS_MAX && !isShown()); round += 1) {
    const requests = Array.from({ length: REQUESTS }, (_, number) => requestOf(round, number, key));
    const killAfter = round < ROUNDS ? 1 + roll(REQUESTS - 1) : 1;

    const killed = served;
    let answers = 0;
    const first = await Promise.all(
      requests.map(async (request) => {
        const answer = await sent(killed.origin, request);
        answers += 1;
        if (answers === killAfter) killed.process.kill("SIGKILL");
        return answer;
      }),
    );
    await stop(killed, "SIGKILL");

    const again = servers.use(await serve(shell));
    served = again;
    const unheard = await repeated(requests, first, again.origin);
    cutOff += unheard.length;
    replayedUnheard += unheard.filter(({ isReplayed }) => isReplayed).length;
    const titles = requests.map(({ title }) => title);
    const listedTitles = [
      ...(await titlesAt(
        again.origin,
        `/content?type=topic&limit=100&text=%22Round-${round}%22`,
        key,
      )),
      ...(await titlesAt(again.origin, `/keys?limit=100&text=Round-${round}`, key)),
    ];
    assert.deepEqual(listedTitles.sort(), titles.sort(), "each has its effect once");
  }
  assert(cutOff > 0, "the server was killed while it was working");
  assert(isShown(), "some were cut off before their effect");
});

interface Repeatable {
  title: string;
  path: string;
  init: RequestInit;
}

/** In turn an item, and a key whose secret is told in the answer only. */
function requestOf(round: number, number: number, key: string): Repeatable {
  const title = `Round-${round} request ${number}`;
  const isItem = number % 2 === 0;
  const body = isItem
    ? { type: "topic", title, status: "published" }
    : { name: title, scopes: ["mcp:read"] };
  return {
    title,
    path: isItem ? "/content" : "/keys",
    init: {
      method: "POST",
      headers: {
        Authorization: `Bearer ${key}`,
        "Content-Type": "application/json",
        "Idempotency-Key": title,
      },
      body: JSON.stringify(body),
    },
  };
}

interface Answer {
  status: number;
  text: string;
  etag: string | null;
  isReplayed: boolean;
}

/** Repeats what a busy server refuses with 503. Null: the server was gone before it had answered. */
async function sent(origin: string, { path, init }: Repeatable): Promise<Answer | null> {
  try {
    const response = await found(async () => {
      const answer = await fetch(`${origin}/api/v1${path}`, init);
      return answer.status === 503 ? undefined : answer;
    });
    const { status, headers } = response;
    const isReplayed = headers.get("idempotency-replayed") === "true";
    return { status, text: await response.text(), etag: headers.get("etag"), isReplayed };
  } catch {
    return null;
  }
}

/**
 * Sends all requests twice more, and compares their answers with those that were heard.
 *
 * @returns the answers to requests whose first answer was not heard.
 */
async function repeated(
  requests: readonly Repeatable[],
  first: readonly (Answer | null)[],
  origin: string,
): Promise<Answer[]> {
  const unheard: Answer[] = [];
  for (const [number, request] of requests.entries()) {
    const heard = first[number] ?? null;
    const second = await sent(origin, request);
    const third = await sent(origin, request);
    assert(second !== null);
    assert.equal(second.status, 201);
    assert.deepEqual(third, { ...second, isReplayed: true });
    if (heard === null) unheard.push(second);
    else assert.deepEqual(second, { ...heard, isReplayed: true });
  }
  return unheard;
}

async function titlesAt(origin: string, path: string, key: string): Promise<string[]> {
  const headers = { Authorization: `Bearer ${key}` };
  const response = await fetch(`${origin}/api/v1${path}`, { headers });
  const body: unknown = await response.json();
  assert.equal(response.status, 200, JSON.stringify(body));
  return listed.parse(body).items.map(({ title, name }) => title ?? name ?? "");
}
