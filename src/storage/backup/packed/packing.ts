import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { AppError } from "../../../errors.ts";
import type { DataLocation } from "../data-parts.ts";
import { MANIFEST_NAME, readManifest } from "../manifest.ts";
import { encodeTarHeader, TAR_BLOCK_BYTES, type TarEntry, tarPaddingLength } from "./tar-header.ts";

const PIECE_BYTES = 1024 * 1024;
/** A tar file ends with two blocks of zeros. */
const END_OF_ARCHIVE = Buffer.alloc(2 * TAR_BLOCK_BYTES);

export interface PackedBackup {
  bytes: number;
  content: AsyncIterable<Uint8Array>;
}

/** Packs a backup folder into one tar file that starts with the manifest. */
export async function packBackup(
  folder: string,
  names: Pick<DataLocation, "store" | "media">,
): Promise<PackedBackup> {
  const manifest = await readManifest(folder, names);
  if (manifest === null) throw new Error(`${folder} has no manifest`);
  const { size } = await stat(join(folder, MANIFEST_NAME));
  const listed = manifest.files.map(({ path, bytes }) => ({ name: path, bytes }));
  const entries = [{ name: MANIFEST_NAME, bytes: size }, ...listed];
  const bytes = entries.reduce(
    (sum, entry) => sum + TAR_BLOCK_BYTES + entry.bytes + tarPaddingLength(entry.bytes),
    END_OF_ARCHIVE.length,
  );
  return { bytes, content: pack(folder, entries, new Date(manifest.madeAt)) };
}

async function* pack(
  folder: string,
  entries: readonly TarEntry[],
  modifiedAt: Date,
): AsyncGenerator<Uint8Array> {
  for (const entry of entries) {
    yield encodeTarHeader(entry, modifiedAt);
    yield* fileBytes(join(folder, entry.name), entry.bytes);
    const padding = tarPaddingLength(entry.bytes);
    if (padding > 0) yield Buffer.alloc(padding);
  }
  yield END_OF_ARCHIVE;
}

/**
 * Throws if the size of the file has changed since its header was written. Otherwise all later
 * entries of the archive would be misplaced.
 */
async function* fileBytes(file: string, bytes: number): AsyncGenerator<Uint8Array> {
  let read = 0;
  const pieces: AsyncIterable<Uint8Array> = createReadStream(file, { highWaterMark: PIECE_BYTES });
  for await (const piece of pieces) {
    read += piece.length;
    yield piece;
  }
  if (read === bytes) return;
  throw new AppError("unavailable", {
    en: `${file} has changed while it was packed`,
    de: `${file} hat sich beim Packen geändert`,
  });
}
