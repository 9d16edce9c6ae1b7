import { META, openMcpService } from "../test/support/mcp-service.ts";

/**
 * Measures what a tools/call costs within the process, from the request's bytes to the reply's text, both the
 * first time after a change and when repeated. Compares it with only parsing and serialising the same JSON.
 * `npm run bench:calls -- [ROUNDS]`. An unknown tool shows the cost of the protocol alone.
 */
const ROUNDS = Number(process.argv[2] ?? 3000);

/** Time between calls, so that the rate window holds as many as that of a busy key. */
const SECOND_MILLISECONDS = 1000;
/** Cached results are used on the day they were made. */
const DAY_MILLISECONDS = 24 * 60 * 60 * SECOND_MILLISECONDS;

const CALLS: Record<string, object> = {
  no_such_tool: {},
  describe_content_catalog: {},
  search_content: { query: "courage and time" },
  get_content_by_url: { url: "/quotations/abet" },
  list_content: { type: "quotation", limit: 5 },
  get_related_content: { url: "/works/epictetus-discourses-george-long", limit: 5 },
  list_topics: { limit: 5 },
  list_quotations_by_topic: { topic: "/topics/time", limit: 5 },
  list_works_by_author: { author: "/authors/epictetus" },
};

await using service = await openMcpService();

const rows = [];
for (const [name, args] of Object.entries(CALLS)) {
  const bytes = requestBytes(name, args);
  const reply = await send(name, bytes);
  const message: unknown = JSON.parse(Buffer.from(reply, "latin1").toString());
  const echo = await microseconds(async () => echoed(bytes, message));
  const first = await microseconds(() => send(name, bytes, DAY_MILLISECONDS));
  const again = await microseconds(() => send(name, bytes));
  rows.push({
    tool: name,
    "reply bytes": reply.length,
    "echo µs": round(echo),
    "first µs": round(first),
    "again µs": round(again),
    "first : echo": round(first / echo),
    "again : echo": round(again / echo),
  });
}
console.table(rows);

function requestBytes(name: string, args: object): Uint8Array {
  const params = { name, arguments: args, _meta: META };
  const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
  return new TextEncoder().encode(JSON.stringify(message));
}

async function send(name: string, bytes: Uint8Array, after = SECOND_MILLISECONDS): Promise<string> {
  const headers: Record<string, string> = {
    host: "quotations.example",
    authorization: `Bearer ${service.key}`,
    "content-type": "application/json",
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": "tools/call",
    "mcp-name": name,
  };
  service.clock.now = new Date(service.clock.now.getTime() + after);
  const { status, body } = await service.handle({
    method: "POST",
    address: "192.0.2.1",
    header: (header) => headers[header],
    body: async () => bytes,
  });
  if (status !== 200 || body === null) throw new Error(`${status} ${body}`);
  return body;
}

function echoed(bytes: Uint8Array, reply: unknown): string {
  JSON.parse(new TextDecoder().decode(bytes));
  return JSON.stringify(reply);
}

/** CPU time per round: the best of five runs after a warm-up, so that other programs matter little. */
async function microseconds(work: () => Promise<unknown>): Promise<number> {
  const runs: number[] = [];
  for (let run = 0; run < 6; run += 1) {
    const start = process.cpuUsage();
    for (let round = 0; round < ROUNDS / 5; round += 1) await work();
    const { user, system } = process.cpuUsage(start);
    runs.push((user + system) / (ROUNDS / 5));
  }
  return Math.min(...runs.slice(1));
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
