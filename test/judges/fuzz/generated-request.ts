import type { dice } from "../../support/dice.ts";

type Roll = ReturnType<typeof dice>;

/** A request as it is sent, with or without mistakes. */
export interface GeneratedRequest {
  method: string;
  target: string;
  headers: [name: string, value: string][];
  body: string;
}

interface Places {
  /** Existing paths of the site. */
  paths: readonly string[];
  /** Routes below `/api/v1`. */
  routes: readonly { method: string; path: string }[];
  /** Keys of all kinds, and an invalid one. */
  keys: readonly string[];
}

const METHODS = ["GET", "GET", "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PURGE"];
const WORDS = [
  "time",
  "a",
  "Ärger",
  "沈黙",
  "'",
  '"',
  "%",
  "\\",
  "null",
  "-1",
  "1e309",
  "../..",
  "*",
];
const TOOLS = ["search", "list_topics", "list_quotations", "read_page", "no_such_tool"];
const JSON_VALUES = ["null", "0", "-1", "1e309", '""', "[]", "{}", "true", '"\\u0000"', "[[[[]]]]"];
const TYPES = ["application/json", "application/x-www-form-urlencoded", "text/plain", "x", ""];

function pick<T>(roll: Roll, values: readonly T[], otherwise: T): T {
  return values[roll(values.length)] ?? otherwise;
}

/** Generates a request to any of the doors. */
export function generateRequest(roll: Roll, places: Places): GeneratedRequest {
  const door = roll(5);
  if (door === 0) return mcpRequest(roll, places);
  if (door <= 2) return apiRequest(roll, places);
  return siteRequest(roll, places);
}

function siteRequest(roll: Roll, { paths, keys }: Places): GeneratedRequest {
  const path = roll(4) === 0 ? `/${hostileText(roll)}` : pick(roll, paths, "/");
  const suffix = pick(roll, ["", "", ".md", "/", ".json", "%00"], "");
  const method = pick(roll, METHODS, "GET");
  return {
    method,
    target: `${path}${suffix}${query(roll)}`,
    headers: headers(roll, keys),
    body: method === "GET" || method === "HEAD" ? "" : form(roll),
  };
}

function apiRequest(roll: Roll, { routes, keys }: Places): GeneratedRequest {
  const route = pick(roll, routes, { method: "GET", path: "/" });
  const path = route.path.replaceAll(/\{\w+\}/g, () => hostileText(roll));
  return {
    method: roll(8) === 0 ? pick(roll, METHODS, "GET") : route.method,
    target: `/api/v1${path}${query(roll)}`,
    headers: [...headers(roll, keys), ["If-Match", "*"]],
    body: route.method === "GET" ? "" : json(roll, 3),
  };
}

function mcpRequest(roll: Roll, { keys }: Places): GeneratedRequest {
  const call = {
    jsonrpc: pick(roll, ["2.0", "2.0", "1.0"], "2.0"),
    id: roll(9),
    method: pick(roll, ["tools/call", "tools/list", "initialize", "resources/read", "x"], "x"),
    params: {
      name: pick(roll, TOOLS, ""),
      uri: hostileText(roll),
      arguments: { query: hostileText(roll), path: hostileText(roll), limit: roll(2000) - 1000 },
    },
  };
  return {
    method: roll(8) === 0 ? "GET" : "POST",
    target: "/mcp",
    headers: headers(roll, keys),
    body: roll(6) === 0 ? json(roll, 3) : JSON.stringify(call),
  };
}

function headers(roll: Roll, keys: readonly string[]): [string, string][] {
  const all: [string, string][] = [["Content-Type", pick(roll, TYPES, "")]];
  if (roll(2) === 0) all.push(["Authorization", `Bearer ${pick(roll, keys, "")}`]);
  const others: [string, () => string][] = [
    ["Accept", () => listOf(roll, ["text/html", "text/markdown;q=0.5", "*/*;q=x", "a/b;c=d"])],
    ["Accept-Encoding", () => listOf(roll, ["gzip", "br;q=0", "identity", "*;q=0.1"])],
    ["If-None-Match", () => listOf(roll, ['"a"', 'W/"b"', "*", '"'])],
    ["Range", () => `bytes=${listOf(roll, ["0-1", "-5", "9-", "5-2"])}`],
    ["Cookie", () => listOf(roll, ["a=b", "__Host-session=x", ";;="])],
    ["Idempotency-Key", () => hostileText(roll)],
    ["Mcp-Protocol-Version", () => pick(roll, ["2025-11-25", "2026-07-28", "x"], "")],
    ["Origin", () => pick(roll, ["null", "https://evil.example"], "")],
  ];
  for (const [name, value] of others) if (roll(5) === 0) all.push([name, value()]);
  return all;
}

/** A list of header values; some are as long as headers may be. */
function listOf(roll: Roll, values: readonly string[]): string {
  const count = roll(20) === 0 ? 1000 : 1 + roll(4);
  return Array.from({ length: count }, () => pick(roll, values, "")).join(", ");
}

function query(roll: Roll): string {
  if (roll(2) === 0) return "";
  const names = ["q", "page", "limit", "sort", "type", "mode", "cursor", "key", "x"];
  const parameters = Array.from(
    { length: 1 + roll(3) },
    () => `${pick(roll, names, "q")}=${hostileText(roll)}`,
  );
  return `?${parameters.join("&")}`;
}

/** A part of an address: words, invalid escapes and long runs. */
function hostileText(roll: Roll): string {
  const word = pick(roll, WORDS, "");
  if (roll(30) === 0) return encodeURIComponent(word).repeat(1 + roll(500));
  const escapes = ["%", "%zz", "%C3%28", "%00", "%2F", ""];
  return encodeURIComponent(word) + (roll(6) === 0 ? pick(roll, escapes, "") : "");
}

function form(roll: Roll): string {
  const names = ["name", "email", "message", "csrf", "token"];
  return names.map((name) => `${name}=${hostileText(roll)}`).join("&");
}

function json(roll: Roll, depth: number): string {
  if (depth === 0 || roll(4) === 0) {
    return roll(10) === 0
      ? "{"
      : pick(roll, [...JSON_VALUES, JSON.stringify(pick(roll, WORDS, ""))], "0");
  }
  const names = [
    "type",
    "title",
    "body",
    "path",
    "fields",
    "relations",
    "name",
    "scopes",
    "status",
  ];
  const members = Array.from(
    { length: roll(5) },
    () => `"${pick(roll, names, "x")}":${json(roll, depth - 1)}`,
  );
  return `{${members.join(",")}}`;
}
