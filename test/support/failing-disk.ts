import nodeFs from "node:fs";
import nodePromises from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";

/** Calls that change files or wait for the disk: the steps at which a process can be killed. */
const STEPS = ["chmod", "copyFile", "mkdir", "rename", "rm", "writeFile"] as const;
const SYNC_STEPS = ["fsyncSync", "mkdirSync", "rmSync"] as const;
const HANDLE_STEPS = ["sync", "writeFile"] as const;

export interface FailingDisk extends Disposable {
  /** Steps that were requested so far. */
  steps: number;
}

export interface Fault {
  /** Which step fails, counted from 1. It fails before it has any effect. */
  step: number;
  code: string;
  /** Whether all later steps fail as well, as if the process had been killed. */
  isLast: boolean;
}

/** Makes a file operation of this process fail, until disposal. SQLite is not affected. */
export async function failDisk({ step, code, isLast }: Fault): Promise<FailingDisk> {
  const restores: (() => unknown)[] = [];
  const disk: FailingDisk = {
    steps: 0,
    [Symbol.dispose]() {
      for (const restore of restores) restore();
      syncBuiltinESMExports();
    },
  };
  const check = (path: unknown) => {
    disk.steps += 1;
    const fails = isLast ? disk.steps >= step : disk.steps === step;
    if (!fails) return;
    const where = typeof path === "string" ? { path } : {};
    throw Object.assign(new Error(`${code}: injected`), { code, ...where });
  };
  const replace = (owner: object, names: readonly string[]) => {
    for (const name of names) {
      const original: unknown = Reflect.get(owner, name);
      if (typeof original !== "function") throw new Error(`There is no ${name} to replace`);
      const failing = function (this: unknown, ...given: unknown[]): unknown {
        check(given[0]);
        return Reflect.apply(original, this, given);
      };
      Reflect.set(owner, name, failing);
      restores.push(() => Reflect.set(owner, name, original));
    }
  };
  replace(nodePromises, STEPS);
  replace(nodeFs, SYNC_STEPS);
  await using handle = await nodePromises.open(import.meta.filename, "r");
  replace(Object.getPrototypeOf(handle), HANDLE_STEPS);
  syncBuiltinESMExports();
  return disk;
}
