/** Reads a file in pieces, and finds records in it. */
export interface ChunkReader<Found> {
  /** Reads the next piece. Returns the records that it completes. */
  read(piece: string): readonly Found[];
  /** @throws {AppError} `invalid` if the file is truncated. */
  end(): void;
}

/** Yields the records of a file without loading the whole file into memory. */
export async function* readRecords<Found>(
  pieces: AsyncIterable<string>,
  reader: ChunkReader<Found>,
): AsyncGenerator<Found> {
  for await (const piece of pieces) yield* reader.read(piece);
  reader.end();
}
