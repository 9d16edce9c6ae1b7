import { deriveDefaultSitePath } from "../../content/import/file-path.ts";
import { readFrontMatter } from "../../content/import/front-matter.ts";
import { isRecord } from "../../content/import/item-parsing.ts";
import { trimBody } from "../../content/items/trimmed-body.ts";
import type { ContentTypes } from "../../content/types/content-type.ts";
import type { Wording } from "../../errors.ts";
import { defaultFileName } from "../item-files.ts";
import { formatMarkdownWithFrontMatter } from "../item-text.ts";
import { sharedFileName } from "./shared-names.ts";

/** One line of a shared file: an item as JSON. */
export interface SharedLine {
  path: string;
  type: string;
  line: string;
  /**
   * The text that the item would have in a file of its own. `ownFile` would be the name of that file.
   */
  text: string;
  ownFile: string;
}

/** Writes an item as a line of a shared file. `values`: the item's front matter. */
export function jsonLineOfValues(
  { type, path: _derived, ...values }: Readonly<Record<string, unknown>>,
  { path, body }: { path: string; body: string },
): string {
  const text = trimBody(body);
  return JSON.stringify({ type, path, ...values, ...(text === "" ? {} : { body: text }) });
}

/** Turns the text that an item has in a file of its own into a line of a shared file. */
export function jsonLineOfText(text: string, path: string): string {
  const { values, body } = readFrontMatter(text);
  return jsonLineOfValues(values, { path, body });
}

/** Reads the lines of a file, or returns what is wrong with the file. */
export function readSharedLines(
  text: string,
  file: string,
  types: ContentTypes,
): SharedLine[] | Wording {
  const found: SharedLine[] = [];
  const paths = new Set<string>();
  for (const [at, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const raw = objectIn(line);
    const path = raw?.["path"];
    if (raw === null || typeof path !== "string") {
      return {
        en: `line ${at + 1} is not an item as JSON with its path`,
        de: `Zeile ${at + 1} ist kein Inhalt als JSON mit seiner Adresse (path)`,
      };
    }
    if (sharedFileName(path) !== file) {
      const right = sharedFileName(path) ?? defaultFileName({ id: "", path });
      return {
        en: `line ${at + 1} belongs into ${right}, after its path ${path}`,
        de: `Zeile ${at + 1} gehört nach ihrer Adresse ${path} in ${right}`,
      };
    }
    if (paths.has(path)) {
      return {
        en: `line ${at + 1} repeats the path ${path}`,
        de: `Zeile ${at + 1} wiederholt die Adresse ${path}`,
      };
    }
    paths.add(path);
    found.push({ path, line, ...asOwnFile(raw, path, types) });
  }
  return found;
}

function asOwnFile(
  raw: Readonly<Record<string, unknown>>,
  path: string,
  types: ContentTypes,
): Pick<SharedLine, "type" | "text" | "ownFile"> {
  const { type, path: _path, body = "", ...values } = raw;
  const ownFile = defaultFileName({ id: "", path });
  const listPath = types.get(String(type))?.listPath ?? null;
  const stated = deriveDefaultSitePath(ownFile, listPath) === path ? { type } : { type, path };
  return {
    type: String(type),
    ownFile,
    text: formatMarkdownWithFrontMatter({ ...stated, ...values }, String(body)),
  };
}

function objectIn(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}
