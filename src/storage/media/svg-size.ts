const PIXELS_BY_UNIT: Readonly<Record<string, number>> = {
  "": 1,
  px: 1,
  pt: 96 / 72,
  pc: 16,
  mm: 96 / 25.4,
  cm: 96 / 2.54,
  in: 96,
};

/** The size in pixels that the root element declares, or else the size of its `viewBox`. */
export function svgSize(root: Readonly<Record<string, string>>): {
  width: number | null;
  height: number | null;
} {
  const declared = { width: pixels(root["width"]), height: pixels(root["height"]) };
  if (declared.width !== null && declared.height !== null) return declared;
  const [, , width, height] = (root["viewBox"] ?? "").trim().split(/[\s,]+/, 5);
  const viewBoxSize = { width: pixels(width), height: pixels(height) };
  return viewBoxSize.width === null || viewBoxSize.height === null
    ? { width: null, height: null }
    : viewBoxSize;
}

/**
 * Converts a length to whole pixels; null if there is no length, or it is a percentage or out of
 * range.
 */
function pixels(length: string | undefined): number | null {
  const [, number = "", unit = ""] =
    /^\s*(\d{1,7}(?:\.\d{1,20})?|\.\d{1,20})([a-z]{0,2})\s*$/.exec(length ?? "") ?? [];
  const factor = PIXELS_BY_UNIT[unit];
  const count = Math.round(Number(number) * (factor ?? 0));
  return count >= 1 && count <= 100_000 ? count : null;
}
