import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { openApiClient } from "../../support/api-client.ts";
import { SAMPLE_ROUTES } from "../../support/api-routes.ts";

const api = await openApiClient({ routes: SAMPLE_ROUTES });
after(() => api[Symbol.asyncDispose]());

const read = () => api.request("GET", "/topics/time");
const change = (title: string, ifMatch: string) =>
  api.request("PATCH", "/topics/time", { body: { title }, headers: { "If-Match": ifMatch } });

describe("a state", () => {
  it("is sent again only when it has changed", async () => {
    const { headers } = await read();
    const etag = headers.get("etag") ?? "";
    assert.match(etag, /^"\d+"$/);
    assert.equal(headers.get("cache-control"), "private, no-cache");
    for (const held of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const options = { headers: { "If-None-Match": held } };
      const { status, text } = await api.request("GET", "/topics/time", options);
      assert.deepEqual([status, text], [304, ""], held);
    }
    const other = await api.request("GET", "/topics/time", { headers: { "If-None-Match": '"x"' } });
    assert.equal(other.status, 200);
  });

  it("is changed with its current ETag, or with *", async () => {
    const etag = (await read()).headers.get("etag") ?? "";
    const changed = await change("Time itself", `"0", ${etag}`);
    assert.equal(changed.status, 200);
    assert.notEqual(changed.headers.get("etag"), etag);
    assert.equal(changed.headers.get("etag"), (await read()).headers.get("etag"));
    assert.equal((await change("Time", "*")).status, 200);
  });

  it("is not changed with an outdated or weak ETag", async () => {
    const etag = (await read()).headers.get("etag") ?? "";
    for (const stale of ['"0"', `W/${etag}`, '"0", "1"']) {
      const { status, body } = await change("Lost", stale);
      assert.equal(status, 412, stale);
      assert(body.detail.includes(`its ETag is ${etag} now`), body.detail);
    }
    assert.equal((await read()).body.title, "Time");
  });
});

it("of two editors of one item one wins, the other gets 412, and nothing is lost", async () => {
  await using service = await openApiClient();
  const body = { type: "topic", title: "Shared", status: "published" };
  const { body: item } = await service.request("POST", "/content", { body });
  const path = `/content/${item.id}`;
  for (let round = 0; round < 10; round += 1) {
    const etag = (await service.request("GET", path)).headers.get("etag") ?? "";
    const edit = (changes: object) =>
      service.request("PATCH", path, { body: changes, headers: { "If-Match": etag } });
    const [one, other] = [{ title: `Round ${round}` }, { summary: `Round ${round}` }];
    const replies = await Promise.all([edit(one), edit(other)]);
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 412]);
    const isFirst = replies[0]?.status === 200;
    const fresh = await service.request("GET", path);
    assert.equal(isFirst ? fresh.body.title : fresh.body.summary, `Round ${round}`);
    const late = await service.request("PATCH", path, {
      body: isFirst ? other : one,
      headers: { "If-Match": fresh.headers.get("etag") ?? "" },
    });
    assert.deepEqual([late.body.title, late.body.summary], [`Round ${round}`, `Round ${round}`]);
  }
});

it("of many concurrent writers one wins and leaves one revision", async () => {
  for (let round = 0; round < 20; round += 1) {
    const etag = (await read()).headers.get("etag") ?? "";
    const titles = Array.from({ length: 8 }, (_, writer) => `Round ${round}, writer ${writer}`);
    const replies = await Promise.all(titles.map((title) => change(title, etag)));
    const won = titles.filter((_, writer) => replies[writer]?.status === 200);
    assert.equal(won.length, 1);
    assert(replies.every(({ status }) => status === 200 || status === 412));
    assert.equal((await read()).body.title, won[0]);
    const item = await api.app.record.content.itemAt("/topics/time");
    const revisions = await api.app.record.content.revisions(item?.id ?? "");
    assert.equal(revisions.length, item?.revision);
  }
});
