import { existsSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";

const MEMORY = "/dev/shm";
/** The suite fills 600 MB at the most. In a container the folder is often small. */
const BYTES_MIN = 2 * 1024 ** 3;

/**
 * The folder for the temporary files of tests: in memory where there is room, since most tests create a store, and
 * every test on PostgreSQL a database of 900 files. Otherwise that of the system.
 */
export function temporaryFolder(): string {
  if (process.env["TMPDIR"] !== undefined || !existsSync(MEMORY)) return tmpdir();
  const { bavail: blocks, bsize: blockBytes } = statfsSync(MEMORY);
  return blocks * blockBytes >= BYTES_MIN ? MEMORY : tmpdir();
}
