import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type ApiClient, type Loose, openApiClient } from "../../support/api-client.ts";

const ANY = { "If-Match": "*" };

/** An item with five revisions, the titles of which count up. */
async function written(api: ApiClient): Promise<Loose> {
  const { body } = await api.request("POST", "/content", {
    body: { type: "topic", title: "Title 1", path: "/topics/title", body: "Text 1" },
  });
  for (let number = 2; number <= 5; number += 1) {
    await api.request("PATCH", `/content/${body.id}`, {
      body: { title: `Title ${number}`, body: `Text ${number}` },
      headers: ANY,
    });
  }
  return body;
}

describe("the revisions of an item", () => {
  it("are listed latest first, in pages, without what they say unless asked", async () => {
    await using api = await openApiClient();
    const { id } = await written(api);
    const first = await api.request("GET", `/content/${id}/revisions?limit=2`);
    assert.deepEqual(
      first.body.items.map(({ revision, action }: Loose) => [revision, action]),
      [
        [5, "content.update"],
        [4, "content.update"],
      ],
    );
    assert.deepEqual(Object.keys(first.body.items[0]), ["revision", "at", "actor", "action"]);
    const rest = await api.request(
      "GET",
      `/content/${id}/revisions?limit=3&detail=full&cursor=${first.body.nextCursor}`,
    );
    assert.deepEqual(
      rest.body.items.map(({ item }: Loose) => item.body),
      ["Text 3", "Text 2", "Text 1"],
    );
    assert.equal(rest.body.nextCursor, null);
    const one = await api.request("GET", `/content/${id}/revisions/3`);
    assert.equal(one.body.item.title, "Title 3");
    assert.equal(one.headers.get("etag"), '"3"');
  });

  it("show their differences, part by part", async () => {
    await using api = await openApiClient();
    const lines = Array.from({ length: 20 }, (_, number) => `Line ${number}`);
    const { body: made } = await api.request("POST", "/content", {
      body: { type: "author", title: "A", body: lines.join("\n"), fields: { born: "0004" } },
    });
    const other = [...lines.slice(0, 10), "New line", ...lines.slice(11)];
    await api.request("PATCH", `/content/${made.id}`, {
      body: { title: "B", body: other.join("\n"), fields: { born: null, died: "0065" } },
      headers: ANY,
    });
    const path = `/content/${made.id}/revisions`;
    const { body } = await api.request("GET", `${path}/2/difference`);
    const same = (number: number) => ({ kind: "same", text: `Line ${number}` });
    assert.deepEqual(body, {
      from: 1,
      to: 2,
      changes: [
        { part: "title", before: "A", after: "B" },
        { part: "fields.born", before: "0004", after: null },
        { part: "fields.died", before: null, after: "0065" },
        {
          part: "body",
          lines: [
            { kind: "skipped", lines: 7 },
            ...[7, 8, 9].map(same),
            { kind: "removed", text: "Line 10" },
            { kind: "added", text: "New line" },
            ...[11, 12, 13].map(same),
            { kind: "skipped", lines: 6 },
          ],
        },
      ],
    });
    const back = await api.request("GET", `${path}/1/difference?from=2`);
    assert.deepEqual(back.body.changes[0], { part: "title", before: "B", after: "A" });
    assert.deepEqual((await api.request("GET", `${path}/1/difference`)).body.changes, []);
    assert.equal((await api.request("GET", `${path}/2/difference?from=9`)).status, 404);
  });

  it("compare bodies as long as they may be in little time", async () => {
    await using api = await openApiClient();
    const body = (word: string) => `${word}\n`.repeat(100_000);
    const { body: made } = await api.request("POST", "/content", {
      body: { type: "topic", title: "A", body: body("one") },
    });
    const patch = { body: { body: body("two") }, headers: ANY };
    await api.request("PATCH", `/content/${made.id}`, patch);
    const started = process.cpuUsage();
    const path = `/content/${made.id}/revisions/2/difference`;
    const { body: told } = await api.request("GET", path);
    assert.equal(told.changes[0].lines.length, 200_000 + 1);
    // Of the processor, as a busy machine may take any time.
    assert(process.cpuUsage(started).user < 5_000_000);
  });

  it("report what does not exist", async () => {
    await using api = await openApiClient();
    const { id } = await written(api);
    const asked = async (path: string) => {
      const { status, body } = await api.request("GET", `/content/${path}`);
      return [status, body.detail];
    };
    assert.deepEqual(await asked(`${id}/revisions/9`), [
      404,
      '"/topics/title" has no revision 9; its latest is 5',
    ]);
    for (const number of ["0", "-1", "1.5", "x", "99999999999"]) {
      assert.deepEqual(await asked(`${id}/revisions/${number}`), [
        404,
        `"${number}" is not a revision; they are numbered from 1`,
      ]);
    }
    assert.equal((await asked("x/revisions"))[0], 404);
    assert.equal((await asked("x/revisions/1"))[0], 404);
    assert.match((await asked(`${id}/revisions?cursor=abc`))[1], /cursor is damaged/);
  });

  it("come back as a new revision, made from what its author saw", async () => {
    await using api = await openApiClient();
    const { id } = await written(api);
    const path = `/content/${id}/revisions/2/restore`;
    assert.equal((await api.request("POST", path)).status, 428);
    assert.equal((await api.request("POST", path, { headers: { "If-Match": '"4"' } })).status, 412);
    const restored = await api.request("POST", path, { headers: { "If-Match": '"5"' } });
    assert.equal(restored.status, 200, restored.text);
    assert.deepEqual(
      [restored.body.title, restored.body.body, restored.body.revision],
      ["Title 2", "Text 2", 6],
    );
    const [latest] = await api.app.record.audit.entries({ limit: 1 });
    assert.deepEqual(
      [latest?.action, latest?.target, latest?.revisionBefore, latest?.revisionAfter],
      ["content.restore", "/topics/title", 5, 6],
    );
    assert.equal(latest?.requestId, restored.headers.get("x-request-id"));
    assert.match(latest?.actor ?? "", /^key:/);
  });
});
