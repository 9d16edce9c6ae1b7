import { AGENT, API_SCRIPT, CHROME, CLAUDE_CODE, GOOGLEBOT, SDK } from "./clients.ts";
import type { Addresses } from "./first-views.ts";
import type { LoadRequest } from "./wrk.ts";

/** A row of the table: requests of one kind, sent in turn. */
export interface Case {
  name: string;
  /** Limit of its CPU time: a ratio to bare node:http, or microseconds. */
  bar?: string;
  /** Number of concurrent clients; by default 16. Each sends its next request after the answer. */
  clients?: number;
  /** The server must not have any of the answers in its cache; see `ForgetfulStore`. */
  isFirst?: true;
  requests: readonly LoadRequest[];
}

const PAGE = "/topics/time";
const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1.0.0" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** The same call is repeated, unless `what` says that its arguments are new each time. */
const TOOL_CALLS: readonly { tool: string; args: object; bar?: string; what?: string }[] = [
  { tool: "describe_content_catalog", args: {} },
  { tool: "search_content", args: { query: "courage and time" } },
  { tool: "get_content_by_url", args: { url: PAGE }, bar: "≤ 1" },
  {
    tool: "get_content_by_url",
    args: { url: `${PAGE}?n={n}` },
    bar: "≤ 5",
    what: "a topic, first",
  },
  {
    tool: "get_content_by_url",
    args: { url: "/quotations/abacot?n={n}" },
    bar: "≤ 5",
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

/**
 * Public pages and documents. The server has them in its cache from the first request on, unless `isFirst`.
 */
export function readingCases({ topics, quotations }: Addresses): Case[] {
  const get = (headers: LoadRequest["headers"], ...targets: readonly string[]): LoadRequest[] =>
    targets.map((target) => ({ method: "GET", target, headers }));
  const firstCase = (name: string, requests: readonly LoadRequest[], bar?: string): Case => ({
    name: `${name}, first`,
    isFirst: true,
    requests,
    ...(bar === undefined ? {} : { bar }),
  });
  const cachedCase = (name: string, requests: readonly LoadRequest[]): Case => ({
    name: `${name}, kept`,
    bar: "≤ 1.1",
    requests,
  });
  return [
    firstCase("topic, Chrome", get(CHROME, ...topics), "≤ 400 µs"),
    firstCase("quotation, Chrome", get(CHROME, ...quotations), "≤ 250 µs"),
    firstCase("topic, Googlebot", get(GOOGLEBOT, ...topics)),
    firstCase("topic, agent", get(AGENT, ...topics)),
    cachedCase("topic, Chrome", get(CHROME, PAGE)),
    cachedCase("topic, Chrome, 304", get({ ...CHROME, "if-none-match": "*" }, PAGE)),
    cachedCase("list of topics, Chrome", get(CHROME, "/topics")),
    cachedCase("topic, Googlebot", get(GOOGLEBOT, PAGE)),
    cachedCase("sitemap.xml, Googlebot", get(GOOGLEBOT, "/sitemap.xml")),
    cachedCase("topic, agent", get(AGENT, PAGE)),
    cachedCase("topic.md, agent", get(AGENT, `${PAGE}.md`)),
    cachedCase("llms.txt, agent", get(AGENT, "/llms.txt")),
  ];
}

/** The MCP service, with the keys in turn. */
export function mcpCases(keys: readonly string[]): Case[] {
  const call = (method: string, params: { name?: string; arguments?: object }) => [
    { client: "SDK", requests: keys.map((key) => sdkRequest(key, method, params)) },
    { client: "Claude Code", requests: keys.map((key) => claudeCodeRequest(key, method, params)) },
  ];
  const listing = call("tools/list", {}).map(
    ({ client, requests }): Case => ({ name: `tools/list, ${client}`, bar: "≤ 45 µs", requests }),
  );
  const calls = TOOL_CALLS.flatMap(({ tool, args, bar, what }) =>
    call("tools/call", { name: tool, arguments: args }).map(
      ({ client, requests }): Case => ({
        name: `${tool}${what === undefined ? "" : `, ${what}`}, ${client}`,
        ...(bar === undefined ? {} : { bar }),
        requests,
      }),
    ),
  );
  return [...listing, ...calls];
}

/** The cost of the admin API before it does anything. */
export function apiCases(keys: readonly string[]): Case[] {
  return [
    {
      name: "API, what this key may do",
      bar: "≤ 45 µs",
      requests: keys.map((key) => ({ method: "GET", target: "/api/v1/", headers: scripted(key) })),
    },
  ];
}

const QUOTATION =
  "It is not that we have a short time to live, but that we waste a lot of it. Life is long enough, and a generous amount has been given to us, if it were all well invested. ({n})";

/** Each request writes one item durably. `ids`: of published items. */
export function writeCases(keys: readonly string[], ids: readonly string[]): Case[] {
  const create = (item: object): LoadRequest[] =>
    keys.map((key) => ({
      method: "POST",
      target: "/api/v1/content",
      headers: { ...scripted(key), "content-type": "application/json" },
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
          ...scripted(keys[position % keys.length] ?? ""),
          "content-type": "application/json",
          "if-match": "*",
        },
        body: JSON.stringify({ body: QUOTATION }),
      })),
    },
  ];
}

function sdkRequest(key: string, method: string, params: { name?: string }): LoadRequest {
  const named = params.name === undefined ? {} : { "mcp-name": params.name };
  const headers = { ...SDK, ...bearer(key), "mcp-method": method, ...named };
  return mcpRequest(headers, method, { ...params, _meta: META });
}

function claudeCodeRequest(key: string, method: string, params: object): LoadRequest {
  return mcpRequest({ ...CLAUDE_CODE, ...bearer(key) }, method, params);
}

function mcpRequest(headers: LoadRequest["headers"], method: string, params: object): LoadRequest {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  return { method: "POST", target: "/mcp", headers, body };
}

function scripted(key: string): LoadRequest["headers"] {
  return { ...API_SCRIPT, ...bearer(key) };
}

function bearer(key: string): Record<string, string> {
  return { authorization: `Bearer ${key}` };
}
