import { execFileSync } from "node:child_process";
import { existsSync, linkSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { corpusLines } from "../../../bench/bulk/lines.ts";
import { sharePicturesFolderPath } from "../../../src/app/data-folder.ts";
import { readConfig } from "../../../src/config.ts";
import { parseSharePicturePath } from "../../../src/content/media/share-pictures.ts";
import { sharePicturePathOfEntry } from "../../../src/static/addresses.ts";
import { openReadingCopy } from "../../../src/storage/reading/open.ts";

const EMPTY_PICTURE =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** Makes a site of the quotations, topics and works of a folder. Its pictures for link previews are not drawn. */
export function makeCorpusSite(corpus: string, dataDir: string): void {
  const { first, quotations } = corpusLines(corpus);
  mkdirSync(dataDir, { recursive: true });
  const file = join(dataDir, "corpus.jsonl");
  writeFileSync(file, [...first, ...quotations].join(""));
  const env = { ...process.env, DATA_DIR: dataDir, LOG_LEVEL: "warn" };
  execFileSync(process.execPath, ["src/main.ts", "import", file], { env });
  placeEmptyPictures(dataDir);
}

/** Drawing as many pictures as there are items would take hours. */
function placeEmptyPictures(dataDir: string): void {
  const folder = join(sharePicturesFolderPath(readConfig({ DATA_DIR: dataDir })), "pictures");
  mkdirSync(folder, { recursive: true });
  const empty = join(folder, "empty");
  writeFileSync(empty, Buffer.from(EMPTY_PICTURE, "base64"));
  using reading = openReadingCopy({ file: join(dataDir, "commonplace.db") });
  for (const entry of reading.index()) {
    const picture = parseSharePicturePath(sharePicturePathOfEntry(reading, entry) ?? "");
    const file = join(folder, `${picture?.id}.png`);
    if (picture !== null && !existsSync(file)) linkSync(empty, file);
  }
}
