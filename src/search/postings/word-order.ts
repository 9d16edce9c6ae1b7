/** Separates columns; no word has this number. */
const COLUMN_SEPARATOR = 0;
/** Maximum size of a varint for a number up to 2^32. */
const WORD_BYTES_MAX = 5;

export const INDEXED_TEXT_COLUMNS = ["title", "names", "body"] as const;

/**
 * Encodes the words of an item in order: the length class, then the numbers of the words as varints, with a
 * 0 between two columns.
 */
export function encodeWordOrder(
  lengthClass: number,
  columns: readonly (readonly number[])[],
): Uint8Array {
  const words = columns.reduce((sum, column) => sum + column.length, columns.length);
  const bytes = new Uint8Array(1 + words * WORD_BYTES_MAX);
  bytes[0] = lengthClass;
  let length = 1;
  for (const [at, column] of columns.entries()) {
    if (at > 0) bytes[length++] = COLUMN_SEPARATOR;
    for (const word of column) {
      let rest = word;
      for (; rest > 127; rest >>>= 7) bytes[length++] = (rest & 127) | 128;
      bytes[length++] = rest;
    }
  }
  return bytes.slice(0, length);
}

/**
 * Calls `use` for each word with its position in the item and its column, an index of {@link
 * INDEXED_TEXT_COLUMNS}. Positions have a gap between columns. Stops when `use` returns true.
 */
export function forEachEncodedWord(
  bytes: Uint8Array,
  use: (word: number, position: number, column: number) => boolean | undefined,
): void {
  let position = 0;
  let column = 0;
  for (let at = 1; at < bytes.length; ) {
    let byte = bytes[at++] ?? 0;
    let word = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = bytes[at++] ?? 0;
      word |= (byte & 127) << shift;
    }
    if (word === COLUMN_SEPARATOR) {
      column += 1;
      position += COLUMN_GAP;
    } else if (use(word, position++, column) === true) return;
  }
}

/** Decodes the words of each column. */
export function decodeWordOrder(bytes: Uint8Array): number[][] {
  const columns: number[][] = INDEXED_TEXT_COLUMNS.map(() => []);
  forEachEncodedWord(bytes, (word, _position, column) => {
    columns[column]?.push(word);
    return false;
  });
  return columns;
}

/** The gap between the positions of two columns, so that words of different columns are never near. */
const COLUMN_GAP = 100;
