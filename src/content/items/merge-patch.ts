/** A JSON Merge Patch (RFC 7396): omitted keys are unchanged, null removes a value. */
export type MergePatch = Readonly<Record<string, unknown>>;

/** Merges the keys of two objects, recursively. Replaces lists as a whole. */
export function applyMergePatch(current: unknown, patch: MergePatch): Record<string, unknown> {
  const merged = new Map(isObject(current) ? Object.entries(current) : []);
  for (const [key, value] of Object.entries(patch)) {
    merged.set(key, isObject(value) ? applyMergePatch(merged.get(key), value) : value);
  }
  return withoutNulls(Object.fromEntries(merged));
}

export function withoutNulls(values: MergePatch): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
