/** Ends a column; no word has this number. */
const COLUMN_END = 0;
/** A varint of up to 2^32. */
const WORD_BYTES_MAX = 5;

export const WORD_COLUMNS = ["title", "names", "body"] as const;

/**
 * The words of an item in order, as numbers: the length class, then the words of each column in varints,
 * each column but the last followed by 0.
 */
export function writeOrder(
  lengthClass: number,
  columns: readonly (readonly number[])[],
): Uint8Array {
  const words = columns.reduce((sum, column) => sum + column.length, columns.length);
  const bytes = new Uint8Array(1 + words * WORD_BYTES_MAX);
  bytes[0] = lengthClass;
  let length = 1;
  for (const [place, column] of columns.entries()) {
    if (place > 0) bytes[length++] = COLUMN_END;
    for (const word of column) {
      let rest = word;
      for (; rest > 127; rest >>>= 7) bytes[length++] = (rest & 127) | 128;
      bytes[length++] = rest;
    }
  }
  return bytes.slice(0, length);
}

/**
 * Calls back for each word with its column (an index of {@link WORD_COLUMNS}) and its position in the
 * item, where a gap separates columns; returning true stops.
 */
export function eachWord(
  bytes: Uint8Array,
  use: (word: number, place: number, column: number) => boolean | undefined,
): void {
  let place = 0;
  let column = 0;
  for (let at = 1; at < bytes.length; ) {
    let byte = bytes[at++] ?? 0;
    let word = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = bytes[at++] ?? 0;
      word |= (byte & 127) << shift;
    }
    if (word === COLUMN_END) {
      column += 1;
      place += COLUMN_GAP;
    } else if (use(word, place++, column) === true) return;
  }
}

/** The words of each column. */
export function readOrder(bytes: Uint8Array): number[][] {
  const columns: number[][] = WORD_COLUMNS.map(() => []);
  eachWord(bytes, (word, _place, column) => {
    columns[column]?.push(word);
    return false;
  });
  return columns;
}

/** Added to positions after each column, so that words of different columns are never near. */
const COLUMN_GAP = 100;
