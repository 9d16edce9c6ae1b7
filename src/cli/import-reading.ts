import { createReadStream } from "node:fs";
import { join } from "node:path";
import { itemsInLines } from "../content/import/json-line.ts";
import { parseMarkdownFile, pathOfMarkdownFile } from "../content/import/markdown-file.ts";
import { type OnUnknown, type ParsedItem, unreadable } from "../content/import/parsed-item.ts";
import type { ContentTypes } from "../content/types/content-type.ts";
import { type ImportFiles, isLinesFile, readText } from "./import-files.ts";
import { type FilePublisher, publishNamedFiles } from "./import-media.ts";

export interface ReadingOptions {
  types: ContentTypes;
  unknown: OnUnknown;
  now: Date;
  /** Without it, links to files stay unchanged. */
  publisher?: FilePublisher;
  /** Called with the size of each piece read. */
  onBytes?: (bytes: number) => void;
}

/** Reads items lazily, one file after another. */
export async function* readItems(
  sources: readonly ImportFiles[],
  options: ReadingOptions,
): AsyncGenerator<ParsedItem> {
  for (const source of sources) {
    const places = pathsOfMarkdown(source, options.types);
    for (const file of source.content) {
      if (isLinesFile(file)) {
        const path = join(source.root, file);
        yield* itemsInLines(createReadStream(path), { file: path, ...options });
      } else yield await itemOfMarkdown(file, { source, places, options });
    }
  }
}

interface Places {
  /** Site paths by file name. */
  paths: ReadonlyMap<string, string>;
  /** The first file with each site path. */
  owners: ReadonlyMap<string, string>;
}

async function itemOfMarkdown(
  file: string,
  { source, places, options }: { source: ImportFiles; places: Places; options: ReadingOptions },
): Promise<ParsedItem> {
  const shown = join(source.root, file);
  const read = readText(shown);
  if ("fault" in read) return unreadable(shown, 1, read.fault);
  options.onBytes?.(Buffer.byteLength(read.text));
  const { types, unknown, now } = options;
  const pathOf = (other: string) => places.paths.get(other);
  const markdown = { file, text: read.text };
  const media =
    options.publisher === undefined
      ? {}
      : { media: await publishNamedFiles(markdown, source.root, options.publisher) };
  const parsed = parseMarkdownFile(markdown, { types, unknown, now, pathOf, ...media });
  const path = parsed.input?.path;
  const owner = path === undefined ? file : (places.owners.get(path) ?? file);
  if (owner === file) return { ...parsed, file: shown };
  const message = `${path} is also the path of ${join(source.root, owner)}`;
  const problem = { ...parsed.placeOf("path"), message, severity: "error" as const };
  return { ...parsed, file: shown, input: null, problems: [...parsed.problems, problem] };
}

/** Future site paths of the Markdown files, to resolve links between them. */
function pathsOfMarkdown({ root, content }: ImportFiles, types: ContentTypes): Places {
  const paths = new Map<string, string>();
  const owners = new Map<string, string>();
  for (const file of content) {
    if (isLinesFile(file)) continue;
    const read = readText(join(root, file));
    const path = "text" in read ? pathOfMarkdownFile({ file, ...read }, types) : undefined;
    if (path === undefined) continue;
    paths.set(file, path);
    if (!owners.has(path)) owners.set(path, file);
  }
  return { paths, owners };
}
