import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";

/** Scripts of the screens, without their types, by the address that carries the hash of their bytes. */
export const SCRIPTS: ReadonlyMap<string, string> = new Map([script("editor")]);

export const EDITOR_SCRIPT_PATH = [...SCRIPTS.keys()][0] ?? "";

function script(name: string): [path: string, text: string] {
  const file = new URL(`../browser/${name}.ts`, import.meta.url);
  const text = withoutTypes(readFileSync(file, "utf8"));
  return [`/admin/${name}-${hash("sha256", text).slice(0, 12)}.js`, text];
}

/** Node warns that the function is experimental, which is nothing an operator could act on. */
function withoutTypes(source: string): string {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return stripTypeScriptTypes(source);
  } finally {
    process.emitWarning = emitWarning;
  }
}
