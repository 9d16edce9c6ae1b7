import { lstat, open } from "node:fs/promises";
import type { StoredFile } from "../../content/media/media.ts";
import { systemErrorCode } from "../../files/durable-files.ts";

/** Number of bytes that are in memory at a time for each client that reads a file. */
const PIECE_BYTES = 256 * 1024;

/** Returns null if there is no such file. Symbolic links do not count as files. */
export async function findStoredFile(path: string): Promise<StoredFile | null> {
  const found = await lstat(path).catch(nullIfFileAbsent);
  return found === null || !found.isFile()
    ? null
    : { bytes: found.size, stream: (range) => streamOf(path, range) };
}

export function nullIfFileAbsent(error: unknown): null {
  if (systemErrorCode(error) === "ENOENT") return null;
  throw error;
}

/**
 * Opens and closes the file for each piece, so that a client that disconnects without notice leaves
 * no file open.
 */
function streamOf(
  path: string,
  { start, end }: { start: number; end: number },
): ReadableStream<Uint8Array> {
  let at = start;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const piece = await readPiece(path, { at, length: Math.min(PIECE_BYTES, end - at + 1) });
        controller.enqueue(piece);
        at += piece.length;
        if (at > end) controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}

async function readPiece(
  path: string,
  { at, length }: { at: number; length: number },
): Promise<Uint8Array> {
  await using file = await open(path, "r");
  const { bytesRead, buffer } = await file.read(new Uint8Array(length), 0, length, at);
  if (bytesRead === 0) throw new Error(`${path} ends before byte ${at}`);
  return buffer.subarray(0, bytesRead);
}
