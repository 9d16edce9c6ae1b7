import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { splitIntoLines } from "../../../src/content/import/lines.ts";
import { BULK_LINE_BYTES_MAX } from "../../../src/http/api/bulk-lines.ts";
import { type Loose, openApiClient } from "../../support/api-client.ts";
import { sendTo } from "../../support/send-to.ts";
import { until } from "../../support/until.ts";

const api = await openApiClient();
after(() => api[Symbol.asyncDispose]());

const ANY = { "If-Match": "*" };
const NDJSON = { "Content-Type": "application/x-ndjson" };

async function send(
  items: readonly (object | string)[],
  { query = "", key }: { query?: string; key?: string } = {},
): Promise<{ status: number; told: Loose[]; text: string }> {
  const body = items.map((item) => (typeof item === "string" ? item : JSON.stringify(item)));
  const { status, text } = await api.request("POST", `/content/bulk${query}`, {
    body: body.join("\n"),
    headers: NDJSON,
    ...(key === undefined ? {} : { key }),
  });
  const isTold = status === 200;
  return {
    status,
    text,
    told: isTold
      ? text
          .trim()
          .split("\n")
          .map((line) => JSON.parse(line))
      : [],
  };
}

function topic(name: string, more: object = {}): object {
  return { type: "topic", title: name, sourceKey: `bulk:${name}`, status: "published", ...more };
}

describe("POST /content/bulk", () => {
  it("saves each line by its source key, and does nothing the second time", async () => {
    const first = await send([
      topic("Patience"),
      topic("Haste", { fields: { aliases: ["Hurry"] } }),
    ]);
    assert.equal(first.status, 200);
    assert.deepEqual(
      first.told.map(({ id: _id, ...told }) => told),
      [
        { line: 1, sourceKey: "bulk:Patience", outcome: "created", path: "/topics/patience" },
        { line: 2, sourceKey: "bulk:Haste", outcome: "created", path: "/topics/haste" },
        { summary: { lines: 2, created: 2, updated: 0, unchanged: 0, failed: 0, linksLeftOut: 0 } },
      ],
    );
    assert.equal((await api.app.get("/topics/haste")).status, 200);
    const again = await send([topic("Patience"), topic("Haste", { summary: "Too much speed" })]);
    assert.deepEqual(
      again.told.slice(0, 2).map(({ outcome }) => outcome),
      ["unchanged", "updated"],
    );
  });

  it("reports invalid lines in our own words, and saves the others", async () => {
    const deep = `{"type":${"[".repeat(200_000)}${"]".repeat(200_000)},"title":"x"}`;
    const noType = "there is no content type";
    const types = "use one of page, topic, author, work, quotation, event";
    const cases: [line: object | string, where: string, message: string][] = [
      ["{", "", "is not JSON: look at character 2"],
      ['{"a":"', "", "is not JSON: look at character 7"],
      ["[]", "", "is not an object"],
      [deep, "type", `${noType} like this; ${types}`],
      [topic("x", { type: "nope" }), "type", `${noType} "nope"; ${types}`],
      [
        topic("x", { sourceKey: undefined }),
        "sourceKey",
        "is missing; by it a repeat knows what is there already",
      ],
      [topic("x", { sourceKey: "/x" }), "sourceKey", 'must not start with "/"'],
      [topic("x", { colour: "red" }), "colour", "is not a key of topics"],
      [topic("x", { title: "half \ud800" }), "title", "contains control characters"],
      [topic("x", { path: "/admin/x" }), "path", "it is reserved for the service"],
      ['{"__proto__":{"a":1},"type":"topic","title":"x"}', "__proto__", "is not a key of topics"],
      ["x".repeat(BULK_LINE_BYTES_MAX + 1), "", "is longer than 1 MiB"],
    ];
    const { told } = await send([...cases.map(([line]) => line), "", topic("Kept")]);
    const failed = told.slice(0, cases.length);
    for (const [at, [, where, message]] of cases.entries()) {
      assert.equal(failed[at].outcome, "failed");
      assert.deepEqual(failed[at].problems, [{ where, message }], `line ${at + 1}`);
    }
    assert.equal(told.at(-2).line, cases.length + 2);
    assert.deepEqual(told.at(-1).summary, {
      lines: cases.length + 1,
      created: 1,
      updated: 0,
      unchanged: 0,
      failed: cases.length,
      linksLeftOut: 0,
    });
  });

  it("can be asked for problems alone", async () => {
    const { told } = await send([topic("Kept"), "{"], { query: "?report=problems" });
    assert.deepEqual(
      told.map((line) => line.line ?? line.summary.lines),
      [2, 2],
    );
  });

  it("saves all or nothing, or tries without a trace", async () => {
    const items = [topic("All"), topic("None", { colour: "red" })];
    const refused = await send(items, { query: "?mode=all-or-nothing" });
    assert.equal(refused.status, 400);
    assert.deepEqual(JSON.parse(refused.text).problems, [
      { where: "line 2, colour", message: "is not a key of topics" },
    ]);
    const tried = await send(items, { query: "?mode=dry-run&publish=true" });
    assert.deepEqual(
      tried.told.map(({ outcome }) => outcome),
      ["created", "failed", undefined],
    );
    assert.equal((await api.app.get("/topics/all")).status, 404);
    await send([topic("All")], { query: "?mode=all-or-nothing" });
    assert.equal((await api.app.get("/topics/all")).status, 200);
    const long = topic("Long", { body: "x".repeat(900_000) });
    const { status, text } = await send(Array(20).fill(long), { query: "?mode=all-or-nothing" });
    assert.equal(status, 413);
    assert.match(
      text,
      /takes up to 16 MiB; send it as mode=best-effort, which a repeat makes whole/,
    );
  });

  it("publishes for keys that may, overrules what lines state, and refuses other settings", async () => {
    const key = await api.issue("content:write");
    const { told } = await send([topic("Secret"), topic("Draft", { status: "draft" })], { key });
    assert.deepEqual(
      told.slice(0, 2).map(({ outcome }) => outcome),
      ["failed", "created"],
    );
    assert.equal(told[0].problems[0].message, "This key lacks the scope content:publish");
    assert.equal((await send([topic("Secret")], { key, query: "?publish=true" })).status, 403);
    await send([topic("Hidden")], { key, query: "?publish=false" });
    assert.equal((await api.app.get("/topics/hidden")).status, 404);
    assert.equal((await send([], { query: "?mode=half" })).status, 400);
    const json = await api.request("POST", "/content/bulk", { body: [], headers: {} });
    assert.equal(json.status, 415);
  });

  it("withdraws and moves what others point to only when told to keep that", async () => {
    const wide = topic("Bulk wide", { path: "/topics/bulk-wide" });
    const narrow = topic("Bulk narrow", { relations: { broader: ["/topics/bulk-wide"] } });
    const text = { body: "See [it](/topics/bulk-wide)." };
    const page = { type: "page", title: "Bulk page", path: "/bulk-page", status: "published" };
    await send([wide, narrow, { ...page, ...text, sourceKey: "bulk:page" }]);
    const found = await api.request("GET", "/content?path=/topics/bulk-wide");
    const references = `/content/${found.body.items[0].id}/references`;
    await until(async () => (await api.request("GET", references)).body.total === 2);
    const gone = { ...wide, status: "archived" };
    const moved = { ...wide, path: "/topics/bulk-moved" };
    for (const [changed, told] of [
      [gone, /Cannot withdraw.*point to it.*references=keep/],
      [moved, /Cannot move.*bulk-page.*link to it.*references=keep/],
    ] as const) {
      for (const mode of ["best-effort", "dry-run"]) {
        const lines = [narrow, changed];
        const { told: reports } = await send(lines, { query: `?mode=${mode}` });
        assert.equal(reports[1]?.["outcome"], "failed", JSON.stringify(reports));
        assert.match(JSON.stringify(reports[1]), told);
        assert.equal(reports[0]?.["outcome"], "unchanged");
      }
      const whole = await send([changed], { query: "?mode=all-or-nothing" });
      assert.notEqual(whole.status, 200);
      assert.match(whole.text, told);
    }
    assert.equal((await api.app.get("/topics/bulk-wide")).status, 200);
    const unpublished = await send([wide], { query: "?publish=false" });
    assert.equal(unpublished.told[0]?.["outcome"], "failed");
    const kept = await send([gone], { query: "?references=keep" });
    assert.equal(kept.told[0]?.["outcome"], "updated");
    assert.equal((await api.app.get("/topics/bulk-wide")).status, 410);
  });
});

describe("a bulk in progress", () => {
  it("saves lines as they arrive, without blocking other readers and writers", async () => {
    await using stream = openStream();
    stream.send(topic("Streamed"));
    assert.equal((await stream.line()).outcome, "created");
    assert.equal((await api.app.get("/topics/streamed")).status, 200);
    assert.equal((await send([topic("Meanwhile")])).told[0].outcome, "created");
    stream.send(topic("Streamed later"));
    assert.equal((await stream.line()).line, 2);
    stream.end();
    assert.equal((await stream.line()).summary.created, 2);
  });

  it("ends when its key is revoked, and publishes nothing once the key has lost the right", async () => {
    const scopes = ["content:write", "content:publish"] as const;
    const { key, record } = await api.issueWith({ scopes });
    await using stream = openStream(key);
    const path = `/keys/${record.id}`;
    stream.send(topic("While it worked"));
    assert.equal((await stream.line()).outcome, "created");
    const body = { scopes: ["content:write"] };
    await api.request("PATCH", path, { body, headers: ANY });
    stream.send(topic("While it could only write"));
    assert.match((await stream.line()).problems[0].message, /lacks the scope content:publish/);
    await api.request("DELETE", path, { headers: ANY });
    stream.send(topic("Once it was revoked"));
    const { error } = await stream.line();
    assert.deepEqual(
      [error.status, error.detail],
      [403, "The key that asked for this was revoked"],
    );
    assert.equal((await api.app.get("/topics/once-it-was-revoked")).status, 404);
  });

  it("keeps what was saved when the client disconnects, and reports it to one that still reads", async () => {
    await using stream = openStream();
    stream.send(topic("Before the end"));
    await stream.line();
    stream.breakOff();
    assert.equal((await stream.line()).summary.created, 1);
    const { error } = await stream.line();
    assert.equal(error.status, 400);
    assert.match(error.detail, /^The body broke off before its end; send it again$/);
    assert.equal((await api.app.get("/topics/before-the-end")).status, 200);
    const { told } = await send([topic("Before the end")]);
    assert.equal(told[0].outcome, "unchanged");
  });
});

/** A bulk whose lines are sent one by one, in process. */
function openStream(key = api.key) {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const response = Promise.resolve(
    sendTo(api.app.http, "/api/v1/content/bulk", {
      method: "POST",
      headers: { Authorization: `Bearer ${key}`, ...NDJSON },
      body: readable,
      duplex: "half",
    }),
  );
  const lines = response.then(({ body }) => {
    assert(body !== null);
    return splitIntoLines(body)[Symbol.asyncIterator]();
  });
  return {
    send: (item: object) => void writer.write(Buffer.from(`${JSON.stringify(item)}\n`)),
    end: () => void writer.close(),
    breakOff: () => void writer.abort(new Error("gone")),
    line: async (): Promise<Loose> => {
      const { value } = await (await lines).next();
      return JSON.parse(String(value?.text));
    },
    async [Symbol.asyncDispose]() {
      await writer.close().catch(() => {});
      await (await lines).return?.(undefined);
    },
  };
}
