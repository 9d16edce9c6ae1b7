import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { applyDraft } from "../../../src/content/drafts/publishing-drafts.ts";
import { archiveExpiredItems, publishDueItems } from "../../../src/content/editing/publishing.ts";
import { type ApiAnswer, type Loose, openApiClient } from "../../support/api-client.ts";

const api = await openApiClient({ ticks: false });
const { content } = api.app.record;
after(() => api[Symbol.asyncDispose]());

const ANY = { headers: { "If-Match": "*" } };

async function created(item: object): Promise<Loose> {
  const answer = await api.request("POST", "/content", { body: { type: "topic", ...item } });
  assert.equal(answer.status, 201, answer.text);
  return answer.body;
}

async function patched(id: string, body: object): Promise<ApiAnswer> {
  return await api.request("PATCH", `/content/${id}`, { body, ...ANY });
}

async function item(id: string): Promise<Loose> {
  return (await api.request("GET", `/content/${id}`)).body;
}

describe("the end of an item", () => {
  it("withdraws it when it comes, and not before", async () => {
    const expireAt = "2026-11-22T12:00:00.000Z";
    const { id } = await created({ title: "Fair", status: "published", expireAt });
    api.clock.now = new Date("2026-11-22T11:59:59Z");
    assert.equal(await archiveExpiredItems(content, api.clock.now), 0);
    assert.equal((await api.app.get("/topics/fair")).status, 200);
    api.clock.now = new Date("2026-11-22T12:00:00Z");
    assert.equal(await archiveExpiredItems(content, api.clock.now), 1);
    assert.equal((await api.app.get("/topics/fair")).status, 410);
    assert.doesNotMatch(await (await api.app.get("/sitemap.xml")).text(), /topics\/fair/);
    const archived = await item(id);
    assert.partialDeepStrictEqual(archived, { status: "archived", expireAt: null });
    const { body } = await api.request("GET", "/audit?target=/topics/fair&limit=1");
    assert.partialDeepStrictEqual(body.items[0], { action: "content.archive", actor: "clock" });
    // It has no end any more, so that publishing it again lasts.
    const again = await api.request("POST", `/content/${id}/publish`, ANY);
    assert.equal(again.status, 200);
    assert.equal(await archiveExpiredItems(content, api.clock.now), 0);
  });

  it("counts from the publication of what is a draft or scheduled", async () => {
    const waiting = await created({ title: "Waiting", expireAt: "2026-11-23T12:00:00Z" });
    api.clock.now = new Date("2026-11-23T13:00:00Z");
    assert.equal(await archiveExpiredItems(content, api.clock.now), 0);
    const refused = await api.request("POST", `/content/${waiting.id}/publish`, ANY);
    assert.equal(refused.status, 400);
    assert.match(refused.body.detail, /was to end at 2026-11-23T12:00:00.000Z; state a later end/);
    const dates = { publishAt: "2026-11-24T12:00:00Z", expireAt: "2026-11-24T18:00:00Z" };
    const { id } = await created({ title: "Evening", status: "scheduled", ...dates });
    const now = new Date("2026-11-24T12:00:00Z");
    assert.equal(await publishDueItems(content, now), 1);
    assert.equal((await item(id)).expireAt, "2026-11-24T18:00:00.000Z");
    assert.equal(await archiveExpiredItems(content, new Date("2026-11-24T18:00:00Z")), 1);
  });

  it("is after now and after its publication", async () => {
    api.clock.now = new Date("2026-11-25T12:00:00Z");
    const { id } = await created({ title: "Autumn", status: "published" });
    for (const [body, message] of [
      [
        { expireAt: "2026-11-25T11:00:00Z" },
        /expireAt: lies in the past; archive the item instead/,
      ],
      [{ expireAt: "soon" }, /expireAt: is not a date and time/],
      [
        { expireAt: "9999-12-31T23:59:59-05:00" },
        /expireAt: "9999-12-31T23:59:59-05:00" is outside the years 0 to 9999 in UTC/,
      ],
      [{ reviewAt: 7 }, /reviewAt: is not a date and time/],
    ] as const) {
      const answer = await patched(id, body);
      assert.equal(answer.status, 400, answer.text);
      assert.match(answer.body.detail, message);
    }
    const dates = { publishAt: "2026-11-27T12:00:00Z", expireAt: "2026-11-26T12:00:00Z" };
    const body = { type: "topic", title: "Backwards", status: "scheduled", ...dates };
    const backwards = await api.request("POST", "/content", { body });
    assert.match(backwards.body.detail, /expireAt: is not after publishAt/);
    const day = await patched(id, { expireAt: "2026-12-24" });
    assert.equal(day.body.expireAt, "2026-12-24T00:00:00.000Z");
    assert.equal((await patched(id, { expireAt: null })).body.expireAt, null);
  });

  it("may come before the time of a schedule that publishing now ends", async () => {
    api.clock.now = new Date("2026-11-25T12:00:00Z");
    const publishAt = "2026-11-28T12:00:00Z";
    const { id } = await created({ title: "Early", status: "scheduled", publishAt });
    const answer = await patched(id, { status: "published", expireAt: "2026-11-27T12:00:00Z" });
    assert.equal(answer.status, 200, answer.text);
    assert.partialDeepStrictEqual(answer.body, {
      status: "published",
      publishAt: null,
      expireAt: "2026-11-27T12:00:00.000Z",
    });
  });

  it("comes with a draft that is published", async () => {
    const { id } = await created({ title: "Winter", status: "published" });
    const changes = { expireAt: "2026-12-01T12:00:00+01:00" };
    const draft = await api.request("POST", "/drafts", { body: { itemId: id, changes } });
    assert.equal((await item(id)).expireAt, null);
    const { atomically } = api.app.record;
    await atomically((stores) =>
      applyDraft(stores, { kind: "operator" }, draft.body.id, {
        status: "published",
        now: api.clock.now,
      }),
    );
    assert.equal((await item(id)).expireAt, "2026-12-01T11:00:00.000Z");
  });
});

describe("the review of an item", () => {
  it("lists it once its day has come, and changes nothing public", async () => {
    const { id } = await created({ title: "Spring", status: "published", reviewAt: "2026-12-10" });
    const due = async (moment: string) =>
      (await api.request("GET", `/content?reviewBefore=${moment}`)).body.items.map(
        ({ title }: Loose) => title,
      );
    assert.deepEqual(await due("2026-12-09T23:59:59Z"), []);
    assert.deepEqual(await due("2026-12-10T00:00:01Z"), ["Spring"]);
    const before = await (await api.app.get("/topics/spring.md")).text();
    const set = await patched(id, { reviewAt: "2027-06-01" });
    assert.equal(set.body.reviewAt, "2027-06-01T00:00:00.000Z");
    assert.deepEqual(await due("2026-12-10T00:00:01Z"), []);
    const difference = await api.request("GET", `/content/${id}/revisions/2`);
    assert.match(difference.text, /reviewAt/);
    const after = await (await api.app.get("/topics/spring.md")).text();
    assert.equal(after.replace(/last_updated.*/, ""), before.replace(/last_updated.*/, ""));
  });
});
