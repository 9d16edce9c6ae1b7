import { DatabaseSync as RealDatabase, backup as realBackup } from "node:sqlite";
import { SimulatedDatabase } from "./disk.ts";
import { currentProcess } from "./world.ts";

/**
 * Replaces `node:sqlite`, whose exports `syncBuiltinESMExports` does not update: simulated connections in
 * simulated processes, real ones elsewhere.
 */
export const DatabaseSync = new Proxy(RealDatabase, {
  construct(target, given: ConstructorParameters<typeof RealDatabase>, asked) {
    if (currentProcess() === null) return Reflect.construct(target, given, asked);
    const [path, options] = given;
    return new SimulatedDatabase(String(path), options ?? {});
  },
});

export const backup: typeof realBackup = (...given) => {
  const process = currentProcess();
  if (process === null) return realBackup(...given);
  return process.world.really(() => realBackup(...given));
};
