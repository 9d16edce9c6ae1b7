import { join } from "node:path";
import { AppError, englishOnlyWording } from "../errors.ts";

/** Maximum length of a file name in common file systems. */
const NAME_BYTES_MAX = 255;
const PATH_BYTES_MAX = 4000;
const SEPARATOR_OR_CONTROL = /[/\\\p{Cc}]/u;
/**
 * Device names that Windows reserves, with or without an extension
 * (https://learn.microsoft.com/windows/win32/fileio/naming-a-file).
 */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³]) *(?:\.|$)/i;

/**
 * Joins untrusted names to a path below a folder.
 *
 * @param names folder names and the file name, one per argument.
 * @throws {AppError} `invalid` for a name that could leave the folder or is not a valid file name.
 */
export function joinPathBelow(folder: string, ...names: readonly string[]): string {
  const path = joinPathBelowOrNull(folder, ...names);
  if (path !== null) return path;
  const shown = JSON.stringify(names.join("/").slice(0, 100));
  throw new AppError("invalid", englishOnlyWording(`Cannot use ${shown} as the name of a file`));
}

/** As {@link joinPathBelow}, but returns null instead of throwing. */
export function joinPathBelowOrNull(folder: string, ...names: readonly string[]): string | null {
  const path = join(folder, ...names);
  const isUsable =
    names.length > 0 && names.every(isFileName) && Buffer.byteLength(path) <= PATH_BYTES_MAX;
  return isUsable ? path : null;
}

/** Whether Windows reserves a name of a file or folder, or would drop its last character. */
export function isReservedOnWindows(name: string): boolean {
  return DEVICE.test(name) || /[. ]$/.test(name);
}

function isFileName(name: string): boolean {
  return (
    name !== "" &&
    name !== "." &&
    name !== ".." &&
    !SEPARATOR_OR_CONTROL.test(name) &&
    !(process.platform === "win32" && isReservedOnWindows(name)) &&
    Buffer.byteLength(name) <= NAME_BYTES_MAX
  );
}
