import { readdirSync, statSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { makeTemporaryFolder } from "../files/temporary-folder.ts";
import { unpackZip } from "../files/zip-unpacking.ts";

const ZIP = /\.zip$/i;
/** What macOS adds beside the files. */
const ADDED = "__MACOSX";

/**
 * The paths to import, with a temporary folder in the place of each ZIP.
 *
 * @throws {AppError} `invalid` if a ZIP cannot be unpacked.
 */
export async function unpackArchives(
  paths: readonly string[],
): Promise<{ paths: readonly string[] } & AsyncDisposable> {
  if (!paths.some(isArchive)) return { paths, async [Symbol.asyncDispose]() {} };
  const temporary = await makeTemporaryFolder();
  try {
    const unpacked: string[] = [];
    for (const [at, path] of paths.entries()) {
      const folder = join(temporary.path, String(at));
      if (isArchive(path)) {
        await mkdir(folder, { mode: 0o700 });
        await unpackZip(path, folder);
      }
      unpacked.push(isArchive(path) ? innermost(folder) : path);
    }
    return { paths: unpacked, [Symbol.asyncDispose]: () => temporary[Symbol.asyncDispose]() };
  } catch (error) {
    await temporary[Symbol.asyncDispose]();
    throw error;
  }
}

function isArchive(path: string): boolean {
  return ZIP.test(path) && statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

/** Most programs put the whole folder into the archive, not only what is in it. */
function innermost(folder: string): string {
  const entries = readdirSync(folder, { withFileTypes: true }).filter(({ name }) => name !== ADDED);
  const [only, ...more] = entries;
  return only?.isDirectory() === true && more.length === 0 ? join(folder, only.name) : folder;
}
