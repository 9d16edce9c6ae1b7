import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { type Loose, openApiClient } from "../../support/api-client.ts";
import { ORIGIN } from "../../support/open-fixture.ts";
import { sendTo } from "../../support/send-to.ts";

const api = await openApiClient();
after(() => api[Symbol.asyncDispose]());

async function sharedDraft(
  changes: object = { title: "Candour" },
  body: object = {},
): Promise<{ draft: string; shared: Loose }> {
  const draft = await api.request("POST", "/drafts", { body: { type: "topic", changes } });
  const { id } = draft.body;
  const shared = await api.request("POST", `/drafts/${id}/preview-codes`, { body });
  assert.equal(shared.status, 201, shared.text);
  return { draft: id, shared: shared.body };
}

let visitors = 0;

/** Each from a network of its own, unless `address` says otherwise. */
async function enter(code: string, address = `203.0.113.${++visitors}`): Promise<Response> {
  const headers = {
    "Content-Type": "application/x-www-form-urlencoded",
    Origin: ORIGIN,
    "X-Forwarded-For": address,
  };
  const body = String(new URLSearchParams({ code }));
  return await sendTo(api.app.http, "/preview", { method: "POST", headers, body });
}

async function audited(target: string): Promise<[action: string, actor: string][]> {
  const { body } = await api.request("GET", `/audit?target=${target}`);
  return body.items.map(({ action, actor }: Loose) => [action, actor.split(":")[0]]);
}

describe("a code for a draft", () => {
  it("shows that draft, as it is each time, to whoever enters it, and nobody else", async () => {
    const { draft, shared } = await sharedDraft();
    assert.equal(shared.enterAt, `${ORIGIN}/preview`);
    const form = await api.app.get("/preview");
    assert.equal(form.status, 200);
    assert.match(form.headers.get("x-robots-tag") ?? "", /noindex/);
    const seen = await enter(` ${shared.code}\n`);
    assert.equal(seen.status, 200);
    assert.match(await seen.text(), /<h1[^>]*>Candour<\/h1>/);
    assert.equal(seen.headers.get("cache-control"), "no-store");
    assert.equal(seen.headers.get("x-robots-tag"), "noindex");
    assert.equal(seen.headers.get("set-cookie"), null);
    const body = { version: 1, changes: { title: "Frankness" } };
    await api.request("PATCH", `/drafts/${draft}`, { body });
    assert.match(await (await enter(shared.code)).text(), /<h1[^>]*>Frankness<\/h1>/);
    assert.equal((await api.app.get("/topics/frankness")).status, 404);
    const wrong = await enter(
      shared.code.replace(/.$/, (last: string) => (last === "A" ? "B" : "A")),
    );
    assert.equal(wrong.status, 422);
    assert.match(await wrong.text(), /This code is not valid, has expired/);
    assert.equal((await enter("")).status, 422);
    const log = [
      ["draft.seen", "visitor"],
      ["draft.share", "key"],
    ];
    assert.deepEqual(await audited(draft), log);
  });

  it("shows the draft again while nothing can be written", async () => {
    const { shared } = await sharedDraft({ title: "Seen twice" });
    const held = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    assert.equal((await enter(shared.code)).status, 200);
    const writing = api.app.record.content.write(async () => {
      begun.resolve();
      await held.promise;
    });
    await begun.promise;
    const again = await enter(shared.code);
    held.resolve();
    await writing;
    assert.equal(again.status, 200);
    assert.match(await again.text(), /<h1[^>]*>Seen twice<\/h1>/);
  });

  it("is stored as a hash and never listed", async () => {
    const { draft, shared } = await sharedDraft({ title: "Hidden" }, { note: "Ben", days: 1 });
    const { text, body } = await api.request("GET", `/drafts/${draft}/preview-codes`);
    assert(!text.includes(shared.code));
    assert.partialDeepStrictEqual(body.items, [{ id: shared.id, note: "Ben", usedAt: null }]);
    const rows = JSON.stringify(await api.app.sql("SELECT * FROM preview_codes"));
    assert(!rows.includes(shared.code));
    const address = await api.app.get(`/preview?code=${shared.code}`);
    assert.equal(address.status, 400);
  });

  it("ends by its time, when it is revoked, and with its draft", async () => {
    const { shared: short } = await sharedDraft({ title: "Short" }, { days: 1 });
    const { shared: revoked } = await sharedDraft({ title: "Revoked" });
    const path = `/preview-codes/${revoked.id}`;
    const writer = await api.issue("content:read");
    assert.equal((await api.request("DELETE", path, { key: writer })).status, 403);
    assert.equal((await api.request("DELETE", path)).status, 204);
    assert.equal((await api.request("DELETE", path)).status, 404);
    assert.equal((await enter(revoked.code)).status, 422);
    const { draft: gone, shared: orphan } = await sharedDraft({ title: "Discarded" });
    const ifMatch = { headers: { "If-Match": "*" } };
    assert.equal((await api.request("DELETE", `/drafts/${gone}`, ifMatch)).status, 204);
    assert.equal((await enter(orphan.code)).status, 422);
    assert.equal((await enter(short.code)).status, 200);
    api.clock.now = new Date(api.clock.now.getTime() + 86_400_000);
    assert.equal((await enter(short.code)).status, 422);
  });

  it("says in words that the draft cannot be shown yet", async () => {
    const { shared } = await sharedDraft({ summary: "No title yet." });
    const answer = await enter(shared.code);
    assert.equal(answer.status, 422);
    assert.match(await answer.text(), /The draft cannot be shown yet/);
  });

  it("is refused from other sites, by another method, and to guessing", async () => {
    const body = String(new URLSearchParams({ code: "x" }));
    const type = { "Content-Type": "application/x-www-form-urlencoded" };
    const headers = { ...type, Origin: "https://elsewhere.example" };
    const elsewhere = await sendTo(api.app.http, "/preview", { method: "POST", headers, body });
    assert.equal(elsewhere.status, 403);
    assert.equal((await sendTo(api.app.http, "/preview", { method: "PUT" })).status, 405);
    const statuses: number[] = [];
    for (let at = 0; at < 61; at += 1) statuses.push((await enter("x", "198.51.100.9")).status);
    assert.deepEqual(statuses.slice(-2), [422, 429]);
  });
});
