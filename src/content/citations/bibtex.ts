import { createRequire } from "node:module";
import type { CSL } from "@citation-js/core";

const require = createRequire(import.meta.url);

/** The part of the library in use; its own types omit the formats of plugins. */
interface Formatter {
  plugins: { output: { format(form: "bibtex", items: readonly CSL[]): string } };
}

let loaded: Formatter | null = null;

/** A BibTeX entry of an item of CSL-JSON. */
export function bibtexEntry(item: CSL): string {
  loaded ??= load();
  return loaded.plugins.output.format("bibtex", [withoutBraces(item)]).trim();
}

/** Loaded on first use: its character tables take several megabytes. */
function load(): Formatter {
  const core: Formatter = require("@citation-js/core");
  require("@citation-js/plugin-bibtex");
  return core;
}

/** The library escapes braces in texts, but not in names. */
function withoutBraces(item: CSL): CSL {
  const { author = [], translator = [] } = item;
  return {
    ...item,
    ...(author.length === 0 ? {} : { author: author.map(plainName) }),
    ...(translator.length === 0 ? {} : { translator: translator.map(plainName) }),
  };
}

function plainName(name: Readonly<Record<string, string | undefined>>) {
  return Object.fromEntries(
    Object.entries(name).map(([part, text]) => [part, text?.replaceAll(/[{}\\]/g, "")]),
  );
}
