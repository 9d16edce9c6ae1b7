/** A folder, or a part of an S3 bucket, that holds the backups of one site. */
export interface BackupPlace {
  /** Its address in messages, without credentials. */
  named: string;
  names(): Promise<string[]>;
  /**
   * Writes a new file, which exists as a whole or not at all.
   *
   * @param bytesMax an upper bound of the size.
   */
  write(name: string, content: AsyncIterable<Uint8Array>, bytesMax: number): Promise<void>;
  read(name: string): AsyncIterable<Uint8Array>;
  remove(name: string): Promise<void>;
  /** Removes leftovers of killed processes. Call while no other process writes backups there. */
  clearAbandoned(): Promise<void>;
}

export const PACKED_ENDING = ".tar";
export const ENCRYPTED_ENDING = ".tar.age";

/** `2026-11-23T03-00-12Z`, the start of the backup: a folder, or packed into a file. */
const NAME = /^(\d{4}-\d\d-\d\d)T\d\d-\d\d-\d\dZ(?:\.tar(?:\.age)?)?$/;
const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;

/** Numbers of backups to keep. */
export interface Rotation {
  latest: number;
  /** The last backup of each of this many weeks. */
  weekly: number;
}

export function backupName(now: Date): string {
  return now
    .toISOString()
    .replace(/\.\d+Z$/, "Z")
    .replaceAll(":", "-");
}

export function isBackupName(name: string): boolean {
  return NAME.test(name);
}

/**
 * Names of backups to remove under a rotation, the oldest last; ignores other names.
 *
 * @param made the new backup. Later ones, dated by a wrong clock, are neither counted nor removed:
 * they would displace good ones.
 */
export function namesBeyond(
  names: readonly string[],
  { latest, weekly }: Rotation,
  made: string,
): readonly string[] {
  const others = names.filter((name) => isBackupName(name) && name < made);
  // The listing of a bucket may contain a name twice.
  const backups = [...new Set([...others, made])].sort().reverse();
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

/** Weeks begin on Monday, as in ISO 8601; 1 January 1970 was a Thursday. */
function weekOf(name: string): number {
  const day = Date.parse(NAME.exec(name)?.[1] ?? "") / DAY_MILLISECONDS;
  return Math.floor((day + 3) / 7);
}
