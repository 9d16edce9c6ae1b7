import { join } from "node:path";
import type { ContentRecord } from "../../../content/record.ts";
import { makeTemporaryFolder } from "../../../files/temporary-folder.ts";
import { copyStore } from "./copy.ts";

/**
 * Runs a change on a temporary copy of a store and deletes the copy. Writers of the store do not wait.
 *
 * @throws {AppError} `unavailable` when the store cannot be copied.
 */
export async function runOnStoreCopy<T>(
  file: string,
  open: (copy: string) => Promise<{ content: ContentRecord } & AsyncDisposable>,
  change: (content: ContentRecord) => Promise<T>,
): Promise<T> {
  await using folder = await makeTemporaryFolder();
  const copy = join(folder.path, "commonplace.db");
  await copyStore(file, copy, () => {});
  await using record = await open(copy);
  return await change(record.content);
}
