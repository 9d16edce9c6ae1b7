import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { basename } from "node:path";

/** A module as a browser loads it. */
export interface Script {
  /** Contains a hash of the text. */
  path: string;
  text: string;
  /** The modules that it imports itself. */
  imports: readonly Script[];
}

const IMPORTED_FILE = /(?<= from "|^import ")\.{1,2}\/[a-z/.-]+\.ts(?=")/gm;

/**
 * One of our modules, with its types stripped and its imports rewritten to paths. It and all modules that
 * it imports are in one folder of the site.
 */
export function browserScript(file: URL, folder: string): Script {
  const text = withoutTypes(readFileSync(file, "utf8"));
  const imports: Script[] = [];
  const withPaths = text.replaceAll(IMPORTED_FILE, (imported) => {
    const script = browserScript(new URL(imported, file), folder);
    imports.push(script);
    return script.path;
  });
  return { ...scriptOf(withPaths, { name: basename(file.pathname, ".ts"), folder }), imports };
}

/** A script with this text, which imports nothing. */
export function scriptOf(text: string, { name, folder }: { name: string; folder: string }): Script {
  const path = `${folder}/${name}-${hash("sha256", text).slice(0, 12)}.js`;
  return { path, text, imports: [] };
}

/**
 * Strips the types. Suppresses Node's warning that the function is experimental, since operators
 * could not act on it.
 */
function withoutTypes(source: string): string {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return stripTypeScriptTypes(source);
  } finally {
    process.emitWarning = emitWarning;
  }
}
