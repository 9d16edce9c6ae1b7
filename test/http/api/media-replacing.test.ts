import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { trashWithdrawnFiles } from "../../../src/content/media/media-clearing.ts";
import { type Loose, openApiClient } from "../../support/api-client.ts";
import { PDF, png } from "../../support/media-bytes.ts";

const api = await openApiClient({ ticks: false });
after(() => api[Symbol.asyncDispose]());

const ANY = { "If-Match": "*" };
let colours = 0;

async function upload(stated: Record<string, string> = {}): Promise<Loose> {
  colours += 1;
  const body = png(9, 9, colours);
  return (await api.request("POST", `/media?${new URLSearchParams(stated)}`, { body })).body;
}

async function page(title: string, body: string, status = "published"): Promise<Loose> {
  const stated = { type: "page", path: `/${title.toLowerCase()}`, title, body, status };
  return (await api.request("POST", "/content", { body: stated })).body;
}

async function replace(from: string, body: object) {
  return await api.request("POST", `/media/${from}/replace`, { body, headers: ANY });
}

async function bodyOf(item: Loose): Promise<string> {
  return (await api.request("GET", `/content/${item.id}`)).body.body;
}

async function newestAudit(count: number): Promise<string[]> {
  const { items } = (await api.request("GET", `/audit?limit=${count}`)).body;
  return items.map(({ action }: { action: string }) => action);
}

describe("a file that is replaced", () => {
  it("gives its place to the other one in items, drafts, settings and redirects", async () => {
    const old = await upload({ name: "old.png", alt: "A garden", credit: "Ann" });
    const next = await upload({ name: "new.png" });
    const shown = await page("Shown", `Text ![](${old.path}) and again ![x](${old.path})`);
    const waiting = await page("Waiting", `![](${old.url})`, "draft");
    const draft = (
      await api.request("POST", "/drafts", {
        body: { type: "page", changes: { title: "Draft", body: `Draft ![](${old.path})` } },
      })
    ).body;
    await api.request("POST", "/redirects", { body: { from: "/old.png", to: old.path } });
    const look = { logo: old.path };
    const settings = await api.request("PATCH", "/settings", { body: { look }, headers: ANY });
    assert.equal(settings.status, 200, settings.text);

    const answer = await replace(old.id, { with: next.id });
    assert.equal(answer.status, 200, answer.text);
    const { alt, credit, isPublic } = answer.body;
    assert.deepEqual([alt, credit, isPublic], ["A garden", "Ann", true]);
    assert.equal(await bodyOf(shown), `Text ![](${next.path}) and again ![x](${next.path})`);
    assert.equal(await bodyOf(waiting), `![](${next.url})`);
    const { changes } = (await api.request("GET", `/drafts/${draft.id}`)).body;
    assert.equal(changes.body, `Draft ![](${next.path})`);
    assert.equal((await api.request("GET", "/settings")).body.look.logo, next.path);
    assert.equal((await api.app.get("/old.png")).headers.get("location"), next.path);
    assert.match(await (await api.app.get("/shown")).text(), new RegExp(next.path));
    assert.equal((await api.app.get(old.path)).status, 404);
    assert.equal((await api.request("GET", `/media/${old.id}`)).status, 404);
    assert.deepEqual(await newestAudit(2), ["media.remove", "media.replace"]);
  });

  it("stays if it shall, and if the other cannot take its place nothing changes", async () => {
    const [old, next] = [await upload({ name: "a.png" }), await upload({ name: "b.png" })];
    const shown = await page("Kept", `![](${old.path})`);
    const document = await api.request("POST", "/media?name=c.pdf", { body: PDF });
    const refused = await replace(old.id, { with: document.body.id });
    assert.equal(refused.status, 400);
    assert.equal(
      refused.body.detail,
      'Cannot replace "a.png": "c.pdf" cannot take its place: one is a picture, the other is not',
    );
    const same = await replace(old.id, { with: old.id });
    assert.equal(
      same.body.detail,
      'Cannot replace "a.png": "a.png" is the same file, byte for byte',
    );
    assert.equal((await replace(old.id, { with: "0".repeat(32) })).status, 404);
    assert.equal(await bodyOf(shown), `![](${old.path})`);
    assert.equal((await replace(old.id, { with: next.id, removesOld: false })).status, 200);
    assert.equal((await api.request("GET", `/media/${old.id}`)).status, 200);
  });

  it("changes nothing if one of the places belongs to others", async () => {
    const [old, next] = [await upload(), await upload()];
    const shown = await page("Mine", `![](${old.path})`);
    const look = { logo: old.path };
    await api.request("PATCH", "/settings", { body: { look }, headers: ANY });
    const scopes = ["content:read", "content:write", "content:publish", "media:write"];
    const { key } = (await api.request("POST", "/keys", { body: { name: "Editor", scopes } })).body;
    const body = { with: next.id };
    const path = `/media/${old.id}/replace`;
    const refused = await api.request("POST", path, { body, headers: ANY, key });
    assert.equal(refused.status, 403, refused.text);
    assert.equal(await bodyOf(shown), `![](${old.path})`);
  });
});

describe("a withdrawn file", () => {
  it("is listed for 30 days, and restored with what was said of it", async () => {
    const old = await upload({ name: "garden.png", alt: "A garden", alwaysPublic: "true" });
    const { mediaFiles } = api.app.apiParts;
    const restore = () => api.request("POST", `/removed-media/${old.id}/restore`, { headers: ANY });
    assert.equal((await restore()).status, 404);
    await api.request("DELETE", `/media/${old.id}`, { headers: ANY });
    await trashWithdrawnFiles(api.app.record.media, mediaFiles, api.clock.now);
    assert.equal((await api.app.get(old.path)).status, 404);
    const [listed] = (await api.request("GET", "/removed-media")).body.items;
    assert.deepEqual([listed.id, listed.name], [old.id, "garden.png"]);
    const restored = await restore();
    assert.equal(restored.status, 200, restored.text);
    assert.deepEqual([restored.body.alt, restored.body.revision], ["A garden", 2]);
    const served = await api.app.get(old.path);
    assert.equal(served.status, 200);
    assert.equal((await served.arrayBuffer()).byteLength, old.bytes);
    assert.deepEqual(await newestAudit(1), ["media.restore"]);
    assert.deepEqual(
      (await api.request("GET", "/removed-media")).body.items.filter(
        ({ id }: { id: string }) => id === old.id,
      ),
      [],
    );

    await api.request("DELETE", `/media/${old.id}`, { headers: ANY });
    const now = api.clock.now;
    api.clock.now = new Date(now.getTime() + 31 * 24 * 60 * 60 * 1000);
    assert.equal((await restore()).status, 404);
    api.clock.now = now;
  });
});
