import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { basename } from "node:path";

/** A module as a browser loads it. */
export interface BrowserScript {
  /** Contains a hash of the text. */
  path: string;
  text: string;
  /** The modules that this module imports directly. */
  imports: readonly BrowserScript[];
}

const IMPORTED_FILE = /(?<= from "|^import ")\.{1,2}\/[a-z/.-]+\.ts(?=")/gm;

/** Lines that hold only a comment. None of our modules has such lines within a text. */
const COMMENT_LINES = /^ *(?:\/\*\*(?:[^*]|\*(?!\/))*\*\/|\/\/.*)\n/gm;

/**
 * Converts one of our TypeScript modules for browsers: strips types and comments, and rewrites imports
 * to paths. The module and all its imports are served from one folder.
 */
export function buildBrowserScript(file: URL, folder: string): BrowserScript {
  const text = withoutTypes(readFileSync(file, "utf8")).replaceAll(COMMENT_LINES, "");
  const imports: BrowserScript[] = [];
  const withPaths = text.replaceAll(IMPORTED_FILE, (imported) => {
    const script = buildBrowserScript(new URL(imported, file), folder);
    imports.push(script);
    return script.path;
  });
  return {
    ...buildBrowserScriptFromText(withPaths, { name: basename(file.pathname, ".ts"), folder }),
    imports,
  };
}

/** Creates a script from JavaScript text without imports. */
export function buildBrowserScriptFromText(
  text: string,
  { name, folder }: { name: string; folder: string },
): BrowserScript {
  const path = `${folder}/${name}-${hash("sha256", text).slice(0, 12)}.js`;
  return { path, text, imports: [] };
}

/**
 * Strips the types. Suppresses Node's warning that the function is experimental, because operators
 * cannot act on the warning.
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
