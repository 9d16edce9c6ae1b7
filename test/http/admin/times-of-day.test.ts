import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { it } from "node:test";
import { parseTypeFile } from "../../../src/content/import/site-file.ts";
import { parseTimeOfDay } from "../../../src/content/items/time-of-day.ts";
import { changeSettings } from "../../../src/content/site/settings.ts";
import { saveSite } from "../../../src/content/site/site-saving.ts";
import { openApiClient } from "../../support/api-client.ts";
import { importedFolder } from "../../support/imported-folder.ts";
import { NOW } from "../../support/open-fixture.ts";
import { openPeopleSite } from "../../support/people.ts";
import { OPERATOR } from "../../support/record-store.ts";

it("an event with words in place of a time is not published, and a time is understood as people write it", async () => {
  await using site = await openPeopleSite();
  const olga = await site.person("olga@example.org", "owner");
  const names = { label: "Termin", plural: "Termine", description: "Treffen" };
  await olga.send("/admin/types", { ...names, kind: "event" });
  const { location } = await olga.send("/admin/new", { type: "termin", title: "" });
  const draft = location ?? "";
  const editor = await olga.get(draft);
  assert.match(editor.text, /name="f\.begins" type="time"/);
  const text = (begins: string) => ({
    ...{ title: "Vereinsabend", body: "Im Pfarrhaus.", "f.starts": "2026-11-27" },
    "f.begins": begins,
    "f.closes": "18:00",
  });
  await olga.send(draft, { ...text("halb acht"), version: "1" });
  const typed = await olga.get(draft);
  assert.match(
    typed.text,
    /name="f\.begins" type="text" value="halb acht"/,
    "what was typed stays",
  );
  const german = { "accept-language": "de" };
  const step = await olga.get(`${draft}/publish`, german);
  assert.match(step.text, /<li>[^<:]+: Geben Sie eine Uhrzeit an, zum Beispiel 19:30<\/li>/);
  assert.doesNotMatch(step.text, /Jetzt veröffentlichen/);

  const reversed = /name="version" value="(\d+)"/.exec(typed.text)?.[1] ?? "";
  await olga.send(draft, { ...text("19.30 Uhr"), version: reversed });
  const refused = await olga.get(`${draft}/publish`, german);
  assert.match(
    refused.text,
    /<li>[^<:]+: liegt vor dem Beginn \(19:30\); geht es über Mitternacht/,
  );
  assert.doesNotMatch(refused.text, /Jetzt veröffentlichen/);

  const version = /name="version" value="(\d+)"/.exec((await olga.get(draft)).text)?.[1] ?? "";
  await olga.send(draft, { ...text("17.30 Uhr"), version });
  const ready = await olga.get(`${draft}/publish`, german);
  const readyVersion = /name="version" value="(\d+)"/.exec(ready.text)?.[1] ?? "";
  await olga.send(`${draft}/publish`, { version: readyVersion });
  const page = await (await site.app.get("/termine/vereinsabend.md")).text();
  assert.match(page, /17:30/);
});

it("an event that ends before it begins is refused at its field, whichever way it comes", async () => {
  await using client = await openApiClient();
  const file = readFileSync(join(import.meta.dirname, "../../../demo/types/event.yaml"));
  const { value: type } = parseTypeFile(file.toString());
  assert(type !== null);
  const { content } = client.app.record;
  const site = await content.site();
  assert(site !== null);
  await saveSite(content, OPERATOR, site, [type], client.clock.now);
  const saved = async (fields: Readonly<Record<string, string>>) => {
    const body = { type: "event", title: "Fair", status: "published", fields };
    const { status, body: answer } = await client.request("POST", "/content", { body });
    return [status, answer.problems ?? []];
  };
  assert.deepEqual(await saved({ starts: "2027-03-14", ends: "2027-03-13" }), [
    400,
    [{ where: "fields.ends", message: "is before the first day (2027-03-14)" }],
  ]);
  assert.deepEqual(await saved({ starts: "2027-03-14", begins: "19:00", closes: "9:30" }), [
    400,
    [
      {
        where: "fields.closes",
        message: "is before it begins (19:00); past midnight, give the last day as well",
      },
    ],
  ]);
  const night = { starts: "2027-03-14", ends: "2027-03-15", begins: "19:00", closes: "2:30" };
  assert.equal((await saved(night))[0], 201);
  const page =
    "---\ntype: event\ntitle: Fair\nstarts: 2027-03-14\nends: 2027-03-13\n---\n\nText.\n";
  const profile =
    "name: A\nlanguage: en\ndescription: A\nwhenToUse: [A]\ncontact: { email: a@example.org }\n";
  const told = await importedFolder({
    "site.yaml": profile,
    "types/event.yaml": file,
    "content/fair.md": page,
  });
  assert.match(JSON.stringify(told), /fair\.md:5: ends: is before the first day \(2027-03-14\)/);
});

it("the editor says in the site's time zone when it saved, also after an autosave", async () => {
  await using site = await openPeopleSite();
  await site.app.record.atomically(({ content }) =>
    changeSettings(content, OPERATOR, { timeZone: "Asia/Tokyo" }, { now: NOW }),
  );
  const anna = await site.person("anna@example.org");
  const { location } = await anna.send("/admin/new", { type: "topic", title: "Mercy" });
  const draft = location ?? "";
  const shown = async () => {
    const { text } = await anna.get(draft);
    return /<span data-state role="status">([^<]*)<\/span>/.exec(text)?.[1];
  };
  const moment = new Intl.DateTimeFormat("en-GB", {
    ...{ dateStyle: "medium", timeStyle: "short", timeZone: "Asia/Tokyo" },
  });
  const words = (at: Date) => `Saved ${moment.format(at)} · not yet public`;
  assert.equal(await shown(), words(site.clock.now));
  site.wait(120);
  const typed = { summary: "Kindness", only: "summary", version: "1" };
  const saved = JSON.parse((await anna.send(`${draft}/autosave`, typed)).text);
  assert.equal(saved.state, words(site.clock.now));
  assert.equal(await shown(), saved.state);
});

it("times of day", () => {
  const read = (...texts: string[]) => texts.map(parseTimeOfDay);
  assert.deepEqual(read("9:00", "19.30 Uhr", "19 Uhr", "19h30", "7:30 pm", "12 a.m."), [
    ...["9:00", "19:30", "19:00", "19:30", "19:30", "00:00"],
  ]);
  assert.deepEqual(read("halb acht", "25 Uhr", "19:75", "13 pm", "1930", ""), Array(6).fill(null));
});
