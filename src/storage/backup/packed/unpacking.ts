import { join } from "node:path";
import { AppError, englishOnlyWording } from "../../../errors.ts";
import { createFile, makeFolder } from "../../../files/durable-files.ts";
import type { DataLocation } from "../data-parts.ts";
import { MANIFEST_NAME, readManifest } from "../manifest.ts";
import { ByteReader } from "./byte-reader.ts";
import { readTarHeader, TAR_BLOCK_BYTES, type TarEntry, tarPaddingLength } from "./tar-header.ts";

/** Limit on the size of a manifest. A manifest of 100,000 files has about 15 MB. */
const MANIFEST_BYTES_MAX = 256 * 1024 * 1024;

/** Limit on the padding at the end of a tar file. GNU tar pads to a multiple of 10 KiB. */
const PADDING_BYTES_MAX = 1024 * 1024;

interface Unpacking {
  /** Name of the backup for messages. */
  label: string;
  names: Pick<DataLocation, "store" | "media">;
}

/**
 * Writes the files of a packed backup into a new folder. Does not compare hashes with the manifest,
 * because they are compared when the folder is restored or verified.
 *
 * @throws {AppError} `invalid` if the content is not a packed backup; `unavailable` if it is damaged or
 * cut off.
 */
export async function unpackBackup(
  packed: AsyncIterable<Uint8Array>,
  folder: string,
  { label, names }: Unpacking,
): Promise<void> {
  const reader = new ByteReader(packed);
  try {
    const first = await readEntry(reader, label);
    if (first?.name !== MANIFEST_NAME || first.bytes > MANIFEST_BYTES_MAX) throw notABackup(label);
    makeFolder(join(folder, names.media));
    await writeEntry(reader, first, join(folder, first.name));
    const manifest = await readManifest(folder, names);
    // Every path stays within the folder, because `readManifest` rejects all other paths.
    for (const { path, bytes } of manifest?.files ?? []) {
      const entry = await readEntry(reader, label);
      if (entry?.name !== path || entry.bytes !== bytes) throw damaged(label);
      await writeEntry(reader, entry, join(folder, path));
    }
    if ((await readEntry(reader, label)) !== null) throw damaged(label);
    if (!(await reader.drain(PADDING_BYTES_MAX))) throw damaged(label);
  } catch (error) {
    if (error instanceof TruncatedError) throw damaged(label);
    throw error;
  } finally {
    await reader.stop();
  }
}

class TruncatedError extends Error {}

/** Returns null at the end of the archive. */
async function readEntry(reader: ByteReader, label: string): Promise<TarEntry | null> {
  const header = await reader.read(TAR_BLOCK_BYTES);
  if (header.length < TAR_BLOCK_BYTES) throw new TruncatedError();
  if (header.every((byte) => byte === 0)) return null;
  const entry = readTarHeader(header);
  if (entry === null) throw notABackup(label);
  return entry;
}

async function writeEntry(reader: ByteReader, { bytes }: TarEntry, path: string): Promise<void> {
  await using file = await createFile(path);
  let written = 0;
  for await (const piece of reader.take(bytes)) {
    await file.writeFile(piece);
    written += piece.length;
  }
  const padding = await reader.read(tarPaddingLength(bytes));
  if (written < bytes || padding.length < tarPaddingLength(bytes)) throw new TruncatedError();
}

function notABackup(label: string): AppError {
  return new AppError("invalid", englishOnlyWording(`${label} is not a backup of this program`));
}

function damaged(label: string): AppError {
  return new AppError("unavailable", englishOnlyWording(`${label} is damaged or cut off`));
}
