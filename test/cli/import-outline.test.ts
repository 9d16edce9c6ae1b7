import assert from "node:assert/strict";
import { it } from "node:test";
import { openRecordForCommand } from "../../src/app/store.ts";
import { readConfig } from "../../src/config.ts";
import type { MarkdownOutline } from "../../src/content/import/markdown-outline.ts";
import { LimitedThread } from "../../src/work/limited-thread.ts";
import { openCommandLine } from "../support/command-line.ts";

it("An import reads a large text in a thread: its links lead to pages, its heading is the title", async () => {
  using line = openCommandLine();
  const filling = "word ".repeat(2000);
  const folder = line.file("site/other.md", "---\nstatus: published\n---\n# Other\n\nText");
  line.file("site/long.md", `---\nstatus: published\n---\n# Long\n\n${filling}[a](other.md)\n`);
  const { code, err } = await line.run("import", folder.slice(0, folder.lastIndexOf("/")));
  assert.deepEqual([code, err], [0, ""]);
  await using record = await openRecordForCommand(readConfig(line.environment));
  const item = await record.content.itemAt("/long");
  assert.equal(item?.title, "Long");
  assert.match(item.body, /^word .*\[a\]\(\/other\)\n?$/);
});

it("A text that takes too long to read is refused, and the next is read", async () => {
  const program = new URL("../../src/importing/outline-thread.ts", import.meta.url);
  const limits = { program, verb: "read", cpuSecondsMax: 0.3 };
  const thread = new LimitedThread<string, { outline: MarkdownOutline }>(limits);
  const [slow, next] = await Promise.all([thread.run("_a*".repeat(30_000)), thread.run("[a](b)")]);
  assert("refusal" in slow);
  assert.equal(slow.refusal.en, "The text takes more than 0.3 seconds to read; split it");
  assert("outline" in next);
  assert.equal(next.outline.links[0]?.url, "b");
});

it("A text that takes too much memory to read is refused, and the next is read", async () => {
  const program = new URL("../../src/importing/outline-thread.ts", import.meta.url);
  const limits = { program, verb: "read", megabytesMax: 24 };
  const thread = new LimitedThread<string, { outline: MarkdownOutline }>(limits);
  const [large, next] = await Promise.all([thread.run("[".repeat(100_000)), thread.run("[a](b)")]);
  assert("refusal" in large);
  assert.equal(large.refusal.en, "The text takes too much memory to read; split it");
  assert("outline" in next);
});
