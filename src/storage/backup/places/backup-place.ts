/** A folder, or a part of an S3 bucket, that contains the backups of one site. */
export interface BackupPlace {
  /** Address for messages, without credentials. */
  address: string;
  names(): Promise<string[]>;
  /**
   * Writes a new file, all or nothing.
   *
   * @param bytesMax an upper bound of the file's size.
   */
  write(name: string, content: AsyncIterable<Uint8Array>, bytesMax: number): Promise<void>;
  read(name: string): AsyncIterable<Uint8Array>;
  remove(name: string): Promise<void>;
  /** Removes leftovers of killed processes. Call only while no other process writes backups to this place. */
  clearAbandoned(): Promise<void>;
}

export const PACKED_BACKUP_EXTENSION = ".tar";
export const ENCRYPTED_BACKUP_EXTENSION = ".tar.age";

/**
 * A backup is named after the time it began, such as `2026-11-23T03-00-12Z`. A packed file has an extension, a
 * folder has none.
 */
const BACKUP_NAME = /^(\d{4}-\d\d-\d\d)T\d\d-\d\d-\d\dZ(?:\.tar(?:\.age)?)?$/;
const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;

/** Numbers of backups to retain. */
export interface BackupRetention {
  latest: number;
  /** Number of weeks whose last backup is kept. Weeks without a backup are not counted. */
  weekly: number;
}

export function backupName(now: Date): string {
  return now
    .toISOString()
    .replace(/\.\d+Z$/, "Z")
    .replaceAll(":", "-");
}

export function isBackupName(name: string): boolean {
  return BACKUP_NAME.test(name);
}

/**
 * Returns the names of the backups that a rotation removes, newest first. Ignores names of other
 * files.
 *
 * @param newest name of the new backup. Backups with a later date come from a wrong clock. They are
 * neither removed nor counted, because counting them would displace good backups.
 */
export function selectBackupsToRemove(
  names: readonly string[],
  { latest, weekly }: BackupRetention,
  newest: string,
): readonly string[] {
  const earlierNames = names.filter((name) => isBackupName(name) && name < newest);
  // Removes duplicates, because the listing of a bucket may contain a name twice.
  const backups = [...new Set([...earlierNames, newest])].sort().reverse();
  const kept = new Set(backups.slice(0, latest));
  const weeks = new Set<number>();
  for (const name of backups) {
    const week = weekOf(name);
    if (weeks.has(week) || weeks.size >= weekly) continue;
    weeks.add(week);
    kept.add(name);
  }
  return backups.filter((name) => !kept.has(name));
}

/**
 * Returns the number of the week in which a backup was made. Weeks begin on Monday, as in ISO 8601.
 * Adds 3 days, because 1 January 1970 was a Thursday.
 */
function weekOf(name: string): number {
  const day = Date.parse(BACKUP_NAME.exec(name)?.[1] ?? "") / DAY_MILLISECONDS;
  return Math.floor((day + 3) / 7);
}
