import { readFileSync, statSync } from "node:fs";
import {
  type DecodedText,
  FILE_BYTES_MAX,
  TOO_LONG,
  textInAnyEncoding,
} from "../content/import/streams/any-encoding.ts";
import type { Wording } from "../errors.ts";

/** The text of a file, as {@link textInAnyEncoding} reads it. A file that is too long is not opened. */
export function readTextInAnyEncoding(path: string): DecodedText | { fault: Wording } {
  if (statSync(path).size > FILE_BYTES_MAX) return { fault: TOO_LONG };
  return textInAnyEncoding(readFileSync(path));
}
