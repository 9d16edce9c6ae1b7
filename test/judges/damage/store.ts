import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { z } from "zod";
import { issueKey } from "../../../src/access/keys/keys.ts";
import type { App } from "../../../src/app/options.ts";
import { openApp } from "../../../src/app.ts";
import { seedDemo } from "../../../src/cli/demo.ts";
import type { Config } from "../../../src/config.ts";
import { createLog } from "../../../src/log.ts";
import { NO_BACKUPS } from "../../support/fixture-config.ts";
import { sendTo } from "../../support/send-to.ts";

const NOW = new Date("2026-11-20T12:00:00Z");
const ORIGIN = "https://quotations.example";
const PATHS_OF_TYPE = 12;
/** Pages of 25 quotations, of the 365 that the home page may show. */
const DAILY_PAGES = 15;
const INDEX_LINK = /\]\(https:\/\/quotations\.example(\/[a-z]+\/llms(?:-\d+)?\.txt)\)/g;
const API = ["/content?limit=50", "/content?limit=50&type=topic", "/settings"];
const CALLS: Readonly<Record<string, object>> = {
  describe_content_catalog: {},
  search_content: { query: "courage and time" },
  get_content_by_url: { url: "/topics/time" },
  list_content: { type: "quotation", limit: 20 },
  list_topics: { limit: 20 },
  list_quotations_by_topic: { topic: "/topics/time", limit: 20 },
};

export interface Question {
  name: string;
  ask(app: App): Promise<Response>;
}

/** The whole service on a data folder, with a stopped clock. */
export async function openService(dataDir: string, onLine: (line: string) => void): Promise<App> {
  const config: Config = {
    port: 0,
    host: "127.0.0.1",
    origin: ORIGIN,
    dataDir,
    databaseUrl: null,
    demo: true,
    trustProxy: false,
    mail: null,
    webhookPrivateNetworks: false,
    checkLinks: false,
    embed: null,
    openId: null,
    backup: NO_BACKUPS,
    workers: 1,
    metricsPort: null,
    traces: null,
    drainSeconds: 0,
    logLevel: "info",
  };
  return await openApp(config, { log: createLog("info", onLine), now: () => NOW, seed: seedDemo });
}

/** Makes a store with the demo and a key. Everything is in its one file. */
export async function makeStore(): Promise<{ dataDir: string; key: string }> {
  const dataDir = mkdtempSync(join(tmpdir(), "commonplace-damage-"));
  const app = await openService(dataDir, () => {});
  const input = { name: "Judge", scopes: ["mcp:read", "content:read", "settings:write"] as const };
  const { key } = await issueKey(app.record.keys, { kind: "operator" }, input, NOW);
  await app.close();
  using db = new DatabaseSync(join(dataDir, "commonplace.db"));
  db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  return { dataDir, key };
}

/** The requests made to every store: pages, Markdown, documents, the API and tools. */
export function questionsFor(dataDir: string, key: string): Question[] {
  using db = new DatabaseSync(join(dataDir, "commonplace.db"), { readOnly: true });
  const found = db
    .prepare(
      `SELECT path FROM (SELECT path, row_number() OVER (PARTITION BY type ORDER BY row) AS place
       FROM reading_item) WHERE place <= ${PATHS_OF_TYPE}`,
    )
    .all();
  const items = found.map(({ path }) => String(path));
  const pages = [
    ...["/", "/topics", "/quotations", "/authors", "/works", "/search?q=courage"],
    ...["/llms.txt", "/sitemap.xml", "/llms-full.txt", "/quotations?page=2"],
    ...items,
    ...items.filter((path) => path !== "/").map((path) => `${path}.md`),
  ];
  return [
    ...pages.map((path) => question(path, { accept: "text/html" })),
    ...API.map((path) => question(`/api/v1${path}`, { authorization: `Bearer ${key}` })),
    ...Object.entries(CALLS).map(([name, args]) => toolCall(name, args, key)),
  ];
}

/** The lines of the index for agents, and of the files that it links to. */
export async function indexLines(app: App): Promise<Set<string>> {
  const paths = new Set(["/llms.txt"]);
  const lines = new Set<string>();
  for (const path of paths) {
    const text = await (await sendTo(app.http, path)).text();
    for (const line of text.split("\n")) lines.add(line);
    for (const [, next = ""] of text.matchAll(INDEX_LINK)) paths.add(next);
  }
  return lines;
}

/** The lines of the home page and of all quotations that it may show on some day. */
export async function homeLines(app: App): Promise<Set<string>> {
  const lists = Array.from({ length: DAILY_PAGES }, (_, page) => `/quotations?page=${page + 1}`);
  const lines = new Set<string>();
  for (const path of ["/", ...lists]) {
    const text = await (await sendTo(app.http, path)).text();
    for (const line of text.split("\n")) lines.add(line);
  }
  return lines;
}

/** Each topic as `list_topics` returns it, from all of its pages. */
export async function listedTopics(app: App, key: string): Promise<Set<string>> {
  const topics = new Set<string>();
  for (let cursor: object | null = {}; cursor !== null; ) {
    const { ask } = toolCall("list_topics", { ...CALLS["list_topics"], ...cursor }, key);
    const page = topicsIn(await (await ask(app)).text());
    for (const topic of page.topics) topics.add(topic);
    cursor = page.cursor === undefined ? null : { cursor: page.cursor };
  }
  return topics;
}

const topicsAnswer = z.object({
  result: z.object({ content: z.tuple([z.object({ text: z.string() })]) }),
});
const linkNotes = z.record(z.string(), z.string()).default({});
const topicsPage = z.looseObject({
  topics: z.array(z.looseObject({ link_notes: linkNotes })),
  link_notes: linkNotes,
  next_cursor: z.string().optional(),
});
const link = z.union([z.string().transform((name) => ({ name })), z.looseObject({})]);

interface TopicsPage {
  /** Each topic as JSON. Links are added with their notes if the answer has any. */
  topics: string[];
  cursor: string | undefined;
  /** The rest of the answer, as JSON. */
  rest: string;
}

/** Parses an answer of `list_topics`. Topics are equal on whichever page they are listed. */
export function topicsIn(answer: string): TopicsPage {
  const [{ text }] = topicsAnswer.parse(JSON.parse(answer)).result.content;
  const page = topicsPage.parse(JSON.parse(text));
  const { topics, link_notes: shared, next_cursor: cursor, ...rest } = page;
  return {
    topics: topics.map(({ link_notes: own, ...topic }) => {
      const entries = Object.entries(topic).map(([name, value]) => {
        const note = own[name] ?? shared[name] ?? "";
        const isList = Array.isArray(value);
        return [
          name,
          isList ? value.map((one) => ({ note, ...link.parse(one) })) : { value, note },
        ];
      });
      return JSON.stringify(entries);
    }),
    cursor,
    rest: JSON.stringify(rest),
  };
}

function question(path: string, headers: Record<string, string>): Question {
  return {
    name: path,
    ask: async (app) => await sendTo(app.http, path, { headers }),
  };
}

function toolCall(name: string, args: object, key: string): Question {
  const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } };
  const headers = {
    authorization: `Bearer ${key}`,
    "content-type": "application/json",
    host: "quotations.example",
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": "2025-11-25",
  };
  const init = { method: "POST", headers, body: JSON.stringify(body) };
  return {
    name,
    ask: async (app) => await sendTo(app.http, "/mcp", init),
  };
}
