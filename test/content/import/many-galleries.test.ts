import assert from "node:assert/strict";
import { it } from "node:test";
import { expandShortcodes } from "../../../src/content/import/wordpress/shortcodes.ts";

const URL = "https://old.example/wp-content/uploads/a.jpg";

it("Galleries of a post that each show all its files are expanded up to a limit", () => {
  const galleries = "[gallery]".repeat(2000);
  const ids = Array.from({ length: 100 }, (_, number) => `${number}`);
  const { html } = expandShortcodes(galleries, {
    fileOf: () => ({ url: URL, alt: "A garden", title: "Garden" }),
    ownFiles: () => ids,
  });
  assert.ok(html.length < 3 * 1024 * 1024, `${html.length} characters`);
  assert.ok(html.startsWith(`<p><img src="${URL}" alt="A garden"></p>`));
  assert.ok(html.endsWith("[gallery]"));
});
