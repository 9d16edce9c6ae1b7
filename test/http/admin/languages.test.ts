import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { changeSettings } from "../../../src/content/site/settings.ts";
import { NOW } from "../../support/open-fixture.ts";
import { openPeopleSite } from "../../support/people.ts";
import { OPERATOR } from "../../support/record-store.ts";

const site = await openPeopleSite();
after(() => site[Symbol.asyncDispose]());

const PATH = "/admin/languages";

async function publicPage(path: string): Promise<string> {
  return await (await site.app.get(path, { Accept: "text/html" })).text();
}

async function patchSettings(patch: Readonly<Record<string, unknown>>): Promise<void> {
  await site.app.record.atomically(({ content }) =>
    changeSettings(content, OPERATOR, patch, { now: NOW }),
  );
}

describe("the Languages screen", () => {
  it("adds a language, gives it texts of its own, and removes it without losing them", async () => {
    const olga = await site.person("olga@example.org", "owner");
    await patchSettings({
      languages: [],
      licence: { name: "CC BY 4.0" },
      look: { slots: { header: "Closed in August", footer: "Thanks to all" } },
      translations: { de: { home: [{ show: "purpose" }] } },
    });
    assert.equal((await site.app.get("/de")).status, 404);
    assert.equal((await olga.send(`${PATH}/add`, { added: "de" })).location, `${PATH}?saved=true`);
    assert.match(await publicPage("/de"), /Closed in August/);
    const entered = {
      ...{ language: "de", "de.name": "Gemeinplätze", "de.slot-header": "Im **August** zu" },
      ...{ "de.whenToUse": "Zitate finden\n\nBelege prüfen", "de.licenceName": "Namensnennung" },
      "de.licenceUrl": "https://example.org/de",
    };
    assert.equal((await olga.send(PATH, entered)).location, `${PATH}?saved=true`);
    const german = await publicPage("/de");
    assert.match(german, /<aside class="site-note"><p>Im <strong>August<\/strong> zu/);
    assert.doesNotMatch(german, /Closed in August/);
    assert.match(german, /Thanks to all/);
    assert.match(german, /<a rel="license" href="https:\/\/example\.org\/de">Namensnennung<\/a>/);
    assert.match(german, /Belege prüfen/, "the home page is still that of the profile");
    assert.match(await publicPage("/"), /Closed in August[\s\S]*CC BY 4\.0/);
    assert.match((await olga.get(PATH)).text, /value="Gemeinplätze"/);
    await olga.send(`${PATH}/remove`, { language: "de" });
    assert.equal((await site.app.get("/de")).status, 404);
    assert.doesNotMatch((await olga.get(PATH)).text, /Gemeinplätze/);
    await olga.send(`${PATH}/add`, { added: "de" });
    assert.match(await publicPage("/de"), /Gemeinplätze/);
  });

  it("keeps a note empty that the profile empties, until somebody writes one", async () => {
    const olga = await site.person("olga2@example.org", "owner");
    await patchSettings({
      languages: ["de"],
      look: { slots: { header: "Only in English" } },
      translations: { de: { slots: { header: "" } } },
    });
    assert.doesNotMatch(await publicPage("/de"), /site-note/);
    await olga.send(PATH, { language: "de", "de.name": "Neu" });
    assert.doesNotMatch(await publicPage("/de"), /site-note/);
    await olga.send(PATH, { language: "de", "de.slot-header": "Auch deutsch" });
    assert.match(await publicPage("/de"), /Auch deutsch/);
  });

  it("takes away the texts that are emptied", async () => {
    const olga = await site.person("olga4@example.org", "owner");
    const licence = { "de.licenceName": "Namensnennung" };
    const texts = { language: "de", "de.name": "Neu", "de.slot-header": "Oben", ...licence };
    await olga.send(PATH, { ...texts, "de.licenceUrl": "https://example.org/de" });
    await olga.send(PATH, { language: "de", ...licence });
    const { translations } = (await site.app.record.content.site()) ?? {};
    const { home, ...left } = translations?.["de"] ?? {};
    assert.deepEqual(home, [{ show: "purpose" }], "the screen shows no parts of the home page");
    assert.deepEqual(left, { slots: {}, licence: { name: "Namensnennung" } });
  });

  it("says which text of which language is wrong, and keeps what was typed", async () => {
    const olga = await site.person("olga3@example.org", "owner");
    await patchSettings({ languages: ["de"] });
    const long = "ä".repeat(2001);
    const refused = await olga.send(PATH, {
      ...{ language: "de", "de.name": "Behalten", "de.slot-footer": long },
    });
    assert.equal(refused.status, 400);
    assert.match(refused.text, /role="alert">[^<]*Footer \(German\): /);
    assert.match(refused.text, /value="Behalten"/);
    const unnamed = await olga.send(PATH, {
      ...{ language: "de", "de.licenceUrl": "https://example.org/de" },
    });
    assert.match(unnamed.text, /role="alert">[^<]*Licence of your own texts \(German\): /);
    const named = await olga.send(`${PATH}/add`, { added: "Französisch" });
    assert.equal(named.location, `${PATH}?saved=true`);
    assert.equal((await site.app.get("/fr")).status, 200);
    const unknown = await olga.send(`${PATH}/add`, { added: "Klingonisch" });
    assert.match(unknown.text, /role="alert">[^<]*Languages[^<]*is not a language tag/);
  });
});
