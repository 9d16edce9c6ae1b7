import { readFileSync, statSync } from "node:fs";
import {
  type DecodedText,
  decodeTextInAnyEncoding,
  TEXT_FILE_BYTES_MAX,
  TEXT_FILE_TOO_LARGE_MESSAGE,
} from "../content/import/streams/any-encoding.ts";
import type { Wording } from "../errors.ts";

/**
 * Reads a file with {@link decodeTextInAnyEncoding}. Files above the size limit are refused without being
 * opened.
 */
export function readTextInAnyEncoding(path: string): DecodedText | { fault: Wording } {
  if (statSync(path).size > TEXT_FILE_BYTES_MAX) return { fault: TEXT_FILE_TOO_LARGE_MESSAGE };
  return decodeTextInAnyEncoding(readFileSync(path));
}
