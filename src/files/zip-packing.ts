import { PassThrough, Readable } from "node:stream";
import { finished } from "node:stream/promises";
import { ZipFile } from "yazl";

export interface FileToPack {
  /** The relative path, with `/` between its parts. */
  name: string;
  /** Whether the bytes are compressed already. */
  isCompressed: boolean;
  bytes(): AsyncIterable<Uint8Array | string>;
}

/**
 * Packs files into a ZIP stream, one file at a time, so that memory use does not grow with the size
 * of the files.
 *
 * @param at the time of all entries.
 * @throws any error of reading a file; the ZIP is then incomplete.
 */
export async function* packZip(
  files: AsyncIterable<FileToPack>,
  { at }: { at: Date },
): AsyncGenerator<Uint8Array> {
  const zip = new ZipFile();
  const output = zip.outputStream.pipe(new PassThrough());
  const reading = new AbortController();
  const packing = packAll(zip, files, { at, signal: reading.signal }).catch((error: Error) => {
    output.destroy(error);
  });
  try {
    for await (const piece of output) yield piece;
  } finally {
    reading.abort();
    await packing;
  }
}

async function packAll(
  zip: ZipFile,
  files: AsyncIterable<FileToPack>,
  { at, signal }: { at: Date; signal: AbortSignal },
): Promise<void> {
  for await (const { name, isCompressed, bytes } of files) {
    const source = Readable.from(bytes(), { objectMode: false });
    zip.addReadStream(source, name, { mtime: at, compress: !isCompressed });
    try {
      await finished(source, { signal });
    } finally {
      source.destroy();
    }
  }
  zip.end();
}
