import fs from "node:fs";
import fsp from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";

/** All functions that open, make, move or remove a file or folder, with the number of their paths. */
const CALLS: readonly [object, string, number][] = [
  ...["open", "readFile", "writeFile", "mkdir", "mkdtemp", "readdir", "rm", "rmdir"].map(
    (name): [object, string, number] => [fsp, name, 1],
  ),
  ...["openSync", "readFileSync", "writeFileSync", "mkdirSync", "readdirSync", "rmSync"].map(
    (name): [object, string, number] => [fs, name, 1],
  ),
  ...["createReadStream", "createWriteStream"].map((name): [object, string, number] => [
    fs,
    name,
    1,
  ]),
  [fsp, "rename", 2],
  [fsp, "copyFile", 2],
  [fs, "renameSync", 2],
  [fs, "copyFileSync", 2],
];

export interface WatchedFiles extends Disposable {
  /** Paths outside the allowed folders, with the function that used them. */
  outside: readonly string[];
}

/** Records every path that this process opens, makes, moves or removes through `node:fs`. */
export function watchFiles(allowed: readonly string[]): WatchedFiles {
  const outside: string[] = [];
  const see = (name: string, path: unknown) => {
    const text = path instanceof URL ? fileURLToPath(path) : String(path);
    const place = resolve(text);
    if (!allowed.some((root) => place === root || place.startsWith(root + sep))) {
      outside.push(`${name} ${JSON.stringify(text)}`);
    }
  };
  const restorations = CALLS.map(([module, name, paths]) => {
    const original: unknown = Reflect.get(module, name);
    if (typeof original !== "function") throw new Error(`node:fs has no ${name}`);
    const watched = (...args: unknown[]) => {
      for (const path of args.slice(0, paths)) see(name, path);
      return Reflect.apply(original, module, args);
    };
    Reflect.set(module, name, watched);
    return () => Reflect.set(module, name, original);
  });
  syncBuiltinESMExports();
  return {
    outside,
    [Symbol.dispose]() {
      for (const restore of restorations) restore();
      syncBuiltinESMExports();
    },
  };
}
