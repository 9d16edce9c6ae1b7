import { existsSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { makeFolder } from "../../files/durable-files.ts";
import { LOCK_FILE_NAME } from "../../storage/folder-lock.ts";

/**
 * Creates the data folder for a dry run if it is missing. Disposing of the result removes the created
 * folders, except folders that are no longer empty.
 *
 * @throws {AppError} `unavailable`, as {@link makeFolder}.
 */
export function createTrialDataFolder(path: string): Disposable {
  const folder = resolve(path);
  const made = missingFolders(folder);
  makeFolder(folder);
  return {
    [Symbol.dispose]() {
      if (made.length > 0 && isEmpty(folder, [LOCK_FILE_NAME]))
        rmSync(join(folder, LOCK_FILE_NAME));
      for (const each of made) if (isEmpty(each, [])) rmdirSync(each);
    },
  };
}

/** Returns the missing folders among `folder` and its parents, innermost first. */
function missingFolders(folder: string): string[] {
  return existsSync(folder) ? [] : [folder, ...missingFolders(dirname(folder))];
}

function isEmpty(folder: string, others: readonly string[]): boolean {
  const names = readdirSync(folder);
  return names.length === others.length && names.every((name) => others.includes(name));
}
