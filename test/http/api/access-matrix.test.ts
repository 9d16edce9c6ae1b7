import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { SCOPES } from "../../../src/access/actor.ts";
import { revokeKey } from "../../../src/access/keys/key-changes.ts";
import { mintKey } from "../../../src/access/keys/key-format.ts";
import type { Route } from "../../../src/http/api/route.ts";
import { ROUTES } from "../../../src/http/api/routes.ts";
import { openApiClient } from "../../support/api-client.ts";
import { sendTo } from "../../support/send-to.ts";

/** Which scope opens each route, and what it then answers to a request without body, at unknown ids. */
const REVIEWED = join(import.meta.dirname, "../../golden/api-access.txt");
const UNKNOWN_ID = "01930000-0000-7000-8000-000000000000";
const DAY_MILLISECONDS = 86_400_000;

const api = await openApiClient();
after(() => api[Symbol.asyncDispose]());

const scoped = new Map(
  await Promise.all(SCOPES.map(async (scope) => [scope, await api.issue(scope)] as const)),
);

describe("the access matrix", () => {
  it("has every route as it was reviewed: who is let in, and what then happens", async () => {
    const lines: string[] = [];
    for (const route of ROUTES) lines.push(await observed(route));
    const table = `${lines.join("\n")}\n`;
    if (process.env["UPDATE_GOLDEN"] === "1") writeFileSync(REVIEWED, table);
    assert.equal(table, readFileSync(REVIEWED, "utf8"));
  });

  it("lets nobody in who has no key that works", async () => {
    for (const [who, key] of await strangers()) {
      for (const route of ROUTES) {
        const { status, headers, body } = await ask(route, key);
        assert.equal(status, 401, `${who}: ${route.method} ${route.path}`);
        assert.match(headers.get("www-authenticate") ?? "", /^Bearer realm="[^"]+\/api\/v1"/);
        assert.deepEqual([body.status, body.title], [401, "Unauthorized"]);
      }
    }
  });

  it("names the scope to a key that lacks it", async () => {
    const key = await api.issue("metrics:read");
    for (const route of ROUTES.filter(({ scope }) => scope !== null && scope !== "metrics:read")) {
      const { body, headers } = await ask(route, key);
      assert.equal(body.detail, `This key lacks the scope ${route.scope}`);
      const challenge = headers.get("www-authenticate") ?? "";
      assert(challenge.endsWith(`error="insufficient_scope", scope="${route.scope}"`), challenge);
    }
  });
});

it("no key opens the MCP service but one with mcp:read, and that one opens nothing else", async () => {
  for (const [scope, key] of scoped) {
    const { status } = await sendTo(api.app.http, "/mcp", {
      method: "POST",
      headers: {
        Authorization: `Bearer ${key}`,
        Host: "quotations.example",
        "Content-Type": "application/json",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping", params: {} }),
    });
    assert.equal(status, scope === "mcp:read" ? 200 : 403, scope);
  }
  for (const route of ROUTES) {
    assert.equal((await ask(route, scoped.get("mcp:read") ?? "")).status, 403);
  }
});

/** `GET /content content:read 200`. */
async function observed(route: Route): Promise<string> {
  const statuses = new Set<number>();
  const opening: string[] = [];
  for (const [scope, key] of scoped) {
    const { status } = await ask(route, key);
    assert.notEqual(status, 401);
    if (status === 403) continue;
    opening.push(scope);
    statuses.add(status);
  }
  const isAny = opening.length === SCOPES.length - 1;
  return [
    route.method.padEnd(6),
    route.path.padEnd(40),
    (isAny ? "any but mcp:read" : opening.join(" ")).padEnd(16),
    [...statuses].join(" "),
  ].join(" ");
}

async function ask({ method, path }: Route, key: string | null) {
  return await api.request(method, path.replaceAll(/\{\w+\}/g, UNKNOWN_ID), { key });
}

async function strangers(): Promise<[who: string, key: string | null][]> {
  const { now } = api.clock;
  const revoked = await api.issueWith({});
  const revocation = { now, why: "left" };
  await revokeKey(api.app.record.keys, { kind: "operator" }, revoked.record.id, revocation);
  const expired = await api.issueWith({ expiresAt: new Date(now.getTime() + DAY_MILLISECONDS) });
  api.clock.now = new Date(now.getTime() + 2 * DAY_MILLISECONDS);
  const elsewhere = await api.issueWith({ networks: ["192.0.2.0/24"] });
  return [
    ["no credential", null],
    ["malformed", "open sesame"],
    ["wrong checksum", `cpl_${"a".repeat(38)}`],
    ["unknown", mintKey()],
    ["revoked", revoked.key],
    ["expired", expired.key],
    ["wrong network", elsewhere.key],
  ];
}
