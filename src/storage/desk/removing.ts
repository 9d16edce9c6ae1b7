import { removeDatabase, removeUnfinishedFiles } from "../replica/copy-file.ts";

/** Removes the index, which the next query rebuilds. Call while no process uses it. */
export function removeDeskIndex(file: string): void {
  removeDatabase(file);
}

/** Path of a new index until it is complete. */
export function unfinishedIndexPath(file: string): string {
  return `${file}.new`;
}

/** Removes the file of an interrupted build, unless a process is building now. */
export function clearUnfinishedIndex(file: string): void {
  removeUnfinishedFiles(file, [unfinishedIndexPath(file)]);
}
