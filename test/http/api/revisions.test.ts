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

  it("tell what there is not", async () => {
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
        `"${number}" is no revision; they are numbered from 1`,
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
