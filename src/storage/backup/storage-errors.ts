import { AppError, buildWording, type Wording } from "../../errors.ts";
import { systemErrorCode } from "../../files/durable-files.ts";
import { describeFileError } from "../sqlite/sqlite-errors.ts";

const DISK_FULL: Wording = { en: "the disk is full", de: "Die Platte ist voll" };
const ACCESS_DENIED: Wording = {
  en: "the system does not allow it",
  de: "Das Betriebssystem erlaubt es nicht",
};
const SYSTEM_FAULTS: Readonly<Record<string, Wording>> = {
  ENOSPC: DISK_FULL,
  EDQUOT: DISK_FULL,
  EACCES: ACCESS_DENIED,
  EPERM: ACCESS_DENIED,
  EROFS: {
    en: "it is on a read-only file system",
    de: "Auf dieses Dateisystem darf nicht geschrieben werden",
  },
  EIO: { en: "the disk has failed", de: "Die Platte ist defekt" },
  ENOTDIR: {
    en: "a part of the path is a file, not a folder",
    de: "Ein Teil des Pfads ist eine Datei, kein Ordner",
  },
  ENOENT: { en: "it does not exist", de: "Das gibt es nicht" },
};

/**
 * Turns system and SQLite errors into an AppError whose message starts with `what`; returns other errors
 * unchanged.
 */
export function explainStorageError(error: unknown, what: Wording): unknown {
  if (error instanceof AppError) return error;
  const fault = SYSTEM_FAULTS[systemErrorCode(error)] ?? describeFileError(error);
  if (fault === undefined) return error;
  const path = error instanceof Error && "path" in error ? ` (${String(error.path)})` : "";
  const wording = buildWording((language) => `${what[language]}: ${fault[language]}${path}`);
  return new AppError("unavailable", wording, { cause: error });
}
