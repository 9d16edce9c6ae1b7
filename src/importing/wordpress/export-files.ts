import { createReadStream } from "node:fs";
import { convertGhostToWxrRecords } from "../../content/import/ghost/ghost-records.ts";
import { convertWikiToWxrRecords } from "../../content/import/mediawiki/wiki-records.ts";
import {
  parseWxrRecords,
  type WxrRecord,
  type WxrSiteField,
} from "../../content/import/wordpress/wxr-records.ts";
import { readFileHead } from "../file-head.ts";

/** Whether a file is an export of WordPress, Ghost or MediaWiki, judged by its name and beginning. */
export function isCmsExport(path: string): boolean {
  const name = path.toLowerCase();
  if (name.endsWith(".xml")) {
    return /wordpress\.org\/export\//.test(readFileHead(path)) || isWikiDump(path);
  }
  return name.endsWith(".json") && isGhostExport(path);
}

function isWikiDump(path: string): boolean {
  return /^(?:\xEF\xBB\xBF)?\s*(?:<\?xml[^>]{0,200}\?>\s*)?(?:<!--[^>]{0,500}-->\s*)?<mediawiki[\s>]/.test(
    readFileHead(path),
  );
}

function isGhostExport(path: string): boolean {
  return /^(?:\xEF\xBB\xBF)?\s*\{\s*(?:"db"\s*:\s*\[\s*\{\s*)?"meta"\s*:\s*\{[^{}]{0,500}"version"/.test(
    readFileHead(path),
  );
}

/**
 * The records of all files, in order.
 *
 * @param onBytes is called with the number of bytes of each chunk that is read.
 * @throws {AppError} `invalid` for a damaged export.
 */
export async function* readExportRecords(
  files: readonly string[],
  onBytes: (bytes: number) => void = () => {},
): AsyncGenerator<WxrRecord | WxrSiteField> {
  for (const file of files) {
    if (isGhostExport(file))
      yield* convertGhostToWxrRecords({ tables: textOf(file), posts: textOf(file, onBytes) });
    else if (isWikiDump(file))
      yield* convertWikiToWxrRecords({ survey: textOf(file), pages: textOf(file, onBytes) });
    else yield* parseWxrRecords(textOf(file, onBytes));
  }
}

async function* textOf(
  file: string,
  onBytes: (bytes: number) => void = () => {},
): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8");
  for await (const piece of createReadStream(file)) {
    onBytes(piece.length);
    yield decoder.decode(piece, { stream: true });
  }
  yield decoder.decode();
}
