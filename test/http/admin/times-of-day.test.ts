import assert from "node:assert/strict";
import { it } from "node:test";
import { timeOfDay } from "../../../src/content/items/time-of-day.ts";
import { openPeopleSite } from "../../support/people.ts";

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

  const version = /name="version" value="(\d+)"/.exec(typed.text)?.[1] ?? "";
  await olga.send(draft, { ...text("19.30 Uhr"), version });
  const ready = await olga.get(`${draft}/publish`, german);
  const readyVersion = /name="version" value="(\d+)"/.exec(ready.text)?.[1] ?? "";
  await olga.send(`${draft}/publish`, { version: readyVersion });
  const page = await (await site.app.get("/termine/vereinsabend.md")).text();
  assert.match(page, /7:30.PM|19:30/);
});

it("times of day", () => {
  const read = (...texts: string[]) => texts.map(timeOfDay);
  assert.deepEqual(read("9:00", "19.30 Uhr", "19 Uhr", "19h30", "7:30 pm", "12 a.m."), [
    ...["9:00", "19:30", "19:00", "19:30", "19:30", "00:00"],
  ]);
  assert.deepEqual(read("halb acht", "25 Uhr", "19:75", "13 pm", "1930", ""), Array(6).fill(null));
});
