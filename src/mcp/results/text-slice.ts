import { estimateTokens } from "./token-estimate.ts";

/** A slice of a text, by UTF-16 offsets. */
export interface TextSlice {
  text: string;
  start: number;
  end: number;
  total: number;
}

export interface SliceLimits {
  charactersMax: number;
  /** Limit of estimated tokens. At least one character is returned even if it exceeds the limit. */
  tokensMax: number;
}

/**
 * Maximum UTF-8 bytes per UTF-16 code unit. Also the maximum tokens per code unit, because a token
 * has at least one byte.
 */
const BYTES_PER_UNIT_MAX = 3;

/** Returns as much of a text from an offset as the limits allow. Never splits a surrogate pair. */
export function sliceText(
  text: string,
  start: number,
  { charactersMax, tokensMax }: SliceLimits,
): TextSlice {
  const from = splitsPair(text, start) ? start - 1 : Math.min(start, text.length);
  let slice = sliceFrom(text, from, charactersMax);
  if (slice.text.length * BYTES_PER_UNIT_MAX <= tokensMax) return slice;
  for (
    let tokens = estimateTokens(slice.text);
    tokens > tokensMax && slice.text.length > 2;
    tokens = estimateTokens(slice.text)
  ) {
    const shorter = Math.floor(slice.text.length * Math.min(0.95, tokensMax / tokens));
    slice = sliceFrom(text, from, Math.max(1, shorter));
  }
  return slice;
}

function sliceFrom(text: string, from: number, charactersMax: number): TextSlice {
  const wantedEnd = Math.min(from + charactersMax, text.length);
  const cutEnd = splitsPair(text, wantedEnd) ? wantedEnd - 1 : wantedEnd;
  const end = cutEnd > from ? cutEnd : Math.min(from + 2, text.length);
  return { text: text.slice(from, end), start: from, end, total: text.length };
}

function splitsPair(text: string, at: number): boolean {
  return (text.codePointAt(at - 1) ?? 0) > 0xffff && at > 0 && at < text.length;
}
