import { joinedPieces, type PagePiece } from "../render/page-pieces.ts";

/** A character takes at most so many. */
const CHARACTER_BYTES = 3;

/**
 * Room for the bytes of one answer after the other. Bytes allocated for each stand outside V8's heap,
 * and so much of it going by makes V8 mark the whole heap several times a second.
 */
export class ReusedBytes {
  #room: Buffer;
  /** Of what was joined. */
  #end = 0;

  constructor(size = 128 * 1024) {
    this.#room = Buffer.allocUnsafeSlow(size);
  }

  /** Behind what was joined before; to be used up, or copied, before the room is used again. */
  joined(pieces: readonly PagePiece[]): Buffer {
    if (!this.hasRoomFor(pieces)) return joinedPieces(pieces);
    const start = this.#end;
    for (const piece of pieces) {
      if (typeof piece === "string") this.#end += this.#room.write(piece, this.#end);
      else {
        this.#room.set(piece, this.#end);
        this.#end += piece.length;
      }
    }
    return this.#room.subarray(start, this.#end);
  }

  hasRoomFor(pieces: readonly PagePiece[]): boolean {
    let end = this.#end;
    for (const piece of pieces) {
      end += typeof piece === "string" ? piece.length * CHARACTER_BYTES : piece.length;
    }
    return end <= this.#room.length;
  }

  /** Nobody needs what was joined. */
  useAgain(): void {
    this.#end = 0;
  }

  /** Somebody needs what was joined for longer. */
  giveAway(): void {
    this.#room = Buffer.allocUnsafeSlow(this.#room.length);
    this.#end = 0;
  }
}
