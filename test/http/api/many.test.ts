import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type ApiClient, openApiClient } from "../../support/api-client.ts";

const ANY = { "If-Match": "*" };

async function topics(api: ApiClient, ...titles: string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const title of titles) {
    const body = { type: "topic", title, status: "published" };
    ids.push((await api.request("POST", "/content", { body })).body.id);
  }
  return ids;
}

describe("many items at once", () => {
  it("are linked and unlinked in one transaction, which is all or nothing", async () => {
    await using api = await openApiClient();
    const [a = "", b = "", c = "", d = ""] = await topics(api, "A", "B", "C", "D");
    const change = async (body: object) => await api.request("POST", "/content/links", { body });
    const broader = async (id: string) =>
      (await api.request("GET", `/content/${id}`)).body.relations.broader ?? [];
    const links = { relation: "broader", items: [a, b], targets: [c, "/topics/d"] };
    assert.deepEqual((await change({ action: "link", ...links })).body.changed, [a, b]);
    assert.deepEqual((await change({ action: "link", ...links })).body.changed, []);
    assert.equal((await broader(b)).length, 2);
    await change({ action: "set", ...links, items: [a], targets: [d] });
    assert.deepEqual(
      (await broader(a)).map(({ id }: { id: string }) => id),
      [d],
    );
    await change({ action: "unlink", ...links, targets: [d] });
    assert.deepEqual([(await broader(a)).length, (await broader(b)).length], [0, 1]);
    const about = (await api.request("GET", "/content?path=/about")).body.items[0].id;
    const refused = await change({ action: "link", ...links, items: [a, about] });
    assert.equal(refused.status, 400);
    assert.equal((await broader(a)).length, 0, "nothing was half done");
    const unknown = await change({ action: "link", ...links, targets: ["/nowhere"] });
    assert.match(unknown.body.detail, /targets: no item has .*\/nowhere/);
  });

  it("change their status, and each is reported", async () => {
    await using api = await openApiClient();
    const [a = "", b = ""] = await topics(api, "A", "B");
    const relations = { broader: [a] };
    await api.request("POST", "/content", { body: { type: "topic", title: "C", relations } });
    const change = async (body: object) =>
      (await api.request("POST", "/content/statuses", { body })).body.items;
    const reports = await change({ action: "gone", items: [a, b, "none"] });
    assert.deepEqual(
      reports.map(({ outcome }: { outcome: string }) => outcome),
      ["failed", "changed", "failed"],
    );
    assert.match(reports[0].message, /\/topics\/c.*point to it/);
    const kept = await change({ action: "gone", items: [a, b], references: "keep" });
    assert.deepEqual(
      kept.map(({ outcome }: { outcome: string }) => outcome),
      ["changed", "unchanged"],
    );
  });

  it("have a text replaced, after a dry run", async () => {
    await using api = await openApiClient();
    const body = { type: "topic", title: "Sage", body: "A sage advice, and a sage adviser." };
    const { body: item } = await api.request("POST", "/content", { body });
    const replace = async (more: object) =>
      (
        await api.request("POST", "/content/replacements", {
          body: { find: "a sage adviser", replace: "wise advisers", ...more },
        })
      ).body;
    const tried = await replace({});
    assert.equal(tried.dryRun, true);
    assert.deepEqual([tried.items[0].id, tried.items[0].places], [item.id, 1]);
    assert.match(tried.items[0].excerpt, /and wise advisers/);
    assert.equal((await api.request("GET", `/content/${item.id}`)).body.revision, 1);
    assert.equal((await replace({ dryRun: false, types: ["topic"] })).items.length, 1);
    const { body: after } = await api.request("GET", `/content/${item.id}`);
    assert.equal(after.body, "A sage advice, and wise advisers.");
    assert.deepEqual((await replace({})).items, []);
  });

  it("have whole words replaced, and in scripts without spaces any", async () => {
    await using api = await openApiClient();
    const after = async (body: string, find: string, replace: string) => {
      const item = { type: "topic", title: `Of ${replace}`, body };
      const { id } = (await api.request("POST", "/content", { body: item })).body;
      const change = { find, replace, dryRun: false };
      await api.request("POST", "/content/replacements", { body: change });
      return (await api.request("GET", `/content/${id}`)).body.body;
    };
    assert.equal(
      await after("A car, a carpet, Oscar’s car.", "car", "bus"),
      "A bus, a carpet, Oscar’s bus.",
    );
    assert.equal(await after("关于友谊和时间。", "友谊", "友情"), "关于友情和时间。");
  });

  it("become one, with their links, names and addresses", async () => {
    await using api = await openApiClient();
    const [old = "", kept = "", broad = ""] = await topics(api, "Old", "Kept", "Broad");
    await api.request("PATCH", `/content/${old}`, {
      body: {
        path: "/topics/older",
        fields: { aliases: ["Ancient"] },
        relations: { broader: [broad] },
      },
      headers: ANY,
    });
    const relations = { broader: [old, kept] };
    const both = { type: "topic", title: "Both", relations };
    const { body: source } = await api.request("POST", "/content", { body: both });
    const merge = async (body: object) =>
      await api.request("POST", `/content/${old}/merge`, { body, headers: ANY });
    const tried = await merge({ into: kept });
    assert.deepEqual(tried.body, {
      ...{ moved: 1, dryRun: true, aliases: ["Old", "Ancient"] },
      addresses: ["/topics/older", "/topics/old"],
    });
    assert.equal((await api.app.get("/topics/older")).status, 200);
    const about = (await api.request("GET", "/content?path=/about")).body.items[0].id;
    const refused = await merge({ into: about, dryRun: false });
    assert.match(refused.body.detail, /it is a topic, the other a page/);

    assert.equal((await merge({ into: kept, dryRun: false })).status, 200);
    for (const path of ["/topics/older", "/topics/old"]) {
      const page = await api.app.get(path);
      assert.deepEqual([page.status, page.headers.get("location")], [308, "/topics/kept"]);
    }
    const { body: after } = await api.request("GET", `/content/${kept}`);
    assert.deepEqual(after.fields.aliases, ["Old", "Ancient"]);
    assert.equal(after.relations.broader[0].id, broad);
    const { body: linking } = await api.request("GET", `/content/${source.id}`);
    assert.deepEqual(
      linking.relations.broader.map(({ id }: { id: string }) => id),
      [kept],
    );
    assert.equal((await api.request("GET", `/content/${old}`)).body.status, "deleted");
  });
});
