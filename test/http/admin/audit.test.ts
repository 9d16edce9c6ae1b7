import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { it } from "node:test";
import { GERMAN_ACTIONS_TEXTS } from "../../../src/http/admin/texts/actions/german.ts";
import { openPeopleSite } from "../../support/people.ts";

it("the log says in words who did what, to whom and with which rights", async () => {
  await using site = await openPeopleSite();
  const olga = await site.person("olga@example.org", "owner");
  const vera = await site.invite("vera@example.org", "viewer");
  await olga.send(`/admin/people/${vera.id}`, { role: "editor" });
  await olga.send("/admin/keys", { name: "Reader", holder: "", rate: "60", expires: "" });
  const { text } = await olga.get("/admin/audit", { "Accept-Language": "de" });
  const entries = [...text.matchAll(/<li><strong>([\s\S]*?)<\/li>/g)].map(([, entry = ""]) =>
    entry.replace(/<[^>]*>/g, " ").replace(/\s+/g, " "),
  );
  const saying = (start: string) => entries.find((entry) => entry.startsWith(start)) ?? "";
  assert.match(saying("Rolle geändert"), /vera .* · olga · Rolle: Redaktion/);
  assert.match(saying("Person eingeladen"), / · Betrieb · Rolle: Nur lesen/);
  assert.match(saying("Schlüssel ausgestellt"), / · olga · Öffentliches lesen/);
  const english = await olga.get("/admin/audit");
  assert.match(english.text, /operator · role: /);
});

it("every action that is logged has words", () => {
  const code = globSync("src/**/*.ts")
    .map((file) => readFileSync(file, "utf8"))
    .join("\n");
  const rooms = new Set(Object.keys(GERMAN_ACTIONS_TEXTS).map((action) => action.split(".")[0]));
  const logged = [...code.matchAll(/Entry(?:ForChange)?\(\s*"([a-z]+\.[a-z_-]+)"/g)].map(
    ([, action = ""]) => action,
  );
  assert(logged.length > 30, String(logged.length));
  for (const action of logged) {
    assert(rooms.has(action.split(".")[0]), action);
    assert(Object.hasOwn(GERMAN_ACTIONS_TEXTS, action), action);
  }
});
