import { removeDatabaseFiles, removeUnfinishedFiles } from "../replica/copy-file.ts";

/** Removes the index. The next query rebuilds it. Call while no process uses the index. */
export function removeDeskIndex(file: string): void {
  removeDatabaseFiles(file);
}

/** Path of a new index during its build. */
export function unfinishedIndexPath(file: string): string {
  return `${file}.new`;
}

/** Removes the file of an interrupted build, unless a process is building at the moment. */
export function clearUnfinishedIndex(file: string): void {
  removeUnfinishedFiles(file, [unfinishedIndexPath(file)]);
}
