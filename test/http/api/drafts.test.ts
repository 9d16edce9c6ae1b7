import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { publishDueDrafts } from "../../../src/content/drafts/publishing-drafts.ts";
import {
  type ApiAnswer,
  type ApiClient,
  type Loose,
  openApiClient,
} from "../../support/api-client.ts";

const ANY = { "If-Match": "*" };
const SECRET = "quincunx";

async function made(api: ApiClient, input: object): Promise<Loose> {
  const body = { type: "topic", title: "Hope", status: "published", ...input };
  const answer = await api.request("POST", "/content", { body });
  assert.equal(answer.status, 201, answer.text);
  return answer.body;
}

async function started(api: ApiClient, body: object): Promise<Loose> {
  const answer = await api.request("POST", "/drafts", { body });
  assert.equal(answer.status, 201, answer.text);
  return answer.body;
}

async function saved(
  api: ApiClient,
  id: string,
  from: number | { revision: number },
  changes: object,
): Promise<ApiAnswer> {
  const seen = typeof from === "number" ? { version: from } : from;
  return await api.request("PATCH", `/drafts/${id}`, { body: { ...seen, changes } });
}

async function publish(api: ApiClient, id: string): Promise<ApiAnswer> {
  return await api.request("POST", `/drafts/${id}/publish`, { headers: ANY });
}

async function page(api: ApiClient, path: string): Promise<string> {
  return await (await api.app.get(path)).text();
}

describe("a draft", () => {
  it("of a published item shows nowhere in public until it is published", async () => {
    await using api = await openApiClient();
    const item = await made(api, { body: "As it was." });
    const draft = await started(api, {
      itemId: item.id,
      changes: { title: `Hope ${SECRET}`, body: `About ${SECRET}.`, summary: SECRET },
    });
    const surfaces = [
      ...["/topics/hope", "/topics/hope.md", "/topics", "/topics/llms.txt", "/llms.txt"],
      ...["/llms-full.txt", "/sitemap.xml", "/feed.atom", "/feed.json", `/search?q=${SECRET}`],
    ];
    for (const path of surfaces) {
      const text = await page(api, path);
      assert(!text.replaceAll(`q=${SECRET}`, "").includes(`Hope ${SECRET}`), path);
      assert(!text.includes(`About ${SECRET}`), path);
    }
    const { body } = await api.request("GET", `/content/${item.id}`);
    assert.equal(body.title, "Hope");
    assert.equal(body.revision, 1);

    const answer = await publish(api, draft.id);
    assert.equal(answer.status, 200, answer.text);
    assert.match(await page(api, "/topics/hope.md"), new RegExp(`About ${SECRET}`));
    assert.equal((await api.request("GET", `/drafts/${draft.id}`)).status, 404);
    assert.deepEqual([answer.body.revision, answer.body.status], [2, "published"]);
  });

  it("of a new item requires nothing but the type, and becomes an item once it is whole", async () => {
    await using api = await openApiClient();
    const draft = await started(api, { type: "quotation" });
    assert.deepEqual([draft.itemId, draft.version, draft.changes], [null, 1, {}]);
    const refused = await publish(api, draft.id);
    assert.equal(refused.status, 400);
    assert.equal(refused.body.problems[0].where, "title");
    const changes = {
      title: "On time",
      body: "It is short.",
      fields: { verification: "attributed", year: "not yet" },
      relations: { topics: ["/topics/time"] },
    };
    const typing = await saved(api, draft.id, 1, changes);
    assert.equal(typing.body.changes.fields.year, "not yet");
    assert.match((await publish(api, draft.id)).body.detail, /fields\.year/);
    await saved(api, draft.id, 2, { fields: { year: 49 } });
    const { body: item, text } = await publish(api, draft.id);
    assert.equal(item.path, "/quotations/on-time", text);
    assert.equal(item.relations.topics[0].path, "/topics/time");
    assert.match(await page(api, item.path), /It is short\./);
  });

  it("says which fields a type has, and what is wrong with the rest", async () => {
    await using api = await openApiClient();
    const wrong = { type: "topic", changes: { fields: { colour: "red" } } };
    const answer = await api.request("POST", "/drafts", { body: wrong });
    assert.equal(answer.status, 400);
    assert.match(answer.body.problems[0].message, /does not exist \(there are: aliases\)/);
    const unknown = await api.request("POST", "/drafts", { body: { type: "poem" } });
    assert.match(unknown.body.detail, /no content type "poem"/);
    const huge = { type: "topic", changes: { body: "x".repeat(1024 * 1024 + 1) } };
    assert.match((await api.request("POST", "/drafts", { body: huge })).text, /1 MiB/);
  });

  it("is found by its item, its editor and whether it waits", async () => {
    await using api = await openApiClient();
    const item = await made(api, {});
    const one = await started(api, { itemId: item.id, changes: { summary: "New" } });
    const other = await started(api, { type: "work", changes: { title: "Unfinished" } });
    const list = async (query: string) => {
      const { body } = await api.request("GET", `/drafts${query}`);
      return body.items.map(({ id, title }: Loose) => [id, title]);
    };
    assert.deepEqual(await list(""), [
      [other.id, "Unfinished"],
      [one.id, "Hope"],
    ]);
    assert.deepEqual(await list(`?itemId=${item.id}`), [[one.id, "Hope"]]);
    assert.deepEqual(await list("?type=work"), [[other.id, "Unfinished"]]);
    assert.deepEqual(await list("?waiting=true"), []);
    assert.equal((await list(`?editor=${encodeURIComponent(one.editors[0])}`)).length, 2);
    assert.deepEqual(await list("?editor=key:%25"), []);
    const first = await api.request("GET", "/drafts?limit=1");
    const rest = await api.request("GET", `/drafts?limit=1&cursor=${first.body.nextCursor}`);
    assert.deepEqual([rest.body.items[0].id, rest.body.nextCursor], [one.id, null]);
  });

  it("is discarded only by someone who saw its latest state", async () => {
    await using api = await openApiClient();
    const item = await made(api, {});
    const draft = await started(api, { itemId: item.id, changes: { title: "Fear" } });
    const path = `/drafts/${draft.id}`;
    assert.equal((await api.request("DELETE", path)).status, 428);
    await saved(api, draft.id, 1, { summary: "More" });
    const stale = await api.request("DELETE", path, { headers: { "If-Match": '"1"' } });
    assert.equal(stale.status, 412);
    assert.equal(
      (await api.request("DELETE", path, { headers: { "If-Match": '"2"' } })).status,
      204,
    );
    assert.equal((await api.request("GET", path)).status, 404);
    assert.equal((await api.request("GET", `/content/${item.id}`)).body.title, "Hope");
  });

  it("previews to the letter", async () => {
    await using api = await openApiClient();
    const item = await made(api, { body: "Before." });
    const draft = await started(api, { itemId: item.id, changes: { body: "*After*." } });
    const preview = await api.request("GET", `/drafts/${draft.id}/preview`);
    assert.match(preview.text, /<em>After<\/em>/);
    assert.equal(preview.headers.get("cache-control"), "private, no-store");
    assert.match(await page(api, "/topics/hope.md"), /Before\./);
    await publish(api, draft.id);
    assert.equal(await page(api, "/topics/hope"), preview.text);
  });
});

describe("two editors of one draft", () => {
  const LINES = Array.from({ length: 12 }, (_, number) => `Line ${number}`);
  const edited = (line: number, text: string) => LINES.with(line, text).join("\n");

  it("keep each other's parts, and each other's lines of one text", async () => {
    await using api = await openApiClient();
    const item = await made(api, { body: LINES.join("\n") });
    const { id } = await started(api, { itemId: item.id, changes: { summary: "Begun" } });
    await saved(api, id, 1, { title: "Anna's", body: edited(2, "Anna") });
    const ben = await saved(api, id, 1, { fields: { aliases: ["Ben's"] }, body: edited(9, "Ben") });
    assert.equal(ben.status, 200, ben.text);
    assert.deepEqual(ben.body.changes, {
      title: "Anna's",
      summary: "Begun",
      body: LINES.with(2, "Anna").with(9, "Ben").join("\n"),
      fields: { aliases: ["Ben's"] },
    });
  });

  it("are told of the parts that both changed, and nothing is lost or overwritten", async () => {
    await using api = await openApiClient();
    const item = await made(api, { body: LINES.join("\n") });
    const { id } = await started(api, { itemId: item.id, changes: { title: "Anna" } });
    const answer = await saved(api, id, { revision: 1 }, { title: "Ben", summary: "Ben's" });
    assert.equal(answer.status, 409);
    assert.deepEqual(
      answer.body.problems.map(({ where }: Loose) => where),
      ["title"],
    );
    const { body } = await api.request("GET", `/drafts/${id}`);
    assert.deepEqual([body.version, body.changes], [1, { title: "Anna" }]);
    const same = await saved(api, id, { revision: 1 }, { title: "Anna", summary: "Ben's" });
    assert.deepEqual(same.body.changes, { title: "Anna", summary: "Ben's" });
  });

  it("hear nothing of a save that changed nothing", async () => {
    await using api = await openApiClient();
    const item = await made(api, { body: "As it was." });
    const draft = await started(api, { itemId: item.id, changes: { title: "Courage" } });
    const same = await saved(api, draft.id, draft.version, {
      title: "Courage",
      body: "As it was.",
    });
    assert.deepEqual([same.status, same.body.version], [200, draft.version]);
    const answer = await api.request("POST", `/drafts/${draft.id}/publish`, {
      headers: { "If-Match": `"${draft.version}"` },
    });
    assert.equal(answer.status, 200, answer.text);
  });

  it("are told of a change of the item that the draft took over and they did not see", async () => {
    await using api = await openApiClient();
    const item = await made(api, {});
    const { id } = await started(api, { itemId: item.id, changes: { summary: "Mine" } });
    const patch = { title: "Theirs" };
    await api.request("PATCH", `/content/${item.id}`, { body: patch, headers: ANY });
    assert.equal((await saved(api, id, 1, { body: "Text" })).body.baseRevision, 2);
    assert.equal((await saved(api, id, 1, { title: "Mine" })).status, 409);
    assert.equal((await saved(api, id, 2, { title: "Mine" })).status, 200);
  });

  it("cannot save from a version that is no longer kept, nor from one to come", async () => {
    await using api = await openApiClient();
    const { id } = await started(api, { type: "topic", changes: { title: "0" } });
    for (let version = 1; version <= 25; version += 1) {
      await saved(api, id, version, { title: String(version) });
    }
    assert.equal((await saved(api, id, 2, { summary: "Late" })).status, 409);
    for (const version of [99, 3_000_000_000]) {
      assert.equal((await saved(api, id, version, { summary: "Early" })).status, 409);
    }
    const nowhere = await saved(api, id, { revision: 9 }, { summary: "Nowhere" });
    assert.equal(nowhere.status, 400);
    assert.equal((await saved(api, id, 20, { summary: "In time" })).body.changes.title, "25");
  });

  it("wait no longer for texts whose lines are all the same", async () => {
    await using api = await openApiClient();
    const same = (count: number) => "same\n".repeat(count);
    const item = await made(api, { body: same(100_000) });
    const { id } = await started(api, { itemId: item.id, changes: { body: same(60_000) } });
    const began = process.cpuUsage();
    const answer = await saved(api, id, { revision: 1 }, { body: `other\n${same(100_000)}` });
    assert.equal(answer.status, 409);
    assert(process.cpuUsage(began).user < 2_000_000);
  });
});

describe("a draft of an item that changed meanwhile", () => {
  it("is published with as many new lines as a text can have", async () => {
    await using api = await openApiClient();
    const item = await made(api, { body: "One\n\nTwo\n\nThree" });
    const lines = Array.from({ length: 130_000 }, (_, at) => `${at}\n`).join("");
    const { id } = await started(api, {
      itemId: item.id,
      changes: { body: `One\n\n${lines}Two\n\nThree` },
    });
    const patch = { body: "One!\n\nTwo\n\nThree!" };
    await api.request("PATCH", `/content/${item.id}`, { body: patch, headers: ANY });
    const { body } = await publish(api, id);
    assert.equal(body.body, `One!\n\n${lines}Two\n\nThree!`);
  });

  it("is published with both changes where they differ", async () => {
    await using api = await openApiClient();
    const item = await made(api, { body: "One\n\nTwo\n\nThree" });
    const { id } = await started(api, {
      itemId: item.id,
      changes: { body: "One!\n\nTwo\n\nThree" },
    });
    const patch = { body: "One\n\nTwo\n\nThree?", summary: "Theirs" };
    await api.request("PATCH", `/content/${item.id}`, { body: patch, headers: ANY });
    const { body } = await publish(api, id);
    assert.deepEqual([body.body, body.summary], ["One!\n\nTwo\n\nThree?", "Theirs"]);
  });

  it("reports each part that conflicts, and is published once it was chosen", async () => {
    await using api = await openApiClient();
    const item = await made(api, {});
    const { id } = await started(api, {
      itemId: item.id,
      changes: { title: "Mine", summary: "Mine" },
    });
    const patch = { title: "Theirs" };
    await api.request("PATCH", `/content/${item.id}`, { body: patch, headers: ANY });
    const refused = await publish(api, id);
    assert.equal(refused.status, 409);
    assert.deepEqual(
      refused.body.problems.map(({ where }: Loose) => where),
      ["title"],
    );
    const compared = await api.request("GET", `/drafts/${id}/comparison`);
    assert.deepEqual(compared.body.parts, [
      { part: "title", base: "Hope", theirs: "Theirs", mine: "Mine", isConflict: true },
      { part: "summary", base: "", theirs: "", mine: "Mine", isConflict: false },
    ]);
    const chosen = await saved(api, id, 1, { title: "Theirs" });
    assert.equal(chosen.body.conflicts, undefined, chosen.text);
    const { body } = await publish(api, id);
    assert.deepEqual([body.title, body.summary], ["Theirs", "Mine"]);
  });

  it("is refused if the item is deleted, and works again once it is restored", async () => {
    await using api = await openApiClient();
    const item = await made(api, {});
    const { id } = await started(api, { itemId: item.id, changes: { title: "Mine" } });
    await api.request("DELETE", `/content/${item.id}`, { headers: ANY });
    const refused = await publish(api, id);
    assert.equal(refused.status, 409, refused.text);
    await api.request("POST", `/content/${item.id}/revisions/1/restore`, { headers: ANY });
    assert.equal((await publish(api, id)).body.title, "Mine");
  });
});

describe("a scheduled draft", () => {
  it("is published by the clock at its time", async () => {
    await using api = await openApiClient();
    const item = await made(api, {});
    const { id } = await started(api, { itemId: item.id, changes: { title: "Later" } });
    const at = new Date(api.clock.now.getTime() + 60_000);
    const past = { publishAt: api.clock.now.toISOString() };
    const refused = await api.request("POST", `/drafts/${id}/schedule`, {
      body: past,
      headers: ANY,
    });
    assert.match(refused.body.detail, /in the past/);
    const body = { publishAt: at.toISOString() };
    await api.request("POST", `/drafts/${id}/schedule`, { body, headers: ANY });
    await publishDueDrafts(api.app.record, new Date(at.getTime() - 1));
    assert.doesNotMatch(await page(api, "/topics/hope"), /Later/);
    await publishDueDrafts(api.app.record, at);
    assert.match(await page(api, "/topics/hope"), /Later/);
    const { body: audit } = await api.request("GET", "/audit?limit=2");
    assert.deepEqual(
      audit.items.map(({ actor, action }: Loose) => [actor, action]),
      [
        ["clock", "draft.publish"],
        ["clock", "content.update"],
      ],
    );
  });

  it("that cannot be published stays, and says why", async () => {
    await using api = await openApiClient();
    const item = await made(api, {});
    const { id } = await started(api, { itemId: item.id, changes: { title: "Mine" } });
    const at = new Date(api.clock.now.getTime() + 60_000);
    const body = { publishAt: at.toISOString() };
    await api.request("POST", `/drafts/${id}/schedule`, { body, headers: ANY });
    const patch = { title: "Theirs" };
    await api.request("PATCH", `/content/${item.id}`, { body: patch, headers: ANY });
    await publishDueDrafts(api.app.record, at);
    const { body: waiting } = await api.request("GET", "/drafts?waiting=true");
    assert.equal(waiting.items[0].publishAt, null);
    assert.match(waiting.items[0].problem, /title of the item changed meanwhile/);
    assert.match(await page(api, "/topics/hope"), /Theirs/);
  });

  it("changes only with the permission to publish", async () => {
    await using api = await openApiClient();
    const key = await api.issue("content:read", "content:write");
    const item = await made(api, {});
    const { id } = await started(api, { itemId: item.id, changes: { title: "Mine" } });
    const typed = { version: 1, changes: { summary: "A contributor's" } };
    const before = await api.request("PATCH", `/drafts/${id}`, { body: typed, key });
    assert.equal(before.status, 200, before.text);
    const publishAt = new Date(api.clock.now.getTime() + 60_000).toISOString();
    await api.request("POST", `/drafts/${id}/schedule`, { body: { publishAt }, headers: ANY });
    const later = { version: 3, changes: { summary: "Slipped in" } };
    assert.equal((await api.request("PATCH", `/drafts/${id}`, { body: later, key })).status, 403);
    const published = await api.request("POST", `/drafts/${id}/publish`, { key, headers: ANY });
    assert.equal(published.status, 403);
  });
});
