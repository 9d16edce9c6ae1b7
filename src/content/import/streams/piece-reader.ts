/** Reads a file piece by piece, and finds records in it. */
export interface PieceReader<Found> {
  /** Reads the next piece. Returns the records that are complete with it. */
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
