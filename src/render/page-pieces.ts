import { bytesOf } from "./bytes.ts";

/** Part of a page as it is sent: text, or UTF-8 already. */
export type PagePiece = string | Uint8Array;

/** The bytes of all of them, in new memory. */
export function joinedPieces(pieces: readonly PagePiece[]): Buffer {
  return Buffer.concat(
    pieces.map((piece) => (typeof piece === "string" ? Buffer.from(piece) : piece)),
  );
}

/** The text of all of them. */
export function textOfPieces(pieces: readonly PagePiece[]): string {
  return pieces
    .map((piece) => (typeof piece === "string" ? piece : memoryOf(piece).toString()))
    .join("");
}

/** As `bytesOf` has them: a character for each byte. */
export function bytesOfPiece(piece: PagePiece): string {
  if (typeof piece === "string") return bytesOf(piece);
  return memoryOf(piece).toString("latin1");
}

function memoryOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
