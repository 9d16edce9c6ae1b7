import nodeFs, { writeSync } from "node:fs";
import nodePromises from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";

// Preloaded into a process, makes it and its threads refuse to flush what they opened for reading only, as
// Windows does. SQLite is not affected.
await using handle = await nodePromises.open(import.meta.filename, "r");
const handles: object = Object.getPrototypeOf(handle);
for (const name of ["sync", "datasync"]) {
  const flush: unknown = Reflect.get(handles, name);
  if (typeof flush !== "function") throw new Error(`There is no ${name} to replace`);
  Reflect.set(handles, name, async function (this: object): Promise<unknown> {
    requireWritable(Reflect.get(this, "fd"));
    return await Reflect.apply(flush, this, []);
  });
}
const { fsyncSync } = nodeFs;
Reflect.set(nodeFs, "fsyncSync", (file: number) => {
  requireWritable(file);
  fsyncSync(file);
});
syncBuiltinESMExports();

function requireWritable(file: unknown): void {
  try {
    writeSync(Number(file), "");
  } catch (cause) {
    const refusal = new Error("EPERM: operation not permitted, fsync", { cause });
    throw Object.assign(refusal, { code: "EPERM" });
  }
}
