import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { issueKey } from "../../../src/access/keys/keys.ts";
import type { App } from "../../../src/app/options.ts";
import { openApp } from "../../../src/app.ts";
import { seedDemo } from "../../../src/cli/demo.ts";
import type { Config } from "../../../src/config.ts";
import { createLog } from "../../../src/log.ts";
import { NO_BACKUPS } from "../../support/fixture-config.ts";
import { sendTo } from "../../support/send-to.ts";
import { listedEntries } from "./listed-entries.ts";

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
  /** The next page of a list. */
  after?(cursor: string): Question;
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
    ...API.map((path) => apiQuestion(path, key)),
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

/** What takes the place of a hidden entry stands on one of the next pages. */
const NEXT_PAGES = 3;

/** The entries on the first pages of a list. */
export async function entriesOfList(app: App, first: Question): Promise<Set<string>> {
  const entries = new Set<string>();
  let next: Question | undefined = first;
  for (let pages = 0; next !== undefined && pages <= NEXT_PAGES; pages += 1) {
    const page = listedEntries(await (await next.ask(app)).text());
    for (const entry of page?.entries ?? []) entries.add(entry);
    next = page?.cursor == null ? undefined : first.after?.(page.cursor);
  }
  return entries;
}

function apiQuestion(path: string, key: string): Question {
  return {
    ...question(`/api/v1${path}`, { authorization: `Bearer ${key}` }),
    after: (cursor) => apiQuestion(`${path}&cursor=${encodeURIComponent(cursor)}`, key),
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
    after: (cursor) => toolCall(name, { ...args, cursor }, key),
  };
}
