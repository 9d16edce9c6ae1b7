import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, describe, it } from "node:test";
import { saveItem } from "../../../src/content/editing/editing.ts";
import { itemInputSchema } from "../../../src/content/items/item.ts";
import { png } from "../../support/media-bytes.ts";
import { openPeopleSite } from "../../support/people.ts";
import { sendFiles } from "../../support/send-files.ts";

const site = await openPeopleSite();
after(() => site[Symbol.asyncDispose]());
const { stores } = site.app.apiParts;

/**
 * Points of level A of the Authoring Tool Accessibility Guidelines 2.0 (W3C, 2015) that answers can show. The
 * keyboard, the order of focus, contrast, zoom and typing that is cut off are judged in a browser by `npm run
 * judge:admin`.
 */
describe("writing what everybody can read", () => {
  it("keeps the texts of pictures, headings and tables that are pasted (B.1.2.1)", async () => {
    const anna = await site.person("paster@example.org");
    const html =
      '<h2>Garden</h2><p><img src="https://example.org/1.png" alt="A lime tree"></p><table><tr><th>Day</th></tr><tr><td>Monday</td></tr></table>';
    const { markdown } = JSON.parse((await anna.send("/admin/paste", { html })).text);
    assert.match(markdown, /^## Garden$/m);
    assert.match(markdown, /^\*A lime tree\*$/m);
    assert.match(markdown, /\| Day \|\n\| -+ \|\n\| Monday \|/);
  });

  it("asks for the text of a picture, tells where it is missing, and never makes it from a file name (B.2.3.1, B.2.3.2, B.3.1.1, B.3.1.3)", async () => {
    const anna = await site.person("picturer@example.org");
    const file = new File([new Uint8Array(png(40, 30, 9))], "DSC00042.png");
    const options = { page: "/admin/media", path: "/admin/media", files: [file] };
    const answer = await sendFiles(site, anna, { ...options, token: undefined });
    const address = answer.headers.get("location") ?? "";
    const medium = await anna.get(address);
    assert.match(medium.text, /<label for="alt">What the picture shows/);
    assert.match(medium.text, /<textarea id="alt"[^>]*>\s*<\/textarea>/);
    const [, path = ""] = /\((\/media\/[0-9a-f]{32}\.png)\)/.exec(medium.text) ?? [];
    const list = await anna.get("/admin/media?undescribed=true");
    assert.match(list.text, /No description yet/);
    const input = { type: "page", title: "Shown", path: "/shown", body: `![](${path})` };
    const stated = itemInputSchema.parse({ ...input, status: "published" });
    await saveItem(stores.content, { kind: "operator" }, stated, site.clock.now);
    const shown = await (await site.app.get("/shown")).text();
    assert.match(shown, /<img [^>]*alt=""/);
    assert.doesNotMatch(/<img [^>]*>/.exec(shown)?.[0] ?? "", /DSC00042/);
    await anna.send(address, {
      alt: "Children under a lime tree",
      credit: "",
      name: "DSC00042.png",
    });
    const described = await (await site.app.get("/shown")).text();
    assert.match(described, /<img [^>]*alt="Children under a lime tree"/);
  });

  it("gives back what was changed or deleted (A.4.1.1)", async () => {
    const anna = await site.person("undoer@example.org");
    const stated = itemInputSchema.parse({
      ...{ type: "topic", title: "Undone", summary: "Before.", status: "published" },
    });
    const { item } = await saveItem(stores.content, { kind: "operator" }, stated, site.clock.now);
    await anna.send(`/admin/content/${item.id}/withdraw`, { how: "delete", revision: "1" });
    assert.match((await anna.get("/admin/trash")).text, /Undone/);
    const restored = await anna.send(`/admin/content/${item.id}/restore`, {
      restore: "1",
      revision: "2",
    });
    assert.equal(restored.status, 303, restored.text);
    assert.equal((await stores.content.item(item.id))?.summary, "Before.");
  });

  it("says in the guide for editors how to describe a picture (B.4.2.1, B.4.2.2)", () => {
    const guide = readFileSync("docs/guide/picture.md", "utf8");
    assert.match(guide, /those who cannot see|cannot see it|screen reader/i);
  });
});
