import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { TRACING_PACKAGES } from "../../src/tracing/libraries.ts";
import { type CommandLine, MAIN, openSiteLine } from "../support/command-line.ts";
import { CLIENT_ID, openOpenIdServer } from "../support/openid-server.ts";
import { createDatabase, onPostgres } from "../support/postgres-store.ts";
import { serve, stop } from "../support/served.ts";
import { type CollectedSpan, openCollector } from "../support/trace-collector.ts";

const SERVER = 2;
const CLIENT = 3;
const ERROR = 2;
const TRACE = "0af7651916cd43dd8448eb211c80319c";
const EMAIL = "ada@example.org";
const STRANGER = { traceparent: `00-${TRACE}-b7ad6b7169203331-01` };
/** Has the program behave as where the optional packages are not installed. */
const WITHOUT_LIBRARIES = [
  process.execPath,
  "--import",
  `data:text/javascript,${encodeURIComponent(`
    import { registerHooks } from "node:module";
    registerHooks({ resolve(name, context, next) {
      if (!name.startsWith("@opentelemetry/")) return next(name, context);
      throw Object.assign(new Error("Not installed"), { code: "ERR_MODULE_NOT_FOUND" });
    } });`)}`,
  MAIN,
  "serve",
];

function post(key: string, body: unknown, headers: Record<string, string> = {}): RequestInit {
  return {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${key}`, ...headers },
    body: JSON.stringify(body),
  };
}

async function issueKey(line: CommandLine): Promise<string> {
  const scopes = ["--scope", "mcp:read", "--scope", "content:write"];
  const { out } = await line.run("keys", "issue", "--name", "Tester", "--json", ...scopes);
  return JSON.parse(out).key;
}

function only(spans: readonly CollectedSpan[], name: string): CollectedSpan {
  const found = spans.filter((span) => span.name === name);
  assert.equal(found.length, 1, `${name} among ${spans.map((span) => span.name).join(", ")}`);
  const [span] = found;
  assert(span !== undefined);
  return span;
}

describe("commonplace serve with traces", () => {
  it("has a span of each request at every door, with its search and its transaction, and nothing private", async () => {
    await using collector = await openCollector();
    using line = await openSiteLine();
    const key = await issueKey(line);
    await using served = await serve(line, {
      more: {
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
        OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20collectors-secret",
        OTEL_SERVICE_NAME: "our-site",
        LOG_LEVEL: "debug",
      },
    });
    const { origin } = served;
    const ask = async (path: string, init?: RequestInit) =>
      (await fetch(`${origin}${path}`, { ...init, redirect: "manual" })).status;
    const call = { jsonrpc: "2.0", id: 1, method: "tools/call" };
    const searched = { name: "search_content", arguments: { query: "secretquestion" } };
    const item = { type: "page", title: "Privatetitle", path: "/privatepath", body: "Text" };
    assert.deepEqual(
      [
        await ask("/", { headers: STRANGER }),
        await ask("/"),
        await ask("/search?q=secretquestion"),
        await ask("/ann@example.org"),
        await ask("/mcp", post(key, { ...call, params: searched })),
        await ask("/mcp", post(key, { ...call, params: { name: "inventedtool" } })),
        await ask("/api/v1/content", post(key, item)),
        await ask("/api/v1/content", post(key, item)),
        await ask("/admin/content/privateid"),
      ],
      [200, 200, 200, 404, 200, 200, 201, 409, 303],
    );
    assert.equal(await stop(served, "SIGTERM"), 0);

    const { spans } = collector;
    const pages = spans.filter(({ name }) => name === "GET /*");
    assert.deepEqual(
      pages.map(({ attributes }) => attributes["http.response.status_code"]),
      [200, 200, 200, 404],
    );
    assert.deepEqual(
      pages.map(({ attributes }) => attributes["commonplace.repeated"] === true),
      [false, true, false, false],
    );
    const [first, repeat] = pages;
    assert(first !== undefined && repeat !== undefined);
    assert.deepEqual(first.attributes, {
      "http.request.method": "GET",
      "http.response.status_code": 200,
      "http.route": "/*",
      "network.protocol.version": "1.1",
      "url.scheme": "http",
    });
    // A stranger's trace is linked to and decides nothing.
    assert.notEqual(first.traceId, TRACE);
    assert.equal(first.parentSpanId, "");
    assert.deepEqual(first.links, [{ traceId: TRACE, spanId: "b7ad6b7169203331" }]);
    assert.deepEqual(repeat.links, []);

    const tools = spans.filter(({ name }) => name === "POST /mcp");
    assert.deepEqual(
      tools.map(({ attributes }) => attributes["gen_ai.tool.name"]),
      ["search_content", "other"],
    );
    const [written, refused] = spans.filter(({ name }) => name === "POST /api/v1/content");
    assert(written !== undefined && refused !== undefined);
    assert.equal(written.kind, SERVER);
    const changes = spans.filter(({ parentSpanId }) => parentSpanId === written.spanId);
    assert.deepEqual(
      changes.map(({ name, kind, attributes }) => [name, kind, attributes]),
      [["transaction", CLIENT, { "db.system.name": "sqlite" }]],
    );
    assert.equal(changes[0]?.traceId, written.traceId);
    const failed = spans.filter(({ status }) => status.code === ERROR);
    assert.deepEqual(
      failed.map(({ name, parentSpanId, attributes }) => [
        name,
        parentSpanId,
        attributes["error.type"],
      ]),
      [["transaction", refused.spanId, "conflict"]],
    );
    const parents = spans.filter(({ name }) => name === "search").map((span) => span.parentSpanId);
    assert(parents.includes(pages[2]?.spanId ?? "none"), "of the page");
    assert(parents.includes(tools[0]?.spanId ?? "none"), "of the tool");
    assert.equal(
      only(spans, "GET /admin/content/{id}").attributes["http.response.status_code"],
      303,
    );

    assert.equal(collector.services[0]?.["service.name"], "our-site");
    assert.equal(collector.authorizations[0], "Bearer collectors-secret");
    const sent = JSON.stringify(collector.bodies);
    const ours = [
      key,
      "secretquestion",
      "ann@example",
      "inventedtool",
      "127.0.0.1",
      "undici",
      "node",
    ];
    for (const word of [...ours, "Privatetitle", "privatepath", "privateid", "Tester"]) {
      assert(!sent.includes(word), word);
    }
    assert(!served.output().includes("collectors-secret"));
  });

  it("has a span of each question to the sign-in provider, and nothing of who signs in", async () => {
    await using collector = await openCollector();
    await using provider = await openOpenIdServer();
    using line = await openSiteLine();
    const invited = await line.run(
      "admins",
      "invite",
      "--name",
      "Ada",
      "--email",
      EMAIL,
      "--role",
      "owner",
    );
    assert.equal(invited.code, 0, invited.err);
    await using served = await serve(line, {
      more: {
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
        OIDC_ISSUER: provider.issuer,
        OIDC_CLIENT_ID: CLIENT_ID,
        OIDC_CLIENT_SECRET: "providers-secret",
      },
    });
    const signIn = async (change: (back: string) => string) => {
      const begun = await fetch(`${served.origin}/admin/provider`, { redirect: "manual" });
      const cookie = begun.headers.getSetCookie().map((one) => one.split(";")[0] ?? "");
      const back = change(provider.authorize(begun.headers.get("location") ?? ""));
      const init = { headers: { cookie: cookie.join("; ") }, redirect: "manual" } as const;
      return (await fetch(`${served.origin}${back}`, init)).headers.get("location") ?? "";
    };
    Object.assign(provider.says, { email: EMAIL, emailVerified: true });
    assert.doesNotMatch(await signIn((back) => back), /failed/);
    assert.match(await signIn((back) => back.replace(/code-\w+/, "code-forged")), /failed/);
    assert.equal(await stop(served, "SIGTERM"), 0);

    const { spans } = collector;
    assert.equal(only(spans, "sign-in provider discovery").kind, CLIENT);
    const [good, refused] = spans.filter(({ name }) => name === "sign-in provider");
    assert.deepEqual([good?.kind, good?.status.code === ERROR], [CLIENT, false]);
    assert.equal(refused?.status.code, ERROR);
    const sent = JSON.stringify(collector.bodies);
    for (const word of [EMAIL, "code-", "state", "providers-secret", provider.issuer]) {
      assert(!sent.includes(word), word);
    }
  });

  it("names the line that installs the packages where they are missing", async () => {
    using line = await openSiteLine();
    const more = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" };
    await assert.rejects(serve(line, { more, command: WITHOUT_LIBRARIES }), (error: Error) => {
      assert.match(error.message, /npm install @opentelemetry\/api@\^1\.10\.0 /);
      return true;
    });
  });

  it("loads none of the packages without a collector", async () => {
    using line = await openSiteLine();
    await using served = await serve(line, { command: WITHOUT_LIBRARIES });
    assert.equal((await fetch(`${served.origin}/`)).status, 200);
    assert.equal(await stop(served, "SIGTERM"), 0);
  });
});

onPostgres("commonplace serve with traces", () => {
  it("has a span of each transaction, which names the engine and not the database", async () => {
    await using collector = await openCollector();
    await using database = await createDatabase();
    using line = await openSiteLine({ DATABASE_URL: database.url });
    const key = await issueKey(line);
    await using served = await serve(line, {
      more: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint },
    });
    const item = { type: "page", title: "Privatetitle", path: "/privatepath", body: "Text" };
    const written = await fetch(`${served.origin}/api/v1/content`, post(key, item));
    assert.equal(written.status, 201);
    assert.equal(await stop(served, "SIGTERM"), 0);
    const { spans } = collector;
    const { spanId } = only(spans, "POST /api/v1/content");
    const changes = spans.filter(({ parentSpanId }) => parentSpanId === spanId);
    assert.deepEqual(
      changes.map(({ name, kind, attributes }) => [name, kind, attributes]),
      [["transaction", CLIENT, { "db.system.name": "postgresql" }]],
    );
    const { hostname, pathname, password } = new URL(database.url);
    const sent = JSON.stringify(collector.bodies);
    for (const word of [
      key,
      "Privatetitle",
      "privatepath",
      hostname,
      pathname.slice(1),
      password,
    ]) {
      assert(!sent.includes(word), word);
    }
  });
});

it("names the packages as package.json and the operating guide do", () => {
  const guide = readFileSync("docs/operating.md", "utf8");
  assert(guide.includes(`npm install ${TRACING_PACKAGES.join(" ")}\n`));
  const { peerDependencies, peerDependenciesMeta } = JSON.parse(
    readFileSync("package.json", "utf8"),
  );
  const named = Object.entries(peerDependencies).map(([name, range]) => `${name}@${range}`);
  assert.deepEqual(named, TRACING_PACKAGES);
  for (const { optional } of Object.values<{ optional: boolean }>(peerDependenciesMeta)) {
    assert.equal(optional, true);
  }
});
