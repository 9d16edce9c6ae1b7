import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { after, before, describe, it } from "node:test";
import { changeItem } from "../../src/content/editing/editing.ts";
import { type ImportCounts, importItems } from "../../src/content/import/import-items.ts";
import { parseJsonLines } from "../../src/content/import/json-line.ts";
import type { ContentRecord } from "../../src/content/record.ts";
import { makeTemporaryFolder } from "../../src/files/temporary-folder.ts";
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
  const systemsFolder = tmpdir();
  before(() => {
    process.env["TMPDIR"] = mkdtempSync(join(systemsFolder, "commonplace-test-"));
  });
  after(() => {
    rmSync(tmpdir(), { recursive: true });
    process.env["TMPDIR"] = systemsFolder;
  });

  it("blocks no writer, leaves nothing, and shows the result of the change", async () => {
    await using site = await openFixture();
    const original = await everything(site);
    const tried = await site.record.dryRun(async (content) => {
      const counts = await imported(content);
      assert.equal((await content.itemBySourceKey("later"))?.title, "Later");
      // Waits for ever, or fails after a while, if the trial holds up writers.
      await imported(site.record.content, ['{"type":"topic","title":"Meanwhile"}']);
      return counts;
    });
    assert.equal(await site.record.content.itemBySourceKey("new"), null);
    const afterwards = (await everything(site)).filter((line) => !line.includes('"Meanwhile"'));
    assert.deepEqual(afterwards, original);
    assert.deepEqual(await imported(site.record.content), tried);
  });

  it("merges with what was edited since the last import, as the import does", async () => {
    await using site = await openFixture();
    const { content } = site.record;
    const line = { type: "topic", path: "/topics/merged", summary: "One", title: "Merged" };
    await imported(content, [JSON.stringify(line)]);
    const { id } = (await content.itemAt(line.path)) ?? assert.fail();
    const patch = { summary: "Edited on the site" };
    await changeItem(content, OPERATOR, id, { patch, now: NOW });
    const lines = [JSON.stringify({ ...line, title: "Merged again" })];
    const tried = await site.record.dryRun((trial) => imported(trial, lines));
    assert.equal(tried.updated, 1);
    assert.deepEqual(await imported(content, lines), tried);
    const { title, summary } = (await content.item(id)) ?? assert.fail();
    assert.deepEqual([title, summary], ["Merged again", "Edited on the site"]);
  });

  it("leaves nothing when it fails", async () => {
    await using site = await openFixture();
    const original = await everything(site);
    const failing = site.record.dryRun(async (content) => {
      await imported(content);
      throw new Error("It ends early");
    });
    await assert.rejects(failing, /It ends early/);
    assert.deepEqual(await everything(site), original);
    assert.deepEqual(temporaryFolders(), []);
  });

  it("removes what a killed one left, and nothing of one that still runs", async () => {
    await using site = await openFixture();
    const abandoned = join(tmpdir(), `commonplace-temporary-${randomUUID()}`);
    mkdirSync(abandoned);
    writeFileSync(join(abandoned, "commonplace.db"), "half a copy");
    writeFileSync(`${abandoned}.lock`, "");
    await using running = await makeTemporaryFolder();
    await site.record.dryRun((content) => imported(content));
    assert.deepEqual(temporaryFolders(), [basename(running.path)]);
  });
});

function temporaryFolders(): string[] {
  const names = readdirSync(tmpdir()).filter((name) => name.startsWith("commonplace-temporary-"));
  return names.filter((name) => !name.endsWith(".lock"));
}

async function imported(
  content: ContentRecord,
  lines = LINES,
): Promise<ImportCounts & { problems: readonly string[] }> {
  const problems: string[] = [];
  const types = await content.types();
  const options = { file: "a.jsonl", types, unknown: "refuse", now: NOW, timeZone: "UTC" } as const;
  const items = parseJsonLines(bytesOf(lines.join("")), options);
  const counts = await importItems(content, OPERATOR, items, {
    now: NOW,
    onProblem: ({ line, message }) => problems.push(`${line}: ${message.en}`),
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
