import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { metadataStripperForType } from "../metadata/strip-metadata.ts";

export const ORIGINAL_FILE = "original";
export const CLEAN_FILE = "clean";

/** Writes a copy without metadata next to an original that was stored with metadata. */
export async function writeCopyWithoutMetadata(folder: string, type: string): Promise<void> {
  const strip = metadataStripperForType(type);
  if (strip === null) return;
  const bytes = await readFile(join(folder, ORIGINAL_FILE));
  const clean = strip(bytes).bytes;
  if (!bytes.equals(clean)) await writeFile(join(folder, CLEAN_FILE), clean);
}
