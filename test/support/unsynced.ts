import nodeFs, { existsSync } from "node:fs";
import nodePromises from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { dirname, resolve } from "node:path";

export interface Unsynced extends Disposable {
  /** What a power cut could still destroy: new names in folders, and files with new bytes. */
  found(): string[];
}

type Given = readonly unknown[];

/** Watches what this process writes, until disposal. Does not see SQLite. */
export async function watchUnsynced(): Promise<Unsynced> {
  const names = new Set<string>();
  const files = new Set<string>();
  const faults = new Set<string>();
  const paths = new Map<unknown, string>();
  const restores: (() => unknown)[] = [];
  const synced = (path: string) => {
    files.delete(path);
    for (const name of names) if (dirname(name) === path) names.delete(name);
  };
  const noteNew = (path: string) => {
    if (!existsSync(path)) names.add(path);
  };
  const noteMove = ([from, to]: Given) => {
    if (files.delete(at(from))) faults.add(`${at(from)} was renamed before it was synced`);
    names.delete(at(from));
    names.add(at(to));
  };
  const noteOpen = ([path, flags]: Given) => {
    if (!/^[wa]/.test(String(flags ?? "r"))) return;
    noteNew(at(path));
    files.add(at(path));
  };
  const replace = (
    owner: object,
    name: string,
    { before = () => {}, after = () => {} }: Partial<Record<"before" | "after", Note>>,
  ) => {
    const original: unknown = Reflect.get(owner, name);
    if (typeof original !== "function") throw new Error(`There is no ${name} to replace`);
    const replacement = function (this: unknown, ...given: unknown[]): unknown {
      before(given, undefined, this);
      const result: unknown = Reflect.apply(original, this, given);
      if (!(result instanceof Promise)) {
        after(given, result, this);
        return result;
      }
      return result.then((value: unknown) => {
        after(given, value, this);
        return value;
      });
    };
    Reflect.set(owner, name, replacement);
    restores.push(() => Reflect.set(owner, name, original));
  };
  const opened: Note = (given, handle) => paths.set(handle, at(given[0]));
  replace(nodePromises, "rename", { before: noteMove });
  replace(nodePromises, "open", { before: noteOpen, after: opened });
  replace(nodePromises, "copyFile", {
    before: ([, to]) => {
      noteNew(at(to));
      files.add(at(to));
    },
  });
  replace(nodePromises, "mkdir", { before: ([path]) => noteNew(at(path)) });
  replace(nodeFs, "mkdirSync", { before: ([path]) => noteNew(at(path)) });
  replace(nodeFs, "openSync", { after: opened });
  replace(nodeFs, "fsyncSync", { after: ([file]) => synced(paths.get(file) ?? "") });
  const some = await nodePromises.open(import.meta.filename, "r");
  const prototype: object = Object.getPrototypeOf(some);
  await some.close();
  replace(prototype, "sync", { after: (_given, _result, file) => synced(paths.get(file) ?? "") });
  syncBuiltinESMExports();
  return {
    found: () => [...faults, ...[...names, ...files].filter((path) => existsSync(path))].sort(),
    [Symbol.dispose]() {
      for (const restore of restores) restore();
      syncBuiltinESMExports();
    },
  };
}

type Note = (given: Given, result?: unknown, owner?: unknown) => unknown;

function at(path: unknown): string {
  return resolve(String(path));
}
