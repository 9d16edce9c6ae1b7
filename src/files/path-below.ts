import { join } from "node:path";
import { AppError } from "../errors.ts";

/** What file systems take; longer names fail. */
const NAME_BYTES_MAX = 255;
const PATH_BYTES_MAX = 4000;
const SEPARATOR_OR_CONTROL = /[/\\\p{Cc}]/u;

/**
 * The path of a file below a folder, from names that may come from anywhere.
 *
 * @param names the folders on the way and the file, one name each.
 * @throws {AppError} `invalid` for a name that would lead elsewhere or that no file can have.
 */
export function pathBelow(folder: string, ...names: readonly string[]): string {
  const path = join(folder, ...names);
  if (names.length > 0 && names.every(isFileName) && Buffer.byteLength(path) <= PATH_BYTES_MAX) {
    return path;
  }
  const shown = JSON.stringify(names.join("/").slice(0, 100));
  throw new AppError("invalid", `Cannot use ${shown} as the name of a file`);
}

function isFileName(name: string): boolean {
  return (
    name !== "" &&
    name !== "." &&
    name !== ".." &&
    !SEPARATOR_OR_CONTROL.test(name) &&
    Buffer.byteLength(name) <= NAME_BYTES_MAX
  );
}
