/** A slice of a text, by UTF-16 offsets. */
export interface TextSlice {
  text: string;
  start: number;
  end: number;
  total: number;
}

/** At most `charactersMax` characters from an offset; never splits a surrogate pair. */
export function sliceText(text: string, start: number, charactersMax: number): TextSlice {
  const from = splitsPair(text, start) ? start - 1 : Math.min(start, text.length);
  const wanted = Math.min(from + charactersMax, text.length);
  const cut = splitsPair(text, wanted) ? wanted - 1 : wanted;
  const end = cut > from ? cut : Math.min(from + 2, text.length);
  return { text: text.slice(from, end), start: from, end, total: text.length };
}

function splitsPair(text: string, at: number): boolean {
  return (text.codePointAt(at - 1) ?? 0) > 0xffff && at > 0 && at < text.length;
}
