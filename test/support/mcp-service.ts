import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { parse } from "yaml";
import type { Scope } from "../../src/access/actor.ts";
import { authenticate, issueKey } from "../../src/access/keys/keys.ts";
import { SlidingWindowRateLimiter } from "../../src/access/rate-limits.ts";
import { saveItem } from "../../src/content/editing/editing.ts";
import { itemInputSchema } from "../../src/content/items/item.ts";
import type { ReadingCopy } from "../../src/content/library.ts";
import { type SiteProfile, siteProfileSchema } from "../../src/content/site/site.ts";
import { saveSite } from "../../src/content/site/site-saving.ts";
import { type ContentType, contentTypeSchema } from "../../src/content/types/content-type.ts";
import { AppError, englishOnlyWording } from "../../src/errors.ts";
import { createMcpHandler, type McpDependencies, SITE_FEATURES } from "../../src/mcp/handler.ts";
import type { McpFeatures } from "../../src/mcp/mcp-features.ts";
import type { McpRequest, McpResponse } from "../../src/mcp/protocol/response.ts";
import { TOOLS } from "../../src/mcp/tools.ts";
import { openReadingCopy } from "../../src/storage/reading/open.ts";
import { openRecord } from "../../src/storage/record/open.ts";
import { responseCheck } from "./mcp-schemas.ts";

export const ORIGIN = "https://quotations.example";
const FIXTURE = join(import.meta.dirname, "fixture");
const OPERATOR = { kind: "operator" } as const;
const MODERN = "2026-07-28";
const CHECKS = {
  "2026-07-28": responseCheck("2026-07-28"),
  "2025-11-25": responseCheck("2025-11-25"),
  "2025-06-18": responseCheck("2025-06-18"),
};

/** Parsed JSON that a test may read without type checks. */
export type Loose = ReturnType<typeof JSON.parse>;

export type Headers = Record<string, string | undefined>;

export interface RawRequest {
  method?: string;
  headers?: Headers;
  body?: string | Uint8Array;
  address?: string;
}

export interface Reply {
  status: number;
  headers: Record<string, string>;
  /** The parsed body; null if there is none. */
  body: Loose;
}

export interface McpService extends AsyncDisposable {
  /** A key with a high rate limit. */
  key: string;
  reading: ReadingCopy;
  parts: McpDependencies;
  handle: (request: McpRequest) => Promise<McpResponse>;
  clock: { now: Date };
  logged: unknown[];
  issue(options?: { scopes?: Scope[]; rate?: number }): Promise<string>;
  /** Saves all items or none, in this order. */
  save(...inputs: object[]): Promise<void>;
  /** Changes the profile of the site. */
  saveProfile(changes: Partial<SiteProfile>): Promise<void>;
  /** Sends exactly this request. Only the key, host and content type have defaults. */
  raw(request: RawRequest): Promise<Reply>;
  /** Sends a complete request of revision 2026-07-28 and checks its reply against the schema. */
  modern(method: string, params?: object, headers?: Headers): Promise<Reply>;
  /** Sends a request after `initialize` and checks it against the schemas of two older revisions. */
  legacy(method: string, params?: object, headers?: Headers): Promise<Reply>;
  /** The result of a tool. Fails if the tool failed. */
  call(tool: string, args?: object): Promise<Loose>;
  /** The text of a tool's result, whether it failed or not. */
  text(tool: string, args?: object): Promise<string>;
}

/** The MCP service over a real store with the fixture site, without HTTP. */
export async function openMcpService({
  offering = SITE_FEATURES,
  allowedHosts = ["apps.example"],
  types = [],
  items = fixtureItems(),
}: {
  offering?: McpFeatures;
  /** Types in addition to those of the fixture. */
  types?: readonly ContentType[];
  items?: readonly object[];
  allowedHosts?: readonly string[];
} = {}): Promise<McpService> {
  const folder = mkdtempSync(join(tmpdir(), "mcp-"));
  const file = join(folder, "commonplace.db");
  const record = await openRecord({ file, origin: ORIGIN });
  const clock = { now: new Date("2026-11-20T12:00:00Z") };
  const save = async (...inputs: object[]) => {
    await record.content.write(async (transaction) => {
      for (const input of inputs) {
        await saveItem(transaction, OPERATOR, itemInputSchema.parse(input), clock.now);
      }
    });
  };
  const profile = siteProfileSchema.parse(parse(readFixture("site.yaml")));
  const event = contentTypeSchema.parse(parse(readFixture("types/event.yaml")));
  const saveProfile = async (changes: Partial<SiteProfile>) => {
    const declared = [event, ...types];
    await saveSite(record.content, OPERATOR, { ...profile, ...changes }, declared, clock.now);
  };
  await saveProfile({});
  await save(...items);
  const reading = openReadingCopy({ file });
  const issue = async ({
    scopes = ["mcp:read"],
    rate = 60,
  }: {
    scopes?: Scope[];
    rate?: number;
  } = {}) => {
    const input = { name: "test", scopes, ratePerMinute: rate };
    return (await issueKey(record.keys, OPERATOR, input, clock.now)).key;
  };
  const logged: unknown[] = [];
  const parts: McpDependencies = {
    reading,
    origin: ORIGIN,
    version: "0.0.0-test",
    now: () => clock.now,
    authenticate: (authorization, address) =>
      authenticate(record.keys, authorization, { now: clock.now, address }),
    rateLimits: new SlidingWindowRateLimiter(),
    countUse: () => {},
    log: { error: (...line: unknown[]) => void logged.push(line) },
    allowedHosts,
  };
  const handle = createMcpHandler(parts, offering);
  const key = await issue({ rate: 100_000 });
  let id = 0;

  const raw = async ({
    method = "POST",
    headers = {},
    body = "",
    address = "192.0.2.1",
  }: RawRequest) => {
    const all: Headers = {
      host: "quotations.example",
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      ...headers,
    };
    const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
    const reply = await handle({
      method,
      address,
      header: (name) => all[name],
      async body(bytesMax) {
        if (bytes.length <= bytesMax) return bytes;
        throw new AppError(
          "too_large",
          englishOnlyWording(`The body is longer than ${bytesMax} bytes`),
        );
      },
    });
    return parsed(reply);
  };
  const modern = async (method: string, params: object = {}, headers: Headers = {}) => {
    id += 1;
    const named = { ...params };
    const name = "uri" in named ? named.uri : "name" in named ? named.name : undefined;
    const reply = await raw({
      headers: {
        "mcp-protocol-version": MODERN,
        "mcp-method": method,
        "mcp-name": typeof name === "string" ? name : undefined,
        ...headers,
      },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id,
        method,
        params: { _meta: META, ...params },
      }),
    });
    CHECKS["2026-07-28"](method, reply.body);
    if (method === "tools/call") checkToolResult(name, reply.body.result);
    return reply;
  };
  const legacy = async (method: string, params: object = {}, headers: Headers = {}) => {
    id += 1;
    const reply = await raw({
      headers,
      body: JSON.stringify({ jsonrpc: "2.0", id, method, params }),
    });
    CHECKS["2025-11-25"](method, reply.body);
    CHECKS["2025-06-18"](method, reply.body);
    return reply;
  };
  const callTool = async (name: string, args: object) =>
    (await modern("tools/call", { name, arguments: args })).body;
  return {
    key,
    reading,
    parts,
    handle,
    clock,
    logged,
    issue,
    save,
    saveProfile,
    raw,
    modern,
    legacy,
    async call(name, args = {}) {
      const { result } = await callTool(name, args);
      if (result?.structuredContent === undefined) throw new Error(JSON.stringify(result));
      return result.structuredContent;
    },
    async text(name, args = {}) {
      return (await callTool(name, args)).result.content[0].text;
    },
    async [Symbol.asyncDispose]() {
      reading[Symbol.dispose]();
      await record.close();
      rmSync(folder, { recursive: true });
    },
  };
}

const OUTPUT_CHECKS = new Map(
  TOOLS.map(({ definition: { name, outputSchema } }) => [
    name,
    outputSchema === undefined ? null : new Ajv2020().compile({ ...outputSchema }),
  ]),
);

/** Checks a result against the declared output schema, and that both of its forms have the same content. */
function checkToolResult(name: unknown, result: Loose): void {
  const check = typeof name === "string" ? OUTPUT_CHECKS.get(name) : undefined;
  if (result === undefined || result.isError === true || check === undefined) return;
  if (check === null) {
    assert.equal(result.structuredContent, undefined);
    return;
  }
  assert(check(result.structuredContent), JSON.stringify(check.errors));
  assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent);
}

export const META = {
  "io.modelcontextprotocol/protocolVersion": MODERN,
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

function parsed({ status, headers, body }: McpResponse): Reply {
  return {
    status,
    headers,
    body: body === null ? null : JSON.parse(Buffer.from(body, "latin1").toString()),
  };
}

function readFixture(path: string): string {
  return readFileSync(join(FIXTURE, path), "utf8");
}

/** The fixture's items in an order in which every relation finds its target. */
function fixtureItems(): object[] {
  const lines = (path: string) =>
    readFixture(path)
      .split("\n")
      .filter((line) => line !== "")
      .map((line): object => JSON.parse(line));
  const pages = ["index", "about", "contact", "privacy"].map((name) => {
    const [, front = "", body = ""] = readFixture(`content/${name}.md`).split(/^---$/m);
    const { title, summary = "", status, ...fields } = parse(front);
    return {
      type: "page",
      path: name === "index" ? "/" : `/${name}`,
      title,
      summary,
      status,
      fields,
      body,
    };
  });
  return [
    ...pages,
    ...withoutForwardLinks(lines("content/archive.jsonl")),
    ...lines("content/events.jsonl"),
  ];
}

/** Topics refer to each other, so they are saved without relations first. */
function withoutForwardLinks(items: object[]): object[] {
  return [...items.map((item) => ({ ...item, relations: {} })), ...items];
}
