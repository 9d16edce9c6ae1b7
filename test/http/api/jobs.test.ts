import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import {
  type ApiAnswer,
  type ApiClient,
  type Loose,
  openApiClient,
} from "../../support/api-client.ts";
import { endedJob } from "../../support/ended-job.ts";
import { until } from "../../support/until.ts";

const NDJSON = { "Content-Type": "application/x-ndjson" };
const UNKNOWN = "01930000-0000-7000-8000-000000000000";

function lines(...items: object[]): string {
  return items.map((item) => `${JSON.stringify(item)}\n`).join("");
}

function topics(count: number): string {
  return lines(
    ...Array.from({ length: count }, (_, n) => ({
      type: "topic",
      sourceKey: `t${n}`,
      title: `Imported topic ${n}`,
      status: "published",
    })),
  );
}

async function startImport(
  client: ApiClient,
  body: string,
  query = "",
  key = client.key,
): Promise<ApiAnswer> {
  return await client.request("POST", `/imports${query}`, { body, headers: NDJSON, key });
}

describe("an import", () => {
  it("takes in lines in the background, and reports what became of them", async () => {
    await using client = await openApiClient();
    const body = lines(
      {
        type: "topic",
        path: "/topics/later",
        title: "Later",
        broader: "/topics/earlier",
        status: "published",
      },
      { type: "topic", path: "/topics/earlier", title: "Earlier", status: "published" },
      { type: "topic", sourceKey: "bad", title: "" },
      { type: "topic", title: "Nobody knows me again" },
      { type: "topic", sourceKey: "lost", title: "Lost", broader: "/topics/nowhere" },
    );
    const started = await startImport(client, `${body}not json\n`);
    assert.match(started.headers.get("location") ?? "", /^\/api\/v1\/jobs\/[0-9a-f-]{36}$/);
    assert.equal(started.body.state, "queued");
    assert.deepEqual(started.body.progress, { done: 0, total: 6 });
    const job = await endedJob(client, started);
    assert.equal(job.state, "done", job.error);
    const { problems, items, ...counts } = job.report;
    assert.deepEqual(counts, {
      ...{ created: 3, updated: 0, unchanged: 0, conflicts: 0, failed: 3 },
      ...{ problemsTotal: 4, drafts: 1 },
    });
    assert.deepEqual(
      problems.map((problem: Loose) => [problem.line, problem.message.slice(0, 11)]),
      [
        [3, "is empty"],
        [4, "needs a sou"],
        [6, "is not JSON"],
        [5, "there is no"],
      ],
    );
    assert.deepEqual(
      items.map(({ line, outcome }: Loose) => [line, outcome]),
      [
        [1, "created"],
        [2, "created"],
        [3, "failed"],
        [4, "failed"],
        [5, "created"],
        [6, "failed"],
      ],
    );
    assert.equal((await client.app.get("/topics/later")).status, 200);
    const entries = await client.app.record.audit.entries({ limit: 10, action: "transfer." });
    assert.deepEqual(
      entries.map(({ action, target }) => [action, target]),
      [["transfer.import", job.id]],
    );
  });

  it("changes nothing when repeated", async () => {
    await using client = await openApiClient();
    await endedJob(client, await startImport(client, topics(5)));
    const { report } = await endedJob(client, await startImport(client, topics(5)));
    assert.deepEqual([report.created, report.unchanged], [0, 5]);
  });

  it("names what changes in each item, in the dry run as in the run", async () => {
    await using client = await openApiClient();
    const work = { type: "work", path: "/works/walden", title: "Walden" };
    const later = { type: "author", path: "/authors/thoreau", title: "Henry David Thoreau" };
    await endedJob(client, await startImport(client, lines(work)));
    const changed = lines(
      { ...work, title: "Walden Pond", year: 1854, authors: later.path },
      later,
    );
    const tried = await endedJob(client, await startImport(client, changed, "?dryRun=true"));
    const done = await endedJob(client, await startImport(client, changed));
    assert.deepEqual(tried.report, done.report);
    assert.deepEqual(done.report.items, [
      {
        ...{ line: 2, outcome: "created", title: later.title, path: later.path, type: "author" },
      },
      {
        ...{ line: 1, outcome: "updated", title: "Walden Pond", path: work.path, type: "work" },
        changed: ["title", "fields.year", "relations.authors"],
      },
    ]);
  });

  it("changes nothing in a dry run", async () => {
    await using client = await openApiClient();
    const job = await endedJob(client, await startImport(client, topics(5), "?dryRun=true"));
    assert.deepEqual([job.report.created, job.options.dryRun], [5, true]);
    assert.equal((await client.app.get("/topics/imported-topic-1")).status, 404);
  });

  it("overrules what items say of their status, and leaves out what nobody declared", async () => {
    await using client = await openApiClient();
    const body = lines({
      type: "topic",
      path: "/topics/x",
      title: "X",
      status: "published",
      mood: 1,
    });
    const strict = await endedJob(client, await startImport(client, body));
    assert.equal(strict.report.failed, 1);
    const job = await endedJob(
      client,
      await startImport(client, body, "?status=draft&lenient=true"),
    );
    assert.deepEqual([job.report.created, job.report.failed], [1, 0]);
    assert.equal(job.report.problems[0].severity, "warning");
    assert.equal((await client.app.get("/topics/x")).status, 404);
  });

  it("does what its key may do and no more", async () => {
    await using client = await openApiClient();
    const bare = await client.issue("transfer:run");
    const writer = await client.issue("transfer:run", "content:write");
    const refused = await startImport(client, topics(1), "", bare);
    assert.deepEqual(
      [refused.status, refused.body.detail],
      [403, "This key lacks the scope content:write"],
    );
    const publishing = await startImport(client, topics(1), "?status=published", writer);
    assert.equal(publishing.body.detail, "This key lacks the scope content:publish");
    const job = await endedJob(client, await startImport(client, topics(2), "", writer));
    assert.equal(job.report.failed, 2);
    assert.equal(job.report.problems[0].message, "This key lacks the scope content:publish");
    const drafts = await endedJob(
      client,
      await startImport(client, topics(2), "?status=draft", writer),
    );
    assert.deepEqual([drafts.state, drafts.report.created], ["done", 2]);
  });

  it("by a key that may not publish leaves unchanged what is public as it is, and refuses the rest", async () => {
    await using client = await openApiClient();
    const topic = (at: number, title = `Topic ${at}`) => {
      return { type: "topic", path: `/topics/t${at}`, title, status: "published" };
    };
    const deleted = { type: "topic", path: "/topics/gone", title: "Gone", status: "deleted" };
    const all = lines(topic(1), topic(2), deleted);
    await endedJob(client, await startImport(client, all));
    const writer = await client.issue("transfer:run", "content:write");
    const importByWriter = async (body: string, query = "") => {
      const { report } = await endedJob(client, await startImport(client, body, query, writer));
      const messages = report.problems.map(({ message }: { message: string }) => message);
      return [report.created, report.updated, report.unchanged, report.failed, messages];
    };
    assert.deepEqual(await importByWriter(all), [0, 0, 3, 0, []]);
    const changed = lines(topic(1), topic(2, "Renamed"), { ...topic(3), status: "archived" });
    const refusal = "This key lacks the scope content:publish";
    assert.deepEqual(await importByWriter(changed), [0, 0, 1, 2, [refusal, refusal]]);
    assert.deepEqual(await importByWriter(all, "?status=draft"), [0, 0, 1, 2, [refusal, refusal]]);
    const redated = lines({ ...topic(1), updatedAt: "2020-01-01T00:00:00Z" });
    assert.deepEqual(await importByWriter(redated), [0, 0, 0, 1, [refusal]]);
  });

  it("refuses what it cannot read", async () => {
    const json = { "Content-Type": "application/json" };
    for (const [query, headers, status, detail] of [
      ["", json, 415, /application\/x-ndjson/],
      ["?status=gone", NDJSON, 400, /status: must be one of draft, published/],
      ["?dryRun=1", NDJSON, 400, /dryRun: must be one of true, false/],
      ["?publish=true", NDJSON, 400, /keys that mean nothing here: publish/],
    ] as const) {
      const answer = await shared.request("POST", `/imports${query}`, { body: "{}", headers });
      assert.equal(answer.status, status, answer.text);
      assert.match(answer.body.detail, detail);
    }
  });

  it("of nothing at all is done at once", async () => {
    const job = await endedJob(shared, await startImport(shared, ""));
    assert.deepEqual([job.state, job.progress], ["done", { done: 0, total: 0 }]);
  });

  for (const { what, lost, error } of [
    {
      what: "was revoked",
      lost: { revokedAt: "2026-01-01T00:00:00.000Z", revokedWhy: "lost" },
      error: "The key that asked for this was revoked",
    },
    {
      what: "lost the permission",
      lost: { scopes: ["content:write"] },
      error: "This key lacks the scope transfer:run",
    },
    {
      what: "lost the right to publish",
      lost: { scopes: ["transfer:run", "content:write"] },
      error: "This key lacks the scope content:publish",
    },
  ] as const) {
    it(`by a key that ${what} meanwhile is not done`, async () => {
      await using client = await openApiClient();
      const scopes = ["transfer:run", "content:write", "content:publish"] as const;
      const { key, record } = await client.issueWith({ scopes });
      const started = await startImport(client, topics(1), "?status=published", key);
      await client.app.record.keys.write(async (transaction) => {
        const entry = {
          at: client.clock.now.toISOString(),
          actor: "operator",
          action: "key.change",
          target: record.id,
          revisionBefore: null,
          revisionAfter: null,
          requestId: null,
        };
        await transaction.update({ ...record, ...lost }, entry);
      });
      const job = await endedJob(client, started);
      assert.deepEqual([job.state, job.error], ["failed", error]);
    });
  }
});

describe("a job", () => {
  it("ends soon after its key is revoked", async () => {
    await using client = await openApiClient();
    const { key, record } = await client.issueWith({ scopes: ["transfer:run", "content:write"] });
    const started = await startImport(client, topics(20_000), "?status=draft", key);
    const path = `/jobs/${started.body.id}`;
    await until(async () => (await client.request("GET", path)).body.state === "running");
    const revoked = await client.request("DELETE", `/keys/${record.id}`, {
      headers: { "If-Match": "*" },
    });
    assert.equal(revoked.status, 200, revoked.text);
    const job = await endedJob(client, started);
    assert.deepEqual([job.state, job.error], ["failed", "The key that asked for this was revoked"]);
    assert(job.progress.done < 20_000, String(job.progress.done));
  });

  it("can be followed as a stream of events, to its end", async () => {
    await using client = await openApiClient();
    const started = await startImport(client, topics(3000));
    const { text, headers } = await client.request("GET", `/jobs/${started.body.id}`, {
      headers: { Accept: "text/event-stream" },
    });
    assert.equal(headers.get("content-type"), "text/event-stream");
    const events = text.trim().split("\n\n");
    assert(events.length >= 2, text.slice(0, 300));
    assert.match(events[0] ?? "", /^event: progress\ndata: {"id"/);
    const last = events.at(-1) ?? "";
    assert.match(last, /^event: end\ndata: /);
    const { state, progress } = JSON.parse(last.split("data: ")[1] ?? "");
    assert.deepEqual([state, progress], ["done", { done: 3000, total: 3000 }]);
  });

  it("that waits is cancelled at once, and one that runs soon", async () => {
    await using client = await openApiClient();
    const first = await startImport(client, topics(30_000));
    const second = await startImport(client, topics(1));
    const cancelled = await client.request("DELETE", `/jobs/${second.body.id}`);
    assert.deepEqual([cancelled.status, cancelled.body.state], [202, "cancelled"]);
    while ((await client.request("GET", `/jobs/${first.body.id}`)).body.state === "queued") {
      await sleep(20);
    }
    const cancelling = () => client.request("DELETE", `/jobs/${first.body.id}`);
    let running = await cancelling();
    // On a busy machine the import may hold the lock for longer than a change waits for it.
    while (running.status === 503) running = await cancelling();
    assert.equal(running.status, 202);
    const job = await endedJob(client, first);
    assert.equal(job.state, "cancelled");
    assert(job.progress.done < 30_000);
    const again = await client.request("DELETE", `/jobs/${first.body.id}`);
    assert.equal(again.status, 409);
    assert.match(again.body.detail, /^Cannot cancel this job: it is cancelled since 20/);
  });

  it("stands in a list, latest first, a page at a time", async () => {
    await using client = await openApiClient();
    const ids: string[] = [];
    for (let n = 0; n < 3; n += 1) ids.unshift((await startImport(client, "")).body.id);
    const page = await client.request("GET", "/jobs?limit=2");
    assert.deepEqual(
      page.body.items.map(({ id }: Loose) => id),
      ids.slice(0, 2),
    );
    const rest = await client.request("GET", `/jobs?limit=2&cursor=${page.body.nextCursor}`);
    assert.deepEqual([rest.body.items[0].id, rest.body.nextCursor], [ids[2], null]);
  });

  it("is one of twenty at most", async () => {
    await using client = await openApiClient();
    const statuses: number[] = [];
    for (let n = 0; n < 22; n += 1) {
      const answer = await client.request("POST", "/exports");
      statuses.push(answer.status);
    }
    assert(statuses.includes(202));
    if (statuses.includes(503)) assert(statuses.indexOf(503) >= 20);
  });

  it("that does not exist is not found", async () => {
    for (const [method, path] of [
      ["GET", `/jobs/${UNKNOWN}`],
      ["DELETE", `/jobs/${UNKNOWN}`],
      ["GET", `/jobs/${UNKNOWN}/result`],
      ["GET", "/jobs/..%2F..%2Fcommonplace.db/result"],
    ] as const) {
      const answer = await shared.request(method, path);
      assert.equal(answer.status, 404, path);
      assert.match(answer.body.detail, /^There is no job with the id/);
    }
  });
});

const shared = await openApiClient();
after(() => shared[Symbol.asyncDispose]());
