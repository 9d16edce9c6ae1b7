import { createRequire } from "node:module";
import type { CSL } from "@citation-js/core";

const require = createRequire(import.meta.url);

/** The part of citation-js that is used here. Its own types omit the output formats that plugins add. */
interface Formatter {
  plugins: { output: { format(form: "bibtex", items: readonly CSL[]): string } };
}

let formatter: Formatter | null = null;

/** Formats a CSL-JSON item as a BibTeX entry. */
export function bibtexEntry(item: CSL): string {
  formatter ??= load();
  return formatter.plugins.output.format("bibtex", [withoutBraces(item)]).trim();
}

/** Loads the library on first use, since its character tables take several megabytes. */
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
