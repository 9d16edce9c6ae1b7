import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Element, Nodes } from "hast";
import { saveItem } from "../../src/content/editing/editing.ts";
import { itemInputSchema } from "../../src/content/items/item.ts";
import { cleanText } from "../../src/content/items/validation.ts";
import { parseHtmlTree } from "../../src/content/pasting/html-conversion.ts";
import { type Browser, openPeopleSite } from "../support/people.ts";
import { OPERATOR } from "../support/record-store.ts";
import { announce } from "./verdict.ts";

/**
 * Opens and saves each text in the editor as a browser without scripts does, and publishes it: `npm run
 * judge:fidelity -- [--demo] [FOLDER…]`. Every text must stay the same byte for byte, and no revision may be
 * created. Reads the Markdown files of the folders, some built-in awkward texts, and the items of the tests'
 * site, or with `--demo` the items of the demo.
 */
const { values: flags, positionals: folders } = parseArgs({
  options: { demo: { type: "boolean", default: false } },
  allowPositionals: true,
});
const AWKWARD = [
  "\n\nbegins with empty lines",
  "ends with spaces  \nand\ttabs\t\n\n\n",
  "a hard break\\\nand <b>HTML</b> &amp; entities &lt;&#x20;",
  "</textarea><script>alert(1)</script>",
  "e\u0301 and é, \u00a0 fixed \u2028 separated \u200b invisible",
  "عربي \u200fand\u200e back",
  "no end of line",
  " ".repeat(5),
];

const texts = [
  ...AWKWARD,
  ...folders.flatMap((folder) => markdownFiles(folder).map((file) => readFileSync(file, "utf8"))),
];
const altered: string[] = [];
let revisions = 0;
let skipped = 0;

const demo = join(import.meta.dirname, "../../demo");
await using site = await openPeopleSite(flags.demo ? { folder: demo } : {});
const anna = await site.person("anna@example.org");
const known = await site.app.sql("SELECT id FROM items");
for (const { id } of known) await openAndSave(String(id));
for (const [at, text] of texts.entries()) {
  const stated = {
    type: "page",
    path: `/judged/${at}`,
    title: `Text ${at}`,
    body: cleanText(text) ?? "",
  };
  const input = itemInputSchema.safeParse({ ...stated, status: "published" });
  const saved = input.success
    ? await saveItem(site.app.record.content, OPERATOR, input.data, site.clock.now).catch(
        () => null,
      )
    : null;
  if (saved === null) skipped += 1;
  else await openAndSave(saved.item.id);
}
const opened = known.length + texts.length - skipped;
process.exitCode = announce([
  {
    what: "texts that are the same after opening and saving",
    passed: altered.length === 0,
    detail: `${opened - altered.length} of ${opened}${altered.length === 0 ? "" : `, not ${altered[0]}`}; ${skipped} cannot be items`,
  },
  { what: "revisions made", passed: revisions === 0, detail: String(revisions) },
]);

async function openAndSave(id: string): Promise<void> {
  const before = await itemOf(id);
  const begun = await anna.send(`/admin/content/${id}/edit`);
  const draft = begun.location ?? "";
  const form = controlsOf((await anna.get(draft)).text, draft);
  await anna.send(draft, form);
  const step = await anna.get(`${draft}/publish`);
  const [, version = ""] = /name="version" value="(\d+)"/.exec(step.text) ?? [];
  if (/"status":"published"/.test(before)) await anna.send(`${draft}/publish`, { version });
  else await discard(anna, draft, version);
  const after = await itemOf(id);
  if (withoutRevision(after) !== withoutRevision(before)) altered.push(id);
  if (after !== before) revisions += 1;
}

async function discard(browser: Browser, draft: string, version: string): Promise<void> {
  await browser.send(`${draft}/discard`, { version });
}

async function itemOf(id: string): Promise<string> {
  return JSON.stringify(await site.app.record.content.item(id));
}

function withoutRevision(item: string): string {
  return item.replace(/"revision":\d+|"updatedAt":"[^"]*"/g, "");
}

/** What a browser sends for the form with this address: CRLF as line ends, and only checked boxes. */
function controlsOf(page: string, action: string): URLSearchParams {
  const form = find(
    parseHtmlTree(page, { fragment: false }),
    ({ properties }) => properties["action"] === action,
  )[0];
  const fields = new URLSearchParams();
  const named = form === undefined ? [] : find(form, ({ properties }) => "name" in properties);
  for (const control of named) {
    const { tagName, properties } = control;
    const isBox = properties["type"] === "checkbox" || properties["type"] === "radio";
    if (tagName === "button" || (isBox && properties["checked"] !== true)) continue;
    fields.append(String(properties["name"]), shownIn(control).replaceAll("\n", "\r\n"));
  }
  return fields;
}

function shownIn(control: Element): string {
  if (control.tagName === "textarea") return textOf(control);
  if (control.tagName !== "select")
    return String(control.properties["value"] ?? "").replaceAll(/[\r\n]/g, "");
  const options = find(control, ({ tagName }) => tagName === "option");
  const chosen = options.find(({ properties }) => properties["selected"] === true) ?? options[0];
  return String(chosen?.properties["value"] ?? "");
}

function find(node: Nodes, wanted: (element: Element) => boolean): Element[] {
  const inner = "children" in node ? node.children.flatMap((child) => find(child, wanted)) : [];
  return node.type === "element" && wanted(node) ? [node, ...inner] : inner;
}

function textOf(node: Nodes): string {
  if (node.type === "text") return node.value;
  return "children" in node ? node.children.map(textOf).join("") : "";
}

function markdownFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return markdownFiles(path);
    return entry.name.endsWith(".md") ? [path] : [];
  });
}
