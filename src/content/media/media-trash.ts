/** Files that the record does not know are kept for so long: it may be the record that is wrong. */
const TRASH_DAYS = 30;
const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;

/** Where files wait that nobody withdrew and the record does not know. They are not served. */
export interface MediaTrash {
  /** Moves a file there, unless it is gone. */
  put(name: string, now: Date): Promise<void>;
  /** Perhaps twice, where it came there twice. */
  names(): Promise<string[]>;
  /** Moves a file back to where it is served. */
  takeBack(name: string): Promise<void>;
  /** Deletes what has been there for 30 days. */
  clear(now: Date): Promise<void>;
}

/** The day (UTC) by which files are kept apart, as `2026-11-22`. */
export function trashDay(now: Date): string {
  return now.toISOString().slice(0, 10);
}

export function isTrashDay(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));
}

/** Was whatever came there on that day there for 30 days? */
export function trashDayIsOver(day: string, now: Date): boolean {
  return now.getTime() - Date.parse(day) > (TRASH_DAYS + 1) * DAY_MILLISECONDS;
}
