import { DAY_MILLISECONDS } from "../../access/days.ts";

export const TRASH_DAYS = 30;
/** Folder of the trash, in shared storage and next to a media folder. */
export const TRASH_FOLDER = "media-trash";
const DAY_CHARACTERS = "2026-11-22".length;

/** The trash: withdrawn files and files without a record entry. They are not served. */
export interface MediaTrash {
  /** Moves a file to the trash if it exists. */
  put(name: string, now: Date): Promise<void>;
  /** The names of the files in the trash; may contain duplicates. */
  names(): Promise<string[]>;
  /** Moves a file back to the served folder. */
  restore(name: string): Promise<void>;
  /** Deletes files that were put here more than 30 days ago. */
  clear(now: Date): Promise<void>;
}

/** The trash folder for a day (UTC), such as `2026-11-22`. */
export function trashDay(now: Date): string {
  return now.toISOString().slice(0, 10);
}

export function isTrashDay(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));
}

/**
 * The name of a trashed file in shared storage, whose folders have no subfolders: the day, a hyphen
 * and the name of the file.
 */
export function sharedTrashName(day: string, name: string): string {
  return `${day}-${name}`;
}

/** The inverse of {@link sharedTrashName}; null for any other name. */
export function parseSharedTrashName(text: string): { day: string; name: string } | null {
  const [day, name] = [text.slice(0, DAY_CHARACTERS), text.slice(DAY_CHARACTERS + 1)];
  return isTrashDay(day) && sharedTrashName(day, name) === text ? { day, name } : null;
}

/** Whether everything that was put into the trash on a day has been there for 30 days. */
export function isTrashDayExpired(day: string, now: Date): boolean {
  return now.getTime() - Date.parse(day) > (TRASH_DAYS + 1) * DAY_MILLISECONDS;
}
