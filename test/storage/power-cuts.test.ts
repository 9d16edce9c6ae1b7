import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { openJobFolder } from "../../src/storage/jobs/job-folder.ts";
import { openMediaFolder } from "../../src/storage/media/media-folder.ts";
import { recordFilesInFolder } from "../../src/storage/moving/folder-files.ts";
import { type CommandLine, openCommandLine } from "../support/command-line.ts";
import { png } from "../support/media-bytes.ts";
import { watchUnsynced } from "../support/unsynced.ts";

const ID = "01900000-0000-7000-8000-000000000001";

async function* bytes(): AsyncGenerator<Uint8Array> {
  yield png(3, 2);
}

async function openSite(): Promise<CommandLine> {
  const line = openCommandLine();
  const items = line.file("a.jsonl", '{"type":"topic","title":"A"}\n');
  assert.equal((await line.run("import", items)).code, 0);
  assert.equal((await line.run("media", "add", line.file("a.png", png(3, 2)))).code, 0);
  return line;
}

describe("a power cut takes nothing away", () => {
  const uses: [what: string, use: (folder: string) => Promise<void>][] = [
    [
      "a file of the site that was kept",
      async (folder) => {
        await using received = await openMediaFolder(join(folder, "data/media")).receive(bytes());
        await received.keep();
      },
    ],
    [
      "what a job reads and writes",
      async (folder) => {
        const jobs = openJobFolder(join(folder, "data/jobs"));
        await jobs.storeInput(ID, bytes());
        await jobs.writeResult(ID, bytes());
      },
    ],
    [
      "a file that was moved from PostgreSQL",
      async (folder) => {
        await recordFilesInFolder(join(folder, "data")).write(
          `media/${"a".repeat(32)}.png`,
          bytes(),
        );
      },
    ],
  ];
  for (const [what, use] of uses) {
    it(`of ${what}`, async () => {
      using line = openCommandLine();
      mkdirSync(line.folder, { recursive: true });
      using unsynced = await watchUnsynced();
      await use(line.folder);
      assert.deepEqual(unsynced.found(), []);
    });
  }

  for (const words of [
    ["export", "out/site"],
    ["export", "out/items.jsonl"],
    ["backup", "out/backup"],
    ["backup", "out/backup.db"],
  ]) {
    it(`of ${words.join(" ")}`, async () => {
      using line = await openSite();
      using unsynced = await watchUnsynced();
      const [word = "", place = ""] = words;
      const { code, err } = await line.run(word, join(line.folder, place));
      assert.equal(code, 0, err);
      assert.deepEqual(unsynced.found(), []);
    });
  }

  it("of what was restored", async () => {
    using line = await openSite();
    const place = join(line.folder, "backup");
    await line.run("backup", place);
    using unsynced = await watchUnsynced();
    assert.equal((await line.run("restore", place, "--force")).code, 0);
    assert.deepEqual(unsynced.found(), []);
  });
});
