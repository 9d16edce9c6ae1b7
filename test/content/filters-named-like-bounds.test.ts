import assert from "node:assert/strict";
import { after, it } from "node:test";
import { parseTypeFile } from "../../src/content/import/site-file.ts";
import { findPage } from "../../src/content/pages/find-page.ts";
import { mainContentMarkdown } from "../../src/render/page-markdown.ts";
import { ORIGIN, openReading } from "../support/reading-store.ts";

const { value: film } = parseTypeFile(`name: film
label: Film
plural: Films
description: Films.
listPath: /films
fields:
  shown: { kind: date, label: Shown, filter: true, sort: true }
  shown_from: { kind: date, label: First shown, filter: true, sort: true }
relations:
  adapted_from: { label: Adapted from, target: work, many: true, inverse: { name: films, label: Films } }
`);
assert(film !== null);
const store = openReading([film]);
after(() => store[Symbol.dispose]());
const { reading } = store;
store.put("work", "/works/novel", { title: "Novel" });
store.put("film", "/films/adapted", {
  title: "Adapted",
  fields: { shown: "1950-01-01", shown_from: "1950-01-01" },
  relations: { adapted_from: ["/works/novel"] },
});
store.put("film", "/films/other", {
  title: "Other",
  fields: { shown: "1960-01-01", shown_from: "1960-01-01" },
});

async function filmsAt(query: string): Promise<string[]> {
  const parameters = new URLSearchParams(query);
  const request = { parameter: (name: string) => parameters.get(name) ?? undefined };
  const answer = await findPage(reading, "/search", request);
  assert(answer.kind === "page");
  const text = mainContentMarkdown(answer.view, { reading, origin: ORIGIN });
  return [...text.matchAll(/^- \[(Adapted|Other)\]/gm)].map(([, title = ""]) => title);
}

it("a filter whose own name ends like a bound is not read as the bound of another", async () => {
  assert.deepEqual(await filmsAt("type=film&adapted_from=/works/novel"), ["Adapted"]);
  assert.deepEqual(await filmsAt("adapted_from=/works/novel"), ["Adapted"]);
  assert.deepEqual(await filmsAt("type=film&shown_from=1950-01-01"), ["Adapted"]);
  assert.deepEqual(await filmsAt("type=film&shown_from_from=1955-01-01"), ["Other"]);
  assert.deepEqual(await filmsAt("type=film&shown_to=1955-01-01"), ["Adapted"]);
});
