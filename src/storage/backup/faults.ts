import { AppError, englishOnly } from "../../errors.ts";
import { systemCode } from "../../files/durable-files.ts";
import { reasonOf } from "../sqlite/sqlite-faults.ts";

const SYSTEM_FAULTS: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full",
  EDQUOT: "the disk is full",
  EACCES: "the system does not allow it",
  EPERM: "the system does not allow it",
  EROFS: "it is on a read-only file system",
  EIO: "the disk has failed",
  ENOTDIR: "a part of the path is a file, not a folder",
  ENOENT: "it does not exist",
};

/** Turns system and SQLite errors into an AppError whose message starts with `what`; returns others unchanged. */
export function explainFault(error: unknown, what: string): unknown {
  if (error instanceof AppError) return error;
  const fault = SYSTEM_FAULTS[systemCode(error)] ?? reasonOf(error);
  if (fault === undefined) return error;
  const path = error instanceof Error && "path" in error ? ` (${String(error.path)})` : "";
  return new AppError("unavailable", englishOnly(`${what}: ${fault}${path}`), { cause: error });
}
