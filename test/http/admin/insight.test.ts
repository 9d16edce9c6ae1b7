import assert from "node:assert/strict";
import { it } from "node:test";
import { ENGLISH } from "../../../src/http/admin/texts/english.ts";
import { GERMAN } from "../../../src/http/admin/texts/german.ts";
import { TOOLS } from "../../../src/mcp/tools.ts";
import { openPeopleSite } from "../../support/people.ts";

it("Insight has words for every tool of agents", () => {
  const names = TOOLS.map(({ definition }) => definition.name);
  for (const { insight } of [ENGLISH, GERMAN]) assert.deepEqual(Object.keys(insight.tools), names);
});

it("Insight says how many views were of Markdown, as agents read, since the pages viewed most include them", async () => {
  await using site = await openPeopleSite();
  const olga = await site.person("olga@example.org", "owner");
  for (const path of ["/topics", "/topics.md", "/topics.md", "/authors.md"]) {
    await site.app.get(path, { Accept: "text/html" });
  }
  await site.app.counting.saveAll();
  const { text } = await olga.get("/admin/insight");
  assert.match(text, /<h2>Page views: 1<\/h2>/);
  assert.match(text, /<p class="hint">Including views as Markdown, which agents read: 3<\/p>/);
  const german = await olga.get("/admin/insight", { "Accept-Language": "de" });
  assert.match(
    german.text,
    /<p class="hint">Einschließlich der Aufrufe als Markdown, das Agenten lesen: 3<\/p>/,
  );
});
