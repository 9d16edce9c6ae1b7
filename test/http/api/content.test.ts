import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type ApiAnswer, type ApiClient, openApiClient } from "../../support/api-client.ts";

const ANY = { "If-Match": "*" };

async function create(api: ApiClient, body: object): Promise<ApiAnswer> {
  const answer = await api.request("POST", "/content", { body });
  assert.equal(answer.status, 201, answer.text);
  return answer;
}

async function patch(
  api: ApiClient,
  id: string,
  body: object,
  headers: Record<string, string> = ANY,
): Promise<ApiAnswer> {
  return await api.request("PATCH", `/content/${id}`, { body, headers });
}

const titles = (answer: ApiAnswer): string[] =>
  answer.body.items.map(({ title }: { title: string }) => title);

describe("creating an item", () => {
  it("answers with the item, its address and its revision", async () => {
    await using api = await openApiClient();
    const answer = await create(api, { type: "topic", title: "Patience", body: "To wait well." });
    assert.equal(answer.headers.get("location"), `/api/v1/content/${answer.body.id}`);
    assert.equal(answer.headers.get("etag"), '"1"');
    const read = await api.request("GET", `/content/${answer.body.id}`);
    assert.deepEqual(read.body, answer.body);
    assert.deepEqual(
      { path: read.body.path, status: read.body.status, url: read.body.url },
      { path: "/topics/patience", status: "draft", url: null },
    );
  });

  it("never changes an existing item", async () => {
    await using api = await openApiClient();
    const { body } = await create(api, { type: "topic", title: "Patience", sourceKey: "t1" });
    const samePath = await api.request("POST", "/content", {
      body: { type: "topic", title: "Other", path: "/topics/patience" },
    });
    assert.equal(samePath.status, 409);
    assert.deepEqual(samePath.body.problems, [
      { where: "path", message: `it belongs to the item ${body.id} at "/topics/patience"` },
    ]);
    const sameKey = await api.request("POST", "/content", {
      body: { type: "topic", title: "Other", sourceKey: "t1" },
    });
    assert.equal(sameKey.status, 409);
    assert.equal(sameKey.body.problems[0].where, "sourceKey");
  });

  it("publishes only with the right scope", async () => {
    await using api = await openApiClient();
    const key = await api.issue("content:write");
    const body = { type: "topic", title: "Patience" };
    const refused = await api.request("POST", "/content", {
      body: { ...body, status: "published" },
      key,
    });
    assert.equal(refused.status, 403);
    assert.match(refused.body.detail, /content:publish/);
    assert.equal((await api.request("POST", "/content", { body, key })).status, 201);
  });

  const wrong: [string, object, RegExp][] = [
    ["no title", { type: "topic" }, /title: is missing/],
    [
      "a source key that no look-up would find",
      { type: "topic", title: "A", sourceKey: "a\rb" },
      /sourceKey: contains control characters/,
    ],
    ["a title of another kind", { type: "topic", title: 7 }, /title: must be a text/],
    ["an unknown key", { type: "topic", title: "A", titel: "B" }, /mean nothing here: titel/],
    ["an unknown type", { type: "tpoic", title: "A" }, /no content type "tpoic"; use one of/],
    ["an unknown field", { type: "topic", title: "A", fields: { x: 1 } }, /fields\.x: Topics have/],
    ["a text for a list", { type: "topic", title: "A", fields: { aliases: "B" } }, /list of texts/],
    ["a list for a text", { type: "topic", title: ["A"] }, /title: must be a text/],
    [
      "too many relations",
      { type: "topic", title: "A", relations: { broader: Array(10_000).fill("/topics/time") } },
      /relations\.broader: is longer than 1000 entries/,
    ],
    [
      "a relation without a target",
      { type: "topic", title: "A", relations: { broader: [{ note: "x" }] } },
      /relations\.broader\.0: name the item by path, source key or id/,
    ],
    [
      "a control character in a note",
      {
        type: "topic",
        title: "A",
        relations: { broader: [{ to: "/topics/time", note: "\u0002" }] },
      },
      /relations\.broader\[0\]: the note contains control characters/,
    ],
    ["a lone surrogate", { type: "topic", title: "A \ud800" }, /title: holds half a character/],
    ["a path with dots", { type: "page", title: "A", path: "/a/../b" }, /"\.\." cannot be part of/],
    [
      "a path nobody could ask for",
      { type: "page", title: "A", path: `/cpl_${"a".repeat(38)}` },
      /it looks like a key/,
    ],
    ["a reserved path", { type: "page", title: "A", path: "/api/x" }, /reserved for the service/],
    ["a path without end", { type: "page", title: "A", path: `/${"a".repeat(5000)}` }, /1000/],
    [
      "a time without a schedule",
      { type: "topic", title: "A", publishAt: "2027-01-01T00:00:00Z" },
      /publishAt: is for scheduled items, and this one is to be draft/,
    ],
    [
      "a schedule without a time",
      { type: "topic", title: "A", status: "scheduled" },
      /publishAt: a scheduled item needs the time/,
    ],
    [
      "a day of no calendar",
      { type: "topic", title: "A", status: "scheduled", publishAt: "2027-02-30T00:00:00Z" },
      /publishAt: is not a date and time/,
    ],
    ["no language", { type: "topic", title: "A", language: "e" }, /"e" is not a language tag/],
    [
      "a language as long as a book",
      { type: "topic", title: "A", language: "e".repeat(1e5) },
      /100/,
    ],
    [
      "more body than an item has",
      { type: "topic", title: "A", body: "x".repeat(1024 * 1024 + 1) },
      /longer than 1 MiB/,
    ],
  ];
  for (const [name, body, told] of wrong) {
    it(`refuses ${name}`, async () => {
      await using api = await openApiClient();
      const answer = await api.request("POST", "/content", { body });
      assert.equal(answer.status, 400, answer.text);
      assert.match(answer.body.detail, told);
      assert(answer.text.length < 5000, "repeats what it was sent");
    });
  }
});

describe("changing an item", () => {
  it("changes what the patch states, removes what it nulls, and keeps the rest", async () => {
    await using api = await openApiClient();
    const { body: made } = await create(api, {
      type: "author",
      title: "Seneca",
      slug: "seneca-the-elder",
      summary: "A rhetorician.",
      body: "Born in Corduba.",
      fields: { born: "-54", sort_name: "Seneca, the Elder", aliases: ["Seneca Rhetor"] },
      sourceKey: "s1",
    });
    const answer = await patch(
      api,
      made.id,
      { summary: null, fields: { born: null, died: "39" }, sourceKey: null },
      { "If-Match": '"1"' },
    );
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.headers.get("etag"), '"2"');
    assert.deepEqual(answer.body, {
      ...made,
      summary: "",
      fields: { sort_name: "Seneca, the Elder", died: "0039", aliases: ["Seneca Rhetor"] },
      sourceKey: null,
      revision: 2,
    });
  });

  it("changes nothing when nothing is new", async () => {
    await using api = await openApiClient();
    const { body: made } = await create(api, { type: "topic", title: "Patience" });
    const answer = await patch(api, made.id, { title: "Patience", fields: {} });
    assert.deepEqual(answer.body, made);
    assert.equal((await patch(api, made.id, {})).body.revision, 1);
  });

  it("is never refused for a text that was not too long when it was saved", async () => {
    await using api = await openApiClient();
    // One character that NFC makes two.
    const qa = "\u0958";
    for (const [limit, most] of [
      [/title: is longer than 300 characters/, (text: string) => ({ title: text.repeat(150) })],
      [
        /sourceKey: is longer than 300 characters/,
        (text: string) => ({ title: "A", sourceKey: text.repeat(150) }),
      ],
      [
        /aliases\[0\]: is longer than 2000 characters/,
        (text: string) => ({ title: "A", fields: { aliases: [text.repeat(1000)] } }),
      ],
      [
        /body: is longer than 1 MiB/,
        (text: string) => ({ title: "A", body: text.repeat(174_762) }),
      ],
    ] as const) {
      const { body: made } = await create(api, { type: "topic", ...most(qa) });
      const changed = await patch(api, made.id, { language: "hi" });
      assert.equal(changed.status, 200, changed.text);
      const longer = { type: "topic", ...most(`${qa}${qa}`) };
      const refused = await api.request("POST", "/content", { body: longer });
      assert.equal(refused.status, 400);
      assert.match(refused.body.detail, limit);
    }
  });

  it("accepts a relation in the form in which it was shown", async () => {
    await using api = await openApiClient();
    const a = await create(api, { type: "topic", title: "A" });
    const b = await create(api, { type: "topic", title: "B", sourceKey: "key of b" });
    const { body: made } = await create(api, {
      type: "topic",
      title: "C",
      relations: { broader: ["/topics/a", { to: "key of b", note: "by hand" }] },
    });
    assert.deepEqual(made.relations.broader, [
      { id: a.body.id, note: null, path: "/topics/a", title: "A", type: "topic", status: "draft" },
      {
        id: b.body.id,
        note: "by hand",
        path: "/topics/b",
        title: "B",
        type: "topic",
        status: "draft",
      },
    ]);
    const turned = await patch(api, made.id, {
      relations: { broader: [...made.relations.broader].reverse() },
    });
    assert.deepEqual(turned.body.relations.broader, [...made.relations.broader].reverse());
    const byId = await patch(api, made.id, { relations: { broader: [a.body.id] } });
    assert.deepEqual(byId.body.relations.broader, made.relations.broader.slice(0, 1));
    const none = await patch(api, made.id, { relations: { broader: null } });
    assert.deepEqual(none.body.relations, {});
    assert.deepEqual((await api.request("GET", `/content/${a.body.id}`)).body.incoming, []);
  });

  it("needs the ETag of what it changes, and lets one of two writers win", async () => {
    await using api = await openApiClient();
    const { body: made } = await create(api, { type: "topic", title: "Patience" });
    assert.equal((await patch(api, made.id, { title: "A" }, {})).status, 428);
    const both = await Promise.all([
      patch(api, made.id, { title: "One" }, { "If-Match": '"1"' }),
      patch(api, made.id, { title: "Two" }, { "If-Match": '"1"' }),
    ]);
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 412]);
    const won = both.find(({ status }) => status === 200)?.body.title;
    assert.equal((await api.request("GET", `/content/${made.id}`)).body.title, won);
  });

  const wrong: [string, object, RegExp][] = [
    ["an unknown key", { titel: "B" }, /titel: is not a part of an item; it has type, path/],
    ["an inherited name", { constructor: "B" }, /constructor: is not a part of an item/],
    ["what the service sets", { revision: 9 }, /revision: is set by the service/],
    ["taking the title away", { title: null }, /title: cannot be taken away/],
    ["taking the status away", { status: null }, /status: cannot be taken away/],
    ["another type", { type: "author" }, /has the type topic, which never changes/],
    ["fields that are no group", { fields: [1] }, /fields: must be a group of keys and values/],
    ["relations of no list", { relations: { broader: "/topics/time" } }, /broader: must be a list/],
    ["itself as relation", { relations: { broader: ["/topics/patience"] } }, /related to itself/],
    ["an unknown target", { relations: { broader: ["/topics/x"] } }, /no item has the path/],
    ["a time without a schedule", { publishAt: "2027-01-01T00:00:00Z" }, /state the status/],
    ["redirects", { redirectFrom: ["/old"] }, /is changed at \/api\/v1\/redirects/],
    ["a status there is not", { status: "deleted" }, /status: must be one of draft, scheduled/],
  ];
  for (const [name, body, told] of wrong) {
    it(`refuses ${name}`, async () => {
      await using api = await openApiClient();
      const { body: made } = await create(api, { type: "topic", title: "Patience" });
      const answer = await patch(api, made.id, body);
      assert([400, 409].includes(answer.status), answer.text);
      assert.match(answer.body.detail, told);
      assert.deepEqual((await api.request("GET", `/content/${made.id}`)).body, made);
    });
  }

  it("refuses the source key of another item, even of a deleted one", async () => {
    await using api = await openApiClient();
    const { body: holder } = await create(api, { type: "topic", title: "Haste", sourceKey: "t1" });
    const { body: made } = await create(api, { type: "topic", title: "Patience" });
    const refused = async () => {
      const answer = await patch(api, made.id, { sourceKey: "t1" });
      assert.equal(answer.status, 409, answer.text);
      assert.deepEqual(answer.body.problems, [
        { where: "sourceKey", message: `it belongs to the item ${holder.id} at "/topics/haste"` },
      ]);
    };
    await refused();
    await api.request("DELETE", `/content/${holder.id}`, { headers: ANY });
    await refused();
    assert.equal((await patch(api, made.id, { sourceKey: "t2" })).body.sourceKey, "t2");
  });

  it("is not led astray by a patch as deep as it is allowed to be long", async () => {
    await using api = await openApiClient();
    const { body: made } = await create(api, { type: "topic", title: "Patience" });
    const deep = `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`;
    for (const body of [`{"fields":{"aliases":${deep}}}`, `{"fields":${deep}}`, deep]) {
      const answer = await api.request("PATCH", `/content/${made.id}`, {
        body,
        headers: { ...ANY, "Content-Type": "application/merge-patch+json" },
      });
      assert.equal(answer.status, 400, answer.text);
    }
  });

  it("reports an unknown id", async () => {
    await using api = await openApiClient();
    for (const id of ["x", "0192a000-0000-7000-8000-000000000000", "%00", "a%2Fb", "🜁"]) {
      for (const [method, body] of [["GET"], ["PATCH", {}], ["DELETE"]] as const) {
        const answer = await api.request(method, `/content/${id}`, { body, headers: ANY });
        assert(answer.status === 404 || (id === "%00" && answer.status === 400), answer.text);
      }
    }
  });
});

describe("listing items", () => {
  it("shows every status but deleted, latest change first, and deleted when asked", async () => {
    await using api = await openApiClient();
    const all = await api.request("GET", "/content?limit=100");
    assert.equal(all.body.total, all.body.items.length);
    assert.equal("body" in all.body.items[0], false);
    const { body: made } = await create(api, { type: "topic", title: "Patience" });
    assert.equal((await api.request("GET", "/content")).body.total, all.body.total + 1);
    await api.request("DELETE", `/content/${made.id}`, { headers: ANY });
    assert.equal((await api.request("GET", "/content")).body.total, all.body.total);
    const deleted = await api.request("GET", "/content?status=deleted");
    assert.deepEqual(titles(deleted), ["Patience"]);
  });

  it("applies each filter", async () => {
    await using api = await openApiClient();
    const a = await create(api, { type: "topic", title: "Überfluss 100%", language: "de" });
    await create(api, {
      type: "topic",
      title: "Abundance",
      sourceKey: "k1",
      translationOf: a.body.id,
      relations: { broader: [a.body.id] },
    });
    const list = async (query: string) => titles(await api.request("GET", `/content?${query}`));
    assert.deepEqual(await list("language=de&type=topic"), ["Überfluss 100%"]);
    assert.deepEqual(await list("language=de&text=%C3%BCBERfluss"), ["Überfluss 100%"]);
    assert.deepEqual(await list("language=de&text=%22uberfluss%22"), ["Überfluss 100%"]);
    assert.deepEqual(await list("text=/topics/abundance"), ["Abundance"]);
    assert.deepEqual(await list("path=/topics/abundance"), ["Abundance"]);
    assert.deepEqual(await list("sourceKey=k1"), ["Abundance"]);
    assert.deepEqual(await list(`relatedTo=${a.body.id}`), ["Abundance"]);
    assert.deepEqual(await list("relatedTo=/topics/uberfluss-100&relation=broader"), ["Abundance"]);
    assert.deepEqual(await list("relatedTo=/topics/uberfluss-100&relation=see_also"), []);
    assert.deepEqual(await list(`translationOf=${a.body.id}`), ["Abundance"]);
    assert.deepEqual(await list("status=draft&type=topic&sort=title"), [
      "Abundance",
      "Überfluss 100%",
    ]);
    assert.deepEqual(await list("status=draft,archived&type=topic&sort=title&order=desc"), [
      "Überfluss 100%",
      "Abundance",
    ]);
    assert.deepEqual(await list("updatedSince=2027-01-01T00:00:00%2B01:00"), []);
    assert.deepEqual(await list("updatedSince=2027-01-01"), []);
  });

  it("pages through everything once while items come and go", async () => {
    await using api = await openApiClient();
    for (const sort of ["updated", "created", "title", "path"]) {
      const before = await api.request("GET", `/content?limit=100&sort=${sort}`);
      const seen: string[] = [];
      let cursor: string | null = "";
      while (cursor !== null) {
        const more: string = cursor === "" ? "" : `&cursor=${cursor}`;
        const page: ApiAnswer = await api.request("GET", `/content?limit=7&sort=${sort}${more}`);
        assert.equal(page.status, 200, page.text);
        seen.push(...page.body.items.map(({ id }: { id: string }) => id));
        cursor = page.body.nextCursor;
        const { body } = await create(api, { type: "topic", title: `Aaa ${sort}` });
        await api.request("DELETE", `/content/${body.id}`, { headers: ANY });
      }
      assert.deepEqual(
        seen,
        before.body.items.map(({ id }: { id: string }) => id),
      );
    }
  });

  const wrong: [string, RegExp][] = [
    ["limit=0", /limit: must be at least 1/],
    ["limit=101", /limit: is longer than 100|limit: must be at most 100/],
    ["limit=x", /limit/],
    ["sort=size", /sort: there is no "size"; use updated, created, title, path/],
    ["status=gone", /status\.0: must be one of/],
    ["cursor=xyz", /cursor is damaged/],
    ["relatedTo=/nowhere", /relatedTo: no item has the path "\/nowhere"/],
    ["translationOf=x", /translationOf: no item has the source key or id "x"/],
    ["updatedSince=yesterday", /updatedSince: is not a day, such as/],
    ["type=topic,tpoic", /type: there is no "tpoic"; use page, topic/],
    ["relation=topics", /relation: goes with relatedTo/],
    ["relatedTo=/topics/time&relation=topic", /relation: there is no "topic"; use .*topics/],
    ["colour=red", /keys that mean nothing here: colour/],
    ["language=de&language=en", /language: must be a text/],
  ];
  for (const [query, told] of wrong) {
    it(`refuses ${query}`, async () => {
      await using api = await openApiClient();
      const answer = await api.request("GET", `/content?${query}`);
      assert.equal(answer.status, 400, answer.text);
      assert.match(answer.body.detail, told);
    });
  }

  it("refuses the cursor of another list", async () => {
    await using api = await openApiClient();
    const { body } = await api.request("GET", "/content?limit=1");
    const other = await api.request("GET", `/content?limit=1&sort=title&cursor=${body.nextCursor}`);
    assert.equal(other.status, 400);
    assert.match(other.body.detail, /belongs to another query/);
  });
});
