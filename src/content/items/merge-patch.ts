/** What a JSON Merge Patch (RFC 7396) says: what it does not name stays, null takes away. */
export type MergePatch = Readonly<Record<string, unknown>>;

/** One level of a merge: a patch of any depth must not make anybody recurse. */
export function mergedGroup(stated: unknown, patched: MergePatch): Record<string, unknown> {
  return withoutNulls({ ...(isGroup(stated) ? stated : {}), ...patched });
}

export function withoutNulls(values: MergePatch): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
}

export function isGroup(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
