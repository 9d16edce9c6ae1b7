import { chmodSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../config.ts";
import { systemCode } from "../files/durable-files.ts";
import type { Log } from "../log.ts";

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
const OTHERS = 0o077;
const STICKY = 0o1000;

/** Names, or prefixes of names, that the program creates in the data folder. */
const OURS = ["commonplace.db", "reading.db", "site.json", "server.lock", "media", "jobs", "cache"];

/**
 * Removes access for other users: earlier versions left everything world-readable. A folder that is closed
 * already is assumed to have closed contents.
 */
export function restrictAccess({ dataDir }: Pick<Config, "dataDir">, log: Log | null): void {
  try {
    for (const name of readdirSync(dataDir)) {
      if (OURS.some((own) => name.startsWith(own))) closeAll(join(dataDir, name));
    }
    // Never changes a shared folder such as /tmp.
    if ((statSync(dataDir).mode & STICKY) === 0) chmodSync(dataDir, FOLDER_MODE);
  } catch (error) {
    if (!["EPERM", "EROFS", "EACCES"].includes(systemCode(error))) throw error;
    log?.warn(
      { err: error },
      "The data folder may be readable for other users: it cannot be closed",
    );
  }
}

/** The folder last, so that an interrupted run is repeated. */
function closeAll(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined || (found.mode & OTHERS) === 0) return;
  if (found.isFile()) chmodSync(path, FILE_MODE);
  if (!found.isDirectory()) return;
  for (const name of readdirSync(path)) closeAll(join(path, name));
  chmodSync(path, FOLDER_MODE);
}
