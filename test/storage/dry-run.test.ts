import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { describe, it } from "node:test";
import { importItems } from "../../src/content/import/import-items.ts";
import { itemsInLines } from "../../src/content/import/json-line.ts";
import type { ContentRecord } from "../../src/content/record.ts";
import { exportItems } from "../../src/transfer/exporting.ts";
import { type Fixture, NOW, openFixture } from "../support/open-fixture.ts";

const OPERATOR = { kind: "operator" } as const;

const LINES = [
  { title: "New", sourceKey: "new", see_also: ["later"] },
  { title: "Later", sourceKey: "later", redirectFrom: ["/former/later"] },
  { title: "Renamed", path: "/topics/stoicism" },
  { title: "Taken", path: "/topics/new", sourceKey: "other" },
].map((item) => `${JSON.stringify({ type: "topic", status: "published", ...item })}\n`);

describe("a change that is tried out", () => {
  it("blocks no writer, leaves nothing, and shows the result of the change", async () => {
    await using site = await openFixture();
    const before = await everything(site);
    const tried = await site.record.dryRun(async (content) => {
      const counts = await imported(content);
      assert.equal((await content.itemBySourceKey("later"))?.title, "Later");
      // Waits for ever, or fails after a while, if the trial holds up writers.
      await imported(site.record.content, ['{"type":"topic","title":"Meanwhile"}']);
      return counts;
    });
    assert.equal(await site.record.content.itemBySourceKey("new"), null);
    const after = (await everything(site)).filter((line) => !line.includes('"Meanwhile"'));
    assert.deepEqual(after, before);
    assert.deepEqual(await imported(site.record.content), tried);
  });

  it("leaves nothing when it fails", async () => {
    await using site = await openFixture();
    const before = await everything(site);
    const failing = site.record.dryRun(async (content) => {
      await imported(content);
      throw new Error("It ends early");
    });
    await assert.rejects(failing, /It ends early/);
    assert.deepEqual(await everything(site), before);
    const left = readdirSync(tmpdir()).filter((name) => name.startsWith("commonplace-dry-run-"));
    assert.deepEqual(left, []);
  });
});

async function imported(content: ContentRecord, lines = LINES): Promise<object> {
  const problems: string[] = [];
  const types = await content.types();
  const options = { file: "a.jsonl", types, unknown: "refuse", now: NOW } as const;
  const items = itemsInLines(bytesOf(lines.join("")), options);
  const counts = await importItems(content, OPERATOR, items, {
    now: NOW,
    onProblem: ({ line, message }) => problems.push(`${line}: ${message}`),
  });
  return { ...counts, problems };
}

async function everything({ record }: Fixture): Promise<string[]> {
  await using snapshot = record.snapshot();
  const lines: string[] = [];
  for await (const { text } of exportItems(snapshot, OPERATOR)) lines.push(...text.split("\n"));
  return lines.sort();
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
