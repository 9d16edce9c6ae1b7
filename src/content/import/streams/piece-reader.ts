/** Reads a file piece by piece, and finds records in it. */
export interface PieceReader<Found> {
  /** The records that are complete with this piece. */
  read(piece: string): readonly Found[];
  /** @throws {AppError} `invalid` if the file is truncated. */
  end(): void;
}

/** Yields the records of a file without holding the whole file in memory. */
export async function* recordsIn<Found>(
  pieces: AsyncIterable<string>,
  reader: PieceReader<Found>,
): AsyncGenerator<Found> {
  for await (const piece of pieces) yield* reader.read(piece);
  reader.end();
}
