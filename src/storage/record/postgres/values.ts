/**
 * A value as PostgreSQL can keep it. Its texts have no U+0000 and no half of a character: what is wrong
 * becomes U+FFFD, as in every text that is decoded.
 */
export function storable(value: unknown): unknown {
  if (typeof value === "string") return storableText(value);
  if (value === null || typeof value === "number" || typeof value === "bigint") return value;
  if (value instanceof Uint8Array || Array.isArray(value)) return value;
  throw new TypeError(`PostgreSQL cannot store a ${typeof value}`);
}

function storableText(text: string): string {
  const wellFormed = text.isWellFormed() ? text : text.toWellFormed();
  return wellFormed.includes("\0") ? wellFormed.replaceAll("\0", "\uFFFD") : wellFormed;
}
