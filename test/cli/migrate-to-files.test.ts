import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { it } from "node:test";
import { openMediaFiles, openRecordForCommand } from "../../src/app/store.ts";
import { readConfig } from "../../src/config.ts";
import { trashWithdrawnFiles } from "../../src/content/media/media-clearing.ts";
import { type CommandLine, openSiteLine } from "../support/command-line.ts";
import { png } from "../support/media-bytes.ts";
import { createDatabase, onPostgres } from "../support/postgres-store.ts";

const ID = createHash("sha256").update(png(4, 3)).digest("hex").slice(0, 32);

async function must(line: CommandLine, ...words: string[]): Promise<string> {
  const { code, out, err } = await line.run(...words);
  assert.equal(code, 0, `${words.join(" ")}: ${err}`);
  return out;
}

/** Removes the file of the site, as an editor and then the server's clock do. */
async function removeFile(line: CommandLine): Promise<void> {
  await must(line, "api", "DELETE", `/media/${ID}`, "--header", "If-Match: *");
  const config = readConfig(line.environment);
  await using record = await openRecordForCommand(config);
  await trashWithdrawnFiles(record.media, openMediaFiles(config, record), new Date());
}

onPostgres("migrate-to", () => {
  it("takes removed files along, so that they can still be restored", async () => {
    using line = await openSiteLine();
    await using database = await createDatabase();
    await must(line, "media", "add", line.file("dot.png", Buffer.from(png(4, 3))));
    await removeFile(line);
    assert.match(await must(line, "migrate-to", database.url), /^Files: 1, /m);

    line.environment["DATABASE_URL"] = database.url;
    await must(line, "api", "POST", `/removed-media/${ID}/restore`);
    await removeFile(line);
    const back = join(line.folder, "back");
    assert.match(await must(line, "migrate-to", back), /^Files: 1, /m);

    delete line.environment["DATABASE_URL"];
    line.environment["DATA_DIR"] = back;
    await must(line, "api", "POST", `/removed-media/${ID}/restore`);
    assert.deepEqual(readFileSync(join(back, `media/${ID}.png`)), Buffer.from(png(4, 3)));
  });

  it("reports trashed files that were damaged before, and differences in them", async () => {
    using line = await openSiteLine();
    await using database = await createDatabase();
    const day = join(line.folder, "data/media-trash/2026-11-22");
    mkdirSync(day, { recursive: true });
    writeFileSync(join(day, `${ID}.png`), "damaged");
    const { code, err } = await line.run("migrate-to", database.url);
    assert.equal(code, 0, err);
    const name = `media-trash/2026-11-22-${ID}.png`;
    assert.equal(err, `warning: ${name} is damaged at the source; it was moved as it is`);
    writeFileSync(join(day, `${ID}.png`), png(4, 3));
    const compared = await line.run("migrate-to", database.url, "--verify-only");
    assert.equal(compared.code, 1);
    assert.equal(compared.err, `error: ${name} has other bytes in the target`);
  });
});
