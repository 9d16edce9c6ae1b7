/**
 * Converts a value for PostgreSQL, whose texts cannot contain U+0000 or lone surrogates; both become U+FFFD.
 */
export function toStorableValue(value: unknown): unknown {
  if (typeof value === "string") return storableText(value);
  if (value === null || typeof value === "number" || typeof value === "bigint") return value;
  if (value instanceof Uint8Array || Array.isArray(value)) return value;
  throw new TypeError(`PostgreSQL cannot store a ${typeof value}`);
}

function storableText(text: string): string {
  const wellFormed = text.isWellFormed() ? text : text.toWellFormed();
  return wellFormed.includes("\0") ? wellFormed.replaceAll("\0", "\uFFFD") : wellFormed;
}
