import assert from "node:assert/strict";
import { it } from "node:test";
import { findPage } from "../../src/content/pages/find-page.ts";
import { defineType } from "../../src/content/types/content-type.ts";
import type { Layout } from "../../src/content/types/layouts.ts";
import { openReading } from "../support/reading-store.ts";

/** The kinds of blocks on the page of an event, and what its facts are about. */
async function orderIn(layout?: Layout): Promise<string[]> {
  const type = defineType({
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
  const report = defineType({
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
