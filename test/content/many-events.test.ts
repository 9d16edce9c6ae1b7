import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { parseTypeFile } from "../../src/content/import/site-file.ts";
import { findPage } from "../../src/content/pages/find-page.ts";
import { mainContentMarkdown } from "../../src/render/page-markdown.ts";
import { ORIGIN, openReading } from "../support/reading-store.ts";

const TODAY = "2027-03-14";
/** The most events to come that one page shows. */
const ON_ONE_PAGE_MAX = 400;

const file = join(import.meta.dirname, "../../demo/types/event.yaml");
const { value: type } = parseTypeFile(readFileSync(file, "utf8"));
assert(type !== null);
const store = openReading([type]);
after(() => store[Symbol.dispose]());

function event(title: string, starts: string): void {
  store.put("event", `/events/${title}`, { title, fields: { starts } });
}

/** The titles on a page of the list; none: there is no such page. */
async function titlesOn(page: number): Promise<string[]> {
  const request = { parameter: () => String(page), today: () => TODAY };
  const answer = await findPage(store.reading, "/events", request);
  if (answer.kind !== "page") return [];
  const text = mainContentMarkdown(answer.view, { reading: store.reading, origin: ORIGIN });
  return [...text.matchAll(/^- \[([^\]]+)\]/gm)].map(([, title = ""]) => title);
}

describe("a list of very many events", () => {
  it("has each event to come on its first page, or all on its pages where they are too many", async () => {
    event("over", "2027-03-13");
    const planned = Array.from({ length: ON_ONE_PAGE_MAX }, (_, at) => `planned-${at}`);
    for (const title of planned) event(title, "2028-01-01");
    assert.deepEqual(new Set(await titlesOn(1)), new Set(["over", ...planned]));
    assert.deepEqual(await titlesOn(2), []);
    event("one-more", "2028-01-02");
    const pages = await Promise.all(Array.from({ length: 9 }, (_, at) => titlesOn(at + 1)));
    assert.deepEqual(pages.flat().toSorted(), ["one-more", "over", ...planned].toSorted());
    assert.equal(pages[0]?.[0], "one-more");
  });
});
