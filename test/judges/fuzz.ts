import { once } from "node:events";
import { Agent, type ClientRequest, type IncomingMessage, request as send } from "node:http";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { ROUTES } from "../../src/http/api/routes.ts";
import { dice } from "../support/dice.ts";
import { type DemoServer, startDemoServer } from "./demo-server.ts";
import { type GeneratedRequest, generateRequest } from "./fuzz/generated-request.ts";
import { announce, type Verdict } from "./verdict.ts";

/**
 * Sends generated requests to all doors, and compares answers byte for byte with the answer to a single
 * request, while other clients read slowly or disconnect: `npm run fuzz -- [--requests 20000] [--answers
 * 50000] [--seed 1]`. Prints failing requests, with the seed that repeats them.
 */
const { values } = parseArgs({
  options: {
    requests: { type: "string", default: "20000" },
    answers: { type: "string", default: "50000" },
    seed: { type: "string", default: "1" },
  },
});
const SEED = Number(values.seed);
const CLIENTS = 12;
const MALFORMED_ONE_IN = 50;
const FAILURES_PRINTED_MAX = 10;
/** Pages whose form has a different stamp in each answer, in every edition of the site. */
const STAMPED = /^(?:\/[a-z]{2})?\/contact$/;
const HTML = { accept: "text/html" };
const MARKDOWN = { accept: "text/markdown" };

const failures: string[] = [];
const server = await startDemoServer();
try {
  process.exitCode = announce(await judge(server));
} finally {
  await server.stop();
}

async function judge(started: DemoServer): Promise<Verdict[]> {
  const keys = await issueKeys(started);
  const paths = await pathsOf(started.origin);
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  const answers = await compareAnswers({ origin: started.origin, paths, agent });
  const requests = await sendGenerated({ origin: started.origin, paths, agent, keys });
  agent.destroy();
  for (const failure of failures.slice(0, FAILURES_PRINTED_MAX)) console.log(failure);
  return [answers, requests];
}

async function issueKeys(started: DemoServer): Promise<string[]> {
  const scopes = ["mcp:read", "content:read", "content:write", "content:publish", "audit:read"];
  const issued = await Promise.all(
    [["mcp:read"], scopes].map(async (given) => {
      const flags = given.flatMap((scope) => ["--scope", scope]);
      const words = ["keys", "issue", "--name", "fuzz", ...flags, "--rate", "100000", "--json"];
      return String(JSON.parse(await started.commonplace(...words)).key);
    }),
  );
  return issued;
}

async function pathsOf(origin: string): Promise<string[]> {
  const sitemap = await (await fetch(`${origin}/sitemap.xml`)).text();
  const found = [...sitemap.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, loc = ""]) =>
    loc.slice(origin.length),
  );
  const documents = [
    "/llms.txt",
    "/llms-full.txt",
    "/sitemap.xml",
    "/robots.txt",
    "/search?q=time",
  ];
  const pages = found.filter((path) => path.startsWith("/") && !STAMPED.test(path));
  return ["/", ...documents, ...pages.slice(0, 200)];
}

interface Target {
  origin: string;
  paths: readonly string[];
  agent: Agent;
}

/** Readers that take all, read slowly, or disconnect halfway, of pages in both forms. */
async function compareAnswers({ origin, paths, agent }: Target): Promise<Verdict> {
  const roll = dice(SEED);
  const cases = paths.flatMap((path) => [HTML, MARKDOWN].map((headers) => ({ path, headers })));
  const expected: Buffer[] = [];
  for (const { path, headers } of cases) {
    const { body } = await fetched(send(`${origin}${path}`, { headers, agent: false }));
    expected.push(body);
  }
  const total = Number(values.answers);
  let [compared, aborted, refused, foreign] = [0, 0, 0, 0];
  await inTurns(total, async () => {
    const at = roll(cases.length);
    const { path, headers } = cases[at] ?? { path: "/", headers: HTML };
    const manner = roll(20);
    const sent = send(`${origin}${path}`, { headers, agent });
    if (manner === 0) {
      aborted += 1;
      await abandon(sent, roll(3));
      return;
    }
    const { status, body } = await fetched(sent, manner === 1 ? { pauseMilliseconds: 2 } : {});
    if (status === 503 || status === 429) refused += 1;
    else if (expected[at]?.equals(body) === true) compared += 1;
    else {
      foreign += 1;
      failures.push(
        `answer of ${path} (${headers.accept}) differs: ${status}, ${body.length} bytes`,
      );
    }
  });
  return {
    what: `${total} answers are equal to those of single requests`,
    passed: foreign === 0 && refused < total / 10,
    detail: `${compared} equal, ${aborted} abandoned, ${refused} refused, ${foreign} different; seed ${SEED}`,
  };
}

async function sendGenerated({
  origin,
  paths,
  agent,
  keys,
}: Target & { keys: readonly string[] }): Promise<Verdict> {
  const roll = dice(SEED + 1);
  const places = { paths, routes: ROUTES, keys: [...keys, "cp_no_such_key"] };
  const total = Number(values.requests);
  const statuses = new Map<string, number>();
  let [faults, secrets] = [0, 0];
  await inTurns(total, async () => {
    if (roll(MALFORMED_ONE_IN) === 0) {
      await sendMalformed(origin, roll);
      return;
    }
    const generated = generateRequest(roll, places);
    const { status, body } = await fetched(requestOf(origin, generated, agent));
    const group = `${Math.floor(status / 100)}xx`;
    statuses.set(group, (statuses.get(group) ?? 0) + 1);
    const isFault = status === 0 || status === 500 || status === 501 || status > 503;
    const hasSecret = keys.some((key) => body.includes(key));
    if (isFault) faults += 1;
    if (hasSecret) secrets += 1;
    if (isFault || hasSecret)
      failures.push(`${status}: ${JSON.stringify(generated).slice(0, 2000)}`);
  });
  const isAlive = (await fetch(`${origin}/healthz`)).ok;
  const logged = keys.some((key) => server.output().includes(key));
  const groups = [...statuses].sort().map(([group, count]) => `${group} ${count}`);
  return {
    what: `${total} generated requests cause no fault and show no secret`,
    passed: faults === 0 && secrets === 0 && !logged && isAlive,
    detail: `${groups.join(", ")}; ${faults} faults, ${secrets} secrets; seed ${SEED}`,
  };
}

/** A client library refuses some generated headers; those are left out. */
function requestOf(origin: string, generated: GeneratedRequest, agent: Agent): ClientRequest {
  const { method, target, headers, body } = generated;
  const { hostname, port } = new URL(origin);
  const sent = send({
    ...{ hostname, port, method, agent, path: target.replaceAll(/[^!-~]/g, "") },
    headers: { "Content-Length": Buffer.byteLength(body) },
  });
  for (const [name, value] of headers) sent.setHeader(name, value.replaceAll(/[^\t -~]/g, ""));
  return sent.end(body);
}

/**
 * Sends bytes that are not HTTP, or too much of it. The server may close the connection, but must not stop.
 */
async function sendMalformed(origin: string, roll: ReturnType<typeof dice>): Promise<void> {
  const starts = [
    "GET / HTTP/1.1\r\nHost: a\r\n",
    "POST /mcp HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n",
    "",
    "\r\n\r\n",
    "PRI * HTTP/2.0\r\n",
  ];
  const noise = Buffer.from(Array.from({ length: 1 + roll(2000) }, () => roll(256)));
  const socket = connect(Number(new URL(origin).port), "127.0.0.1");
  socket.on("error", () => {});
  socket.resume();
  socket.end(Buffer.concat([Buffer.from(starts[roll(starts.length)] ?? ""), noise]));
  const closed = once(socket, "close").catch(() => {});
  await Promise.race([closed, sleep(2000)]);
  socket.destroy();
}

/** Status 0: the connection broke. */
async function fetched(
  sent: ClientRequest,
  { pauseMilliseconds = 0 } = {},
): Promise<{ status: number; body: Buffer }> {
  // Errors may follow the answer: a HEAD request with too many headers is refused with a body.
  sent.on("error", () => {});
  try {
    sent.end();
    const [answer]: IncomingMessage[] = await once(sent, "response");
    const pieces: Buffer[] = [];
    for await (const piece of answer ?? []) {
      pieces.push(piece);
      if (pauseMilliseconds > 0) await sleep(pauseMilliseconds);
    }
    return { status: answer?.statusCode ?? 0, body: Buffer.concat(pieces) };
  } catch {
    return { status: 0, body: Buffer.alloc(0) };
  }
}

async function abandon(sent: ClientRequest, pieces: number): Promise<void> {
  sent.on("error", () => {});
  sent.end();
  const [answer]: IncomingMessage[] = await once(sent, "response").catch(() => []);
  let read = 0;
  answer?.on("error", () => {});
  for (let piece = 0; piece < pieces; piece += 1) read += answer?.read()?.length ?? 0;
  sent.destroy(read > 0 ? undefined : new Error("Abandoned"));
}

/** Runs this many tasks, a few at a time. */
async function inTurns(total: number, run: () => Promise<void>): Promise<void> {
  let left = total;
  const clients = Array.from({ length: CLIENTS }, async () => {
    while (left > 0) {
      left -= 1;
      await run();
    }
  });
  await Promise.all(clients);
}
