import { AppError } from "../errors.ts";

/** Common system errors, with a remedy where there is one. */
const SYSTEM_FAULTS: Readonly<Record<string, string>> = {
  EACCES: "the system does not allow it; check the permissions",
  EPERM: "the system does not allow it; check the permissions",
  EROFS: "it is on a read-only file system",
  ENOENT: "it does not exist",
  ENOTDIR: "a part of the path is a file, not a folder",
  EEXIST: "a file exists where a folder is needed",
  EISDIR: "it is a folder",
  ENOSPC: "the disk is full",
  EMFILE: "too many files are open",
};

/** The error line of a failed command. */
export function commandErrorLine(error: unknown): string {
  if (error instanceof AppError) return `error: ${error.message}`;
  if (!(error instanceof Error)) return `Internal error: ${String(error)}`;
  const code = "code" in error ? String(error.code) : "";
  const path = "path" in error ? ` ${String(error.path)}` : "";
  const fault = SYSTEM_FAULTS[code];
  if (fault !== undefined) return `error: Cannot use${path}: ${fault}`;
  if (code === "ERR_SQLITE_ERROR") {
    return `error: Cannot use the store in DATA_DIR: ${error.message}`;
  }
  return `Internal error: ${error.stack?.replaceAll(/\s*\n\s*/g, " | ") ?? error.message}`;
}

/** 2 for invalid settings and arguments, 1 for everything else. */
export function exitCodeForError(error: unknown): 1 | 2 {
  return error instanceof AppError && error.code === "invalid" ? 2 : 1;
}
