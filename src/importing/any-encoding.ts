import { readFileSync, statSync } from "node:fs";
import {
  type DecodedText,
  FILE_BYTES_MAX,
  FILE_TOO_LARGE,
  textInAnyEncoding,
} from "../content/import/streams/any-encoding.ts";
import type { Wording } from "../errors.ts";

/**
 * Reads a file with {@link textInAnyEncoding}. Files above the size limit are refused without being
 * opened.
 */
export function readTextInAnyEncoding(path: string): DecodedText | { fault: Wording } {
  if (statSync(path).size > FILE_BYTES_MAX) return { fault: FILE_TOO_LARGE };
  return textInAnyEncoding(readFileSync(path));
}
