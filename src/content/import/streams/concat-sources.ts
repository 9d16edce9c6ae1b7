/**
 * Yields the entries of all sources, one source after another.
 * @throws the abort reason of `halt`.
 */
export async function* concatSources<Entry>(
  sources: readonly (AsyncIterable<Entry> | undefined)[],
  halt: AbortSignal | undefined,
): AsyncGenerator<Entry> {
  for (const source of sources) {
    for await (const entry of source ?? []) {
      halt?.throwIfAborted();
      yield entry;
    }
  }
}
