import type { LoadRequest } from "./wrk.ts";

/** One line of the table: requests of one kind, sent in turn. */
export interface Case {
  name: string;
  /** What its CPU time should cost at most, as a ratio to bare node:http. */
  bar?: string;
  /** How many clients ask at the same time, each waiting for its answers; 16 unless stated. */
  clients?: number;
  requests: readonly LoadRequest[];
}

const PAGE = "/topics/time";
const CLIENT = { name: "bench", version: "1.0.0" };
const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": CLIENT,
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** Asked again and again, unless `what` says that each is asked for the first time. */
const TOOL_CALLS: readonly { tool: string; args: object; bar?: string; what?: string }[] = [
  { tool: "describe_content_catalog", args: {} },
  { tool: "search_content", args: { query: "courage and time" } },
  { tool: "get_content_by_url", args: { url: PAGE }, bar: "≤ 3" },
  {
    tool: "get_content_by_url",
    args: { url: `${PAGE}?n={n}` },
    bar: "≤ 3",
    what: "a topic, first",
  },
  {
    tool: "get_content_by_url",
    args: { url: "/quotations/abacot?n={n}" },
    bar: "≤ 3",
    what: "a quotation, first",
  },
  { tool: "list_content", args: { type: "quotation", limit: 20 } },
  { tool: "get_related_content", args: { url: PAGE, limit: 5 } },
  { tool: "list_topics", args: { limit: 20 } },
  { tool: "list_quotations_by_topic", args: { topic: PAGE, limit: 20 }, bar: "≤ 5" },
  {
    tool: "list_quotations_by_topic",
    args: { topic: `${PAGE}?n={n}`, limit: 20 },
    bar: "≤ 5",
    what: "first",
  },
  { tool: "list_works_by_author", args: { author: "/authors/epictetus" } },
];

/** What anybody may read, most of it kept from the second request on. */
export function readingCases(): Case[] {
  const get = (target: string, headers: Record<string, string> = {}): LoadRequest[] => [
    { method: "GET", target, headers },
  ];
  const html = { accept: "text/html" };
  return [
    { name: "page, HTML", bar: "≤ 1.1", requests: get(PAGE, html) },
    {
      name: "page, HTML, br",
      bar: "≤ 1.1",
      requests: get(PAGE, { ...html, "accept-encoding": "br" }),
    },
    {
      name: "page, HTML, gzip",
      bar: "≤ 1.1",
      requests: get(PAGE, { ...html, "accept-encoding": "gzip" }),
    },
    {
      name: "page, HTML, zstd",
      bar: "≤ 1.1",
      requests: get(PAGE, { ...html, "accept-encoding": "zstd" }),
    },
    { name: "page, Markdown twin", bar: "≤ 1.1", requests: get(`${PAGE}.md`) },
    {
      name: "page, Markdown by Accept",
      bar: "≤ 1.1",
      requests: get(PAGE, { accept: "text/markdown" }),
    },
    { name: "page, 304", bar: "≤ 1.1", requests: get(PAGE, { ...html, "if-none-match": "*" }) },
    { name: "list of topics", bar: "≤ 1.1", requests: get("/topics", html) },
    {
      name: "page made anew, HTML",
      bar: "≤ 3",
      requests: get(`${PAGE}?n={n}`, html),
    },
    { name: "page made anew, Markdown", bar: "≤ 3", requests: get(`${PAGE}.md?n={n}`) },
    {
      name: "quotation made anew, HTML",
      bar: "≤ 3",
      requests: get("/quotations/abacot?n={n}", html),
    },
    { name: "llms.txt", bar: "≤ 1.1", requests: get("/llms.txt") },
    { name: "sitemap.xml", bar: "≤ 1.1", requests: get("/sitemap.xml") },
  ];
}

/** The MCP service, with one key after the other. */
export function mcpCases(keys: readonly string[]): Case[] {
  const listing = {
    name: "tools/list",
    bar: "≤ 2",
    requests: keys.map((key) => modern(key, "tools/list", {})),
  };
  const calls = TOOL_CALLS.flatMap(({ tool, args, bar, what }): Case[] => {
    const name = what === undefined ? tool : `${tool}, ${what}`;
    const params = { name: tool, arguments: args };
    const limit = bar === undefined ? {} : { bar };
    return [
      { name, ...limit, requests: keys.map((key) => modern(key, "tools/call", params)) },
      {
        name: `${name}, legacy`,
        ...limit,
        requests: keys.map((key) => legacy(key, "tools/call", params)),
      },
    ];
  });
  return [listing, ...calls];
}

/** What the administrative interface costs before it does anything. */
export function apiCases(keys: readonly string[]): Case[] {
  return [
    {
      name: "API, what this key may do",
      requests: keys.map((key) => ({ method: "GET", target: "/api/v1/", headers: bearer(key) })),
    },
  ];
}

const QUOTATION =
  "It is not that we have a short time to live, but that we waste a lot of it. Life is long enough, and a generous amount has been given to us, if it were all well invested. ({n})";

/** One item written and made durable at each request; `ids` are of published items. */
export function writeCases(keys: readonly string[], ids: readonly string[]): Case[] {
  const create = (item: object): LoadRequest[] =>
    keys.map((key) => ({
      method: "POST",
      target: "/api/v1/content",
      headers: { ...bearer(key), "content-type": "application/json" },
      body: JSON.stringify(item),
    }));
  const drafts = create({ type: "topic", title: "Draft {n}", status: "draft" });
  return [
    { name: "API, new draft", bar: "≤ 2", requests: drafts },
    { name: "API, new draft, one client", bar: "≤ 2", clients: 1, requests: drafts },
    {
      name: "API, new published quotation",
      bar: "≤ 2",
      requests: create({
        type: "quotation",
        title: "Quotation {n}",
        body: QUOTATION,
        status: "published",
        relations: { topics: ["/topics/time"], authors: ["/authors/epictetus"] },
      }),
    },
    {
      name: "API, published quotation changed",
      bar: "≤ 2",
      requests: ids.map((id, position) => ({
        method: "PATCH",
        target: `/api/v1/content/${id}`,
        headers: {
          ...bearer(keys[position % keys.length] ?? ""),
          "content-type": "application/json",
          "if-match": "*",
        },
        body: JSON.stringify({ body: QUOTATION }),
      })),
    },
  ];
}

function modern(key: string, method: string, params: { name?: string }): LoadRequest {
  const named = params.name === undefined ? {} : { "mcp-name": params.name };
  return {
    method: "POST",
    target: "/mcp",
    headers: {
      ...mcpHeaders(key),
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": method,
      ...named,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: META } }),
  };
}

function legacy(key: string, method: string, params: object): LoadRequest {
  return {
    method: "POST",
    target: "/mcp",
    headers: { ...mcpHeaders(key), "mcp-protocol-version": "2025-11-25" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  };
}

function mcpHeaders(key: string): Record<string, string> {
  return {
    ...bearer(key),
    accept: "application/json, text/event-stream",
    "content-type": "application/json",
  };
}

function bearer(key: string): Record<string, string> {
  return { authorization: `Bearer ${key}` };
}
