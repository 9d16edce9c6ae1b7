import assert from "node:assert/strict";
import { it } from "node:test";
import { saveItem } from "../../src/content/editing/editing.ts";
import { itemInputSchema } from "../../src/content/items/item.ts";
import { findPage } from "../../src/content/pages/find-page.ts";
import { defineBuiltInType } from "../../src/content/types/content-type.ts";
import type { Layout } from "../../src/content/types/layouts.ts";
import { mainContentMarkdown } from "../../src/render/page-markdown.ts";
import { NOW, ORIGIN } from "../support/open-fixture.ts";
import { openPeopleSite } from "../support/people.ts";
import { openReading } from "../support/reading-store.ts";
import { OPERATOR } from "../support/record-store.ts";

/** The kinds of blocks on the page of an event, and what its facts are about. */
async function orderIn(layout?: Layout): Promise<string[]> {
  const type = defineBuiltInType({
    name: "walk",
    label: "Walk",
    plural: "Walks",
    description: "Walks in the hills.",
    listPath: "/walks",
    schemaOrg: "Event",
    dated: { by: "starts" },
    ...(layout === undefined ? {} : { layout }),
    fields: {
      starts: { kind: "date", label: "Date", filter: true, sort: true },
      cost: { kind: "integer", label: "Cost" },
    },
  });
  const report = defineBuiltInType({
    name: "report",
    label: "Report",
    plural: "Reports",
    description: "What was seen on walks.",
    listPath: "/reports",
    relations: {
      walk: {
        label: "Walk",
        target: "walk",
        many: false,
        inverse: { name: "reports", label: "Reports" },
      },
    },
  });
  using store = openReading([type, report]);
  const fields = { starts: "2027-03-14", cost: 3 };
  store.put("walk", "/walks/hills", { title: "Hills", summary: "Up.", body: "Text.", fields });
  store.put("report", "/reports/hills", { relations: { walk: ["/walks/hills"] } });
  store.flush();
  const answer = await findPage(store.reading, "/walks/hills", { parameter: () => undefined });
  assert(answer.kind === "page");
  return answer.view.blocks.map((block) =>
    block.kind === "facts" ? block.facts.map(({ label }) => label).join(" ") : block.kind,
  );
}

it("the layout of a type arranges the pages of its items", async () => {
  const article = ["lead", "body", "Date Cost", "aside", "heading", "entries"];
  assert.deepEqual(await orderIn(), article);
  assert.deepEqual(await orderIn("article"), article);
  assert.deepEqual(await orderIn("profile"), [
    ...["lead", "Date Cost", "aside", "body"],
    ...["heading", "entries"],
  ]);
  assert.deepEqual(await orderIn("event"), [
    ...["lead", "Date", "aside", "body", "Cost"],
    ...["heading", "entries"],
  ]);
  assert.deepEqual(await orderIn("list"), [
    ...["lead", "heading", "entries"],
    ...["body", "Date Cost", "aside"],
  ]);
});

it("a work names its authors and its year below its title, and only there", async () => {
  using store = openReading();
  store.put("author", "/authors/ann", { title: "Ann" });
  store.put("author", "/authors/bo", { title: "Bo" });
  const relations = { authors: ["/authors/ann", "/authors/bo"] };
  const fields = { year: -44, publisher: "Mill" };
  store.put("work", "/works/mill", { title: "The Mill", summary: "Wheels.", fields, relations });
  store.put("work", "/works/dateless", { title: "Dateless", relations: { authors: [] } });
  store.flush();
  const textOf = async (path: string) => {
    const answer = await findPage(store.reading, path, { parameter: () => undefined });
    assert(answer.kind === "page");
    return mainContentMarkdown(answer.view, { reading: store.reading, origin: ORIGIN });
  };
  const [, byline, lead, ...rest] = (await textOf("/works/mill")).split("\n\n");
  const links = `[Ann](${ORIGIN}/authors/ann.md), [Bo](${ORIGIN}/authors/bo.md)`;
  assert.deepEqual([byline, lead], [`${links} · 44 BCE`, "Wheels."]);
  assert.match(rest.join("\n"), /^- Publisher: Mill$/m);
  assert.doesNotMatch(rest.join("\n"), /^- (?:Authors|Year):/m);
  assert.equal((await textOf("/works/dateless")).split("\n\n").length, 2);
});

it("the site chooses the layout of a built-in type on its screen", async () => {
  await using site = await openPeopleSite();
  const olga = await site.person("olga@example.org", "owner");
  const path = "/authors/lucia";
  const lucia = { type: "author", path, title: "Lucia", body: "She wrote.", status: "published" };
  const input = itemInputSchema.parse({ ...lucia, fields: { born: "1900" } });
  await saveItem(site.app.record.content, OPERATOR, input, NOW);
  const partsOf = async () => {
    const page = await (await site.app.get(path, { accept: "text/html" })).text();
    const [, main = ""] = page.split("<main");
    return [main.indexOf('class="text'), main.indexOf('class="facts"')] as const;
  };
  const [text, facts] = await partsOf();
  assert(text > 0 && text < facts, "as an article first");
  const screen = "/admin/types/author";
  assert.match((await olga.get("/admin/types")).text, new RegExp(`href="${screen}">Change`));
  await olga.send(screen, { layout: "profile" });
  assert.match((await olga.get(screen)).text, /<option value="profile" selected>/);
  const [textBelow, factsAbove] = await partsOf();
  assert(factsAbove > 0 && factsAbove < textBelow);
  await olga.send(screen, { layout: "article" });
  assert.deepEqual((await site.app.record.content.site())?.layouts, {}, "nothing is left of it");
  const refused = await olga.send("/admin/types/quotation", { layout: "profile" });
  assert.equal(refused.status, 404);
});
