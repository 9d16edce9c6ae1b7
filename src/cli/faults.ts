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
  ENOTEMPTY: "it is a folder with files in it",
  ENAMETOOLONG: "the name is too long",
  ELOOP: "it is a symbolic link that leads back to itself",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk is full",
  EFBIG: "the file is too large for the disk, or for a limit of the system",
  EIO: "the disk has failed",
  EMFILE: "too many files are open",
};

/** The error line of a failed command. */
export function formatCommandErrorLine(error: unknown): string {
  if (error instanceof AppError) return `error: ${error.message}`;
  if (!(error instanceof Error)) return `Internal error: ${String(error)}`;
  const code = "code" in error ? String(error.code) : "";
  const fault = SYSTEM_FAULTS[code];
  if (fault !== undefined) return `error: Cannot use ${placeIn(error)}: ${fault}`;
  if (code === "ERR_SQLITE_ERROR") {
    return `error: Cannot use the store in DATA_DIR: ${error.message}`;
  }
  return `Internal error: ${error.stack?.replaceAll(/\s*\n\s*/g, " | ") ?? error.message}`;
}

/** The path that a system error names: of a renamed file its new one, as the old one is temporary. */
function placeIn(error: Error): string {
  if ("syscall" in error && error.syscall === "rename" && "dest" in error) {
    return String(error.dest);
  }
  return "path" in error ? String(error.path) : "a file";
}

/** 2 for invalid settings and arguments, 1 for everything else. */
export function exitCodeForError(error: unknown): 1 | 2 {
  return error instanceof AppError && error.code === "invalid" ? 2 : 1;
}
