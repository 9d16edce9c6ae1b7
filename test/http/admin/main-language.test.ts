import assert from "node:assert/strict";
import { it } from "node:test";
import { saveItem } from "../../../src/content/editing/editing.ts";
import { publishItem } from "../../../src/content/editing/publishing.ts";
import { itemInputSchema } from "../../../src/content/items/item.ts";
import { changeSettings, readSettings } from "../../../src/content/site/settings.ts";
import { buildStarterPages } from "../../../src/content/site/starter-site.ts";
import { starterTexts } from "../../../src/texts/starter/starter-texts.ts";
import { NOW } from "../../support/open-fixture.ts";
import { openPeopleSite } from "../../support/people.ts";
import { OPERATOR } from "../../support/record-store.ts";

it("a new site whose main language is corrected has its first pages in that language", async () => {
  await using site = await openPeopleSite();
  const olga = await site.person("olga@example.org", "owner");
  const english = starterTexts("en");
  await site.app.record.atomically(async ({ content }) => {
    for (const page of buildStarterPages("en")) await saveItem(content, OPERATOR, page, NOW);
    const written = {
      type: "page",
      path: "/accessibility",
      title: "Für alle",
      body: "Wir lesen vor.",
    };
    const own = itemInputSchema.parse({ ...written, status: "published" });
    await saveItem(content, OPERATOR, own, NOW);
    const fresh = { ...english.site, whenToUse: [english.site.purpose], languages: [] };
    const { name, description, whenToUse, languages } = fresh;
    await changeSettings(
      content,
      OPERATOR,
      { name, description, whenToUse, languages },
      { now: NOW },
    );
  });
  const form = {
    ...{ name: "Heimatverein", description: english.site.description, language: "de" },
    ...{ messageDays: "365", statisticsDays: "90" },
    ...{ timeZone: "Europe/Berlin", email: "us@example.org", whenToUse: english.site.purpose },
  };
  const { location } = await olga.send("/admin/settings", form);
  assert.equal(location, "/admin/settings?saved=true&former=en");

  const german = starterTexts("de");
  const { content } = site.app.record;
  const imprint = await content.itemAt("/impressum");
  assert.deepEqual(
    [imprint?.title, imprint?.language, imprint?.status],
    [german.imprint.title, "de", "draft"],
  );
  await publishItem(content, OPERATOR, imprint?.id ?? "", { now: NOW });
  const page = await site.app.get("/datenschutz", { Accept: "text/html" });
  assert.match(await page.text(), /<a href="\/impressum">Impressum/, "every page links it");
  assert.equal((await content.itemAt("/"))?.body, german.home.body);
  assert.equal(
    (await content.itemAt("/accessibility"))?.path,
    "/accessibility",
    "a page of their own stays",
  );
  assert.equal((await site.app.get("/privacy")).headers.get("location"), "/datenschutz");
  assert.match(await (await site.app.get("/contact.md")).text(), /\/datenschutz\.md\)/);
  const { profile } = await readSettings(content, OPERATOR);
  assert.deepEqual(
    [profile.name, profile.description, profile.whenToUse],
    ["Heimatverein", german.site.description, [german.site.purpose]],
  );

  const notice = await olga.get(location ?? "");
  assert.match(notice.text, /Still marked as English: [\d,]+ items/);
  const relabelled = await olga.send("/admin/settings/language", { from: "en" });
  assert.equal(relabelled.location, location, relabelled.fault);
  assert.equal((await content.itemAt("/accessibility"))?.language, "de");
  const { text } = await olga.get(location ?? "");
  assert.match(
    text,
    /Still marked as English: 1 item\b/,
    "which is translated into German already",
  );

  await olga.send("/admin/settings", { ...form, language: "de-AT" });
  assert.equal(
    (await content.itemAt("/impressum"))?.language,
    "de",
    "another region is no translation",
  );
});

it("a translation that becomes the main language is that of the settings, and the former one a translation", async () => {
  await using site = await openPeopleSite();
  const olga = await site.person("olga@example.org", "owner");
  const { content } = site.app.record;
  const translations = {
    de: { name: "Unser Verein", whenToUse: ["Zum Zitieren"], slots: { footer: "Grüße" } },
  };
  const { profile: before } = await readSettings(content, OPERATOR);
  await changeSettings(content, OPERATOR, { languages: ["de"], translations }, { now: NOW });
  const form = {
    ...{ name: before.name, description: "Neu beschrieben", language: "de" },
    ...{ messageDays: "365", statisticsDays: "90", whenToUse: before.whenToUse.join("\r\n") },
    ...{ timeZone: "Europe/Berlin", email: "us@example.org" },
  };
  await olga.send("/admin/settings", form);
  const { text } = await olga.get("/admin/settings");
  assert.match(text, /name="name" value="Unser Verein"/);
  assert.match(text, /Neu beschrieben<\/textarea>/);
  const { profile } = await readSettings(content, OPERATOR);
  assert.deepEqual(profile.whenToUse, ["Zum Zitieren"]);
  assert.equal(profile.look.slots.footer, "Grüße");
  assert.deepEqual(profile.translations, {
    en: {
      name: before.name,
      whenToUse: before.whenToUse,
      slots: { footer: before.look.slots.footer ?? "" },
    },
  });
  await olga.send("/admin/settings", { ...form, name: "Heimatverein" });
  const page = await site.app.get("/about", { Accept: "text/html" });
  assert.match(await page.text(), /<title>[^<]*Heimatverein/);
});
