const BUSY = 5;
const CORRUPT = 11;
const FULL = 13;
const NOTADB = 26;

/** Does another connection keep the file locked, or bring it back after a crash? */
export function isBusy(error: unknown): boolean {
  return codeOf(error) === BUSY;
}

/** Is there no room on the disk? */
export function isFull(error: unknown): boolean {
  return codeOf(error) === FULL;
}

/** Is the file no database, or not whole? */
export function isDamaged(error: unknown): boolean {
  const code = codeOf(error);
  return code === CORRUPT || code === NOTADB;
}

/** Of what `node:sqlite` tells, the higher bytes say more than anybody here asks. */
function codeOf(error: unknown): number | null {
  return error instanceof Error && "errcode" in error && typeof error.errcode === "number"
    ? error.errcode & 0xff
    : null;
}
