import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { mintKey } from "../../src/access/keys/key-format.ts";
import type { Route } from "../../src/http/api/route.ts";
import { ROUTES } from "../../src/http/api/routes.ts";
import { type ApiClient, openApiClient } from "../support/api-client.ts";
import { type Sample, sampleRequests } from "../support/api-samples.ts";
import { type ContactSite, MESSAGE, openContactSite, REQUEST } from "../support/contact.ts";
import { type CallTool, openTools } from "../support/front-doors.ts";
import { ended, listening } from "../support/listening.ts";
import { png } from "../support/media-bytes.ts";
import { createDatabase, onPostgres, type TestDatabase } from "../support/postgres-store.ts";
import { sendTo } from "../support/send-to.ts";
import { found, until } from "../support/until.ts";
import { openWay, type Way } from "../support/way-to-database.ts";

/** What tells of the interface itself, or of what is published, asks no database. */
const ANSWERED = ["GET /", "GET /openapi.json", "POST /redirects/check"];

onPostgres("while the database is away", () => {
  let database: TestDatabase;
  let way: Way;
  let api: ApiClient;
  let contact: ContactSite;
  let callTool: CallTool;
  let mediumPath = "";
  const asked: { route: Route; sample: Sample }[] = [];

  before(async () => {
    database = await createDatabase();
    way = await openWay(database.url);
    const config = { databaseUrl: way.url };
    api = await openApiClient({ config });
    contact = await openContactSite({ config });
    callTool = await openTools(api);
    const body = new Uint8Array(png(3, 3));
    const headers = { "Content-Type": "image/png" };
    const { body: medium } = await api.request("POST", "/media?alwaysPublic=true", {
      body,
      headers,
    });
    mediumPath = medium.path;
    const samples = sampleRequests(api);
    for (const route of ROUTES) {
      const made = await samples.get(`${route.method} ${route.path}`)?.();
      asked.push({ route, sample: made ?? { path: route.path, options: {} } });
    }
    // So that this instance has the file as well.
    await until(async () => (await contact.app.get(mediumPath)).status === 200);
    await callTool("describe_content_catalog", {});
    api.app.logged.length = 0;
    await way.cut();
  });

  after(async () => {
    await api[Symbol.asyncDispose]();
    await contact[Symbol.asyncDispose]();
    await way[Symbol.asyncDispose]();
    await database[Symbol.asyncDispose]();
  });

  describe("reading goes on", () => {
    for (const path of ["/", "/topics/time", "/topics.md", "/search?q=time", "/llms.txt"]) {
      it(path, async () => assert.equal((await api.app.get(path)).status, 200));
    }

    it("of files", async () => {
      for (const app of [api.app, contact.app]) {
        assert.equal((await app.get(mediumPath)).status, 200);
      }
    });

    it("by agents with a key in use", async () => {
      const { result } = await callTool("search_content", { query: "time" });
      assert.notEqual(result.isError, true);
      assert.match((await callTool("get_content_by_url", { url: "/topics/time" })).text, /Time/);
    });

    it("and the instance is ready for it", async () => {
      const ready = await found(async () => {
        const answer = await api.app.get("/readyz");
        assert.equal(answer.status, 200);
        const text = await answer.text();
        return text.includes("the database is away") ? text : undefined;
      });
      assert.match(ready, /changes have to wait/);
    });
  });

  it("every route of the interface says so, or answers, and none fails", async () => {
    const answered: string[] = [];
    for (const { route, sample } of asked) {
      const name = `${route.method} ${route.path}`;
      const { status, headers, body, text } = await api.request(
        route.method,
        sample.path,
        sample.options,
      );
      if (status < 400) {
        answered.push(name);
        continue;
      }
      assert.equal(status, 503, `${name}: ${text}`);
      assert.equal(headers.get("retry-after"), "5", name);
      assert.equal(headers.get("content-type"), "application/problem+json", name);
      assert.match(body.detail, /^The database cannot be reached for the moment/, name);
    }
    assert.deepEqual(answered, ANSWERED);
  });

  it("a key not used here recently is neither accepted nor called wrong", async () => {
    const { status, headers } = await api.request("GET", "/", { key: mintKey() });
    assert.deepEqual([status, headers.get("retry-after")], [503, "5"]);
    const mcp = await sendTo(api.app.http, "/mcp", {
      method: "POST",
      headers: {
        Authorization: `Bearer ${mintKey()}`,
        Host: "quotations.example",
        "Content-Type": "application/json",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping", params: {} }),
    });
    assert.equal(mcp.status, 503);
    assert.equal((await api.request("GET", "/", { key: "cpl_nonsense" })).status, 401);
  });

  it("visitors who send a form get a clear message, and keep their text", async () => {
    for (const [form, values] of [
      ["message", MESSAGE],
      ["key-request", REQUEST],
    ] as const) {
      const answer = await contact.send(form, values);
      assert.deepEqual([answer.status, answer.headers.get("retry-after")], [503, "5"]);
      const html = await answer.text();
      assert.match(html, /We cannot save what you sent at the moment/);
      for (const typed of Object.values(values)) assert(html.includes(typed), typed);
    }
    const claimed = await contact.claim("cplc_whatever");
    assert.equal(claimed.status, 503);
    assert.match(
      await claimed.text(),
      /We cannot check your code at the moment. It is still valid/,
    );
  });

  it("metrics report it", async () => {
    const text = await metrics();
    assert.match(text, /^commonplace_database_reachable 0$/m);
    assert(!text.includes("commonplace_waiting{"));
  });

  it("the log reports it a few times, not every second", async () => {
    const faults = api.app.logged.filter((line) => JSON.parse(line).level >= 40);
    assert(faults.length > 0 && faults.length <= 4, faults.join(""));
  });

  it("everything works again when it is back", async () => {
    await way.mend();
    const body = { type: "topic", title: "Written after the outage", status: "published" };
    const written = await found(async () => {
      const answer = await api.request("POST", "/content", { body });
      return answer.status === 503 ? undefined : answer;
    });
    assert.equal(written.status, 201, written.text);
    assert.equal((await api.app.get("/topics/written-after-the-outage")).status, 200);
    // Another connection may still be found broken for a moment.
    const sent = await found(async () => {
      const answer = await contact.send("message", MESSAGE);
      return answer.status === 503 ? undefined : answer;
    });
    assert.equal(sent.status, 303);
    await until(async () => /^commonplace_database_reachable 1$/m.test(await metrics()));
    const isTold = (line: string) => JSON.parse(line).msg === "The clock waits: over";
    await until(() => api.app.logged.some(isTold));
  });

  async function metrics(): Promise<string> {
    const server = api.app.metrics.server(() => []);
    const port = await listening(server);
    try {
      return await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    } finally {
      await ended(server);
    }
  }
});
