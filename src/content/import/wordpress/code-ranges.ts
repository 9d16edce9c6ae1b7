interface Range {
  start: number;
  end: number;
}

/** The ranges of code in HTML. Text in these ranges must stay unchanged. Takes linear time. */
export function findCodeRanges(html: string): readonly Range[] {
  const text = html.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  const ranges: Range[] = [];
  const closed = new Map([
    ["pre", text.lastIndexOf("</pre")],
    ["code", text.lastIndexOf("</code")],
  ]);
  const opening = /<(pre|code)[\s>]/g;
  for (let match = opening.exec(text); match !== null; match = opening.exec(text)) {
    const [, name = ""] = match;
    if ((closed.get(name) ?? -1) < match.index) continue;
    const end = text.indexOf(`</${name}`, match.index);
    ranges.push({ start: match.index, end });
    opening.lastIndex = end;
  }
  return ranges;
}

/** Whether a position is in one of the ranges, which must be sorted. */
export function isWithinRanges(ranges: readonly Range[], position: number): boolean {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ranges[middle]?.end ?? 0) <= position) low = middle + 1;
    else high = middle;
  }
  return (ranges[low]?.start ?? Number.POSITIVE_INFINITY) <= position;
}
