import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type ApiAnswer, type ApiClient, openApiClient } from "../../support/api-client.ts";

const ANY = { "If-Match": "*" };

async function page(api: ApiClient, title: string, more: object = {}): Promise<ApiAnswer> {
  return await api.request("POST", "/content", {
    body: { type: "page", title, status: "published", ...more },
  });
}

async function group(api: ApiClient) {
  const { body: english } = await page(api, "Charter", { path: "/charter" });
  const { body: german } = await page(api, "Satzung", {
    path: "/satzung",
    language: "de",
    translationOf: "/charter",
  });
  return { english, german };
}

/** Of the translations of a page, without the links to the other editions of the site. */
async function hreflangs(api: ApiClient, path: string): Promise<string[]> {
  const html = await (await api.app.get(path, { Accept: "text/html" })).text();
  const stated = [...html.matchAll(/<link rel="alternate" hreflang="([^"]+)"/g)].map(
    ([, language = ""]) => language,
  );
  return [...new Set(stated)].filter((language) => language !== "x-default").sort();
}

describe("translations", () => {
  it("show each other, and join whichever of them is named", async () => {
    await using api = await openApiClient();
    const { english, german } = await group(api);
    const { body: french } = await page(api, "Charte", {
      language: "fr",
      translationOf: german.id,
    });
    assert.equal(french.translationOf, english.id);
    const read = await api.request("GET", `/content/${german.id}`);
    assert.deepEqual(
      read.body.translations.map(({ path, language }: Record<string, string>) => [path, language]),
      [
        ["/charter", "en"],
        ["/charte", "fr"],
      ],
    );
    assert.deepEqual(await hreflangs(api, "/satzung"), ["de", "en", "fr"]);
    const parted = await api.request("PATCH", `/content/${german.id}`, {
      body: { translationOf: null },
      headers: ANY,
    });
    assert.deepEqual(parted.body.translations, []);
    assert.deepEqual(await hreflangs(api, "/satzung"), []);
  });

  it("are of one type, one a language, and never of a translation's own original", async () => {
    await using api = await openApiClient();
    const { english, german } = await group(api);
    const refused = async (answer: ApiAnswer, told: RegExp) => {
      assert.equal(answer.status, 400, answer.text);
      assert.match(answer.body.detail, told);
    };
    await refused(
      await page(api, "Noch eine", { language: "de", translationOf: english.id }),
      /language: "\/satzung" is the de item of these translations already/,
    );
    await refused(
      await page(api, "Another", { translationOf: german.id }),
      /language: "\/charter" is the en item/,
    );
    await refused(
      await api.request("POST", "/content", {
        body: { type: "topic", title: "X", language: "fr", translationOf: english.id },
      }),
      /is of the type page, not topic/,
    );
    const { body: other } = await page(api, "Other", { language: "it" });
    const change = async (id: string, body: object) =>
      await api.request("PATCH", `/content/${id}`, { body, headers: ANY });
    await refused(
      await change(english.id, { translationOf: other.id }),
      /it is the original of "\/satzung" \(de\), and a translation cannot be one/,
    );
    await refused(await change(english.id, { language: "de" }), /"\/satzung" is the de item/);
    await refused(await change(german.id, { language: "en" }), /"\/charter" is the en item/);
    await refused(
      await change(german.id, { translationOf: german.id }),
      /cannot be a translation of itself/,
    );
  });

  it("stay together when their original is archived or deleted, and find it again", async () => {
    await using api = await openApiClient();
    const { english, german } = await group(api);
    const { body: french } = await page(api, "Charte", {
      language: "fr",
      translationOf: "/charter",
    });
    await api.request("POST", `/content/${english.id}/archive`, { headers: ANY });
    assert.deepEqual(await hreflangs(api, "/satzung"), ["de", "fr"]);
    await api.request("DELETE", `/content/${english.id}`, { headers: ANY });
    assert.deepEqual(await hreflangs(api, "/satzung"), ["de", "fr"]);
    const kept = await api.request("GET", `/content/${german.id}`);
    assert.equal(kept.body.translationOf, english.id);
    assert.deepEqual(
      kept.body.translations.map(({ id }: { id: string }) => id),
      [french.id],
    );
    const { body: anew } = await page(api, "New charter", { translationOf: german.id });
    assert.equal(anew.translationOf, english.id);
    const restore = async () =>
      await api.request("POST", `/content/${english.id}/revisions/1/restore`, { headers: ANY });
    const refused = await restore();
    assert.equal(refused.status, 400);
    assert.match(refused.body.detail, /"\/new-charter" is the en item of these translations/);
    await api.request("DELETE", `/content/${anew.id}`, { headers: ANY });
    assert.equal((await restore()).status, 200);
    await api.request("POST", `/content/${english.id}/publish`, { headers: ANY });
    assert.deepEqual(await hreflangs(api, "/satzung"), ["de", "en", "fr"]);
  });

  it("never makes an item the translation of itself by way of a deleted one", async () => {
    await using api = await openApiClient();
    const { english, german } = await group(api);
    const change = async (id: string, body: object) =>
      await api.request("PATCH", `/content/${id}`, { body, headers: ANY });
    await api.request("DELETE", `/content/${german.id}`, { headers: ANY });
    const refused = await change(english.id, { translationOf: german.id });
    assert.equal(refused.status, 400, refused.text);
    assert.match(refused.body.detail, /translationOf: .+ is a translation of it/);

    const { body: italian } = await page(api, "Carta", { language: "it" });
    await change(english.id, { translationOf: italian.id });
    const { body: french } = await page(api, "Charte", {
      language: "fr",
      translationOf: german.id,
    });
    assert.equal(french.translationOf, italian.id, "the original's own original");

    await change(english.id, { translationOf: null });
    await change(french.id, { translationOf: null });
    await change(italian.id, { translationOf: english.id });
    await api.request("DELETE", `/content/${italian.id}`, { headers: ANY });
    const restored = await api.request("POST", `/content/${english.id}/revisions/2/restore`, {
      headers: ANY,
    });
    assert.equal(restored.status, 200, restored.text);
    assert.equal(restored.body.translationOf, null);
    assert.equal((await change(english.id, { summary: "Still edited." })).status, 200);
  });
});
