import nodeFs, { readdirSync, readlinkSync } from "node:fs";
import nodePromises from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { resolve, sep } from "node:path";

// Preloaded into a process, makes it and its threads refuse to remove or rename what SQLite has open, and
// folders that hold it, as Windows does. Files that Node has open can be removed there.
const SQLITE_FILE = /\.(?:lock|db|sqlite)$|[0-9a-f]{12}$|-(?:wal|shm|journal)$/;

for (const name of ["rm", "unlink", "rename", "rmdir"] as const) {
  const change: unknown = Reflect.get(nodePromises, name);
  if (typeof change !== "function") throw new Error(`There is no ${name} to replace`);
  Reflect.set(nodePromises, name, async (...given: unknown[]): Promise<unknown> => {
    requireClosed(given);
    return await Reflect.apply(change, nodePromises, given);
  });
}
for (const name of ["rmSync", "unlinkSync", "renameSync", "rmdirSync"] as const) {
  const change: unknown = Reflect.get(nodeFs, name);
  if (typeof change !== "function") throw new Error(`There is no ${name} to replace`);
  Reflect.set(nodeFs, name, (...given: unknown[]): unknown => {
    requireClosed(given);
    return Reflect.apply(change, nodeFs, given);
  });
}
syncBuiltinESMExports();

function requireClosed(given: readonly unknown[]): void {
  const changed = given.filter((path) => typeof path === "string").map((path) => resolve(path));
  const open = openFiles().find((file) =>
    changed.some((path) => file === path || file.startsWith(path + sep)),
  );
  if (open === undefined) return;
  throw Object.assign(new Error(`EBUSY: resource busy or locked, ${open}`), { code: "EBUSY" });
}

/** The databases and lock files that this process has open. */
function openFiles(): string[] {
  return readdirSync("/proc/self/fd").flatMap((file) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${file}`);
      return SQLITE_FILE.test(path) ? [path] : [];
    } catch {
      return [];
    }
  });
}
