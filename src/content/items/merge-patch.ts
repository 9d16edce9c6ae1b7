/** A JSON Merge Patch (RFC 7396): omitted keys are unchanged, null removes a value. */
export type MergePatch = Readonly<Record<string, unknown>>;

/**
 * Merges the keys of a patch into an object, without merging nested objects, since the input is untrusted.
 */
export function mergedObject(current: unknown, patched: MergePatch): Record<string, unknown> {
  return withoutNulls({ ...(isObject(current) ? current : {}), ...patched });
}

export function withoutNulls(values: MergePatch): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
