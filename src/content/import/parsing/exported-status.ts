/**
 * Adapts the status of an item in an export from this service. A deleted item becomes archived, and
 * only its address is imported. An expiry that has passed since the export is removed; if the item
 * was published or scheduled, it becomes archived.
 */
export function adaptExportedStatus(
  raw: Readonly<Record<string, unknown>>,
  now: Date,
): { raw: Readonly<Record<string, unknown>>; isDeleted: boolean } {
  const { status, expireAt, ...others } = raw;
  if (status === "deleted") return { raw: { ...others, status: "archived" }, isDeleted: true };
  const hasEnded = typeof expireAt === "string" && Date.parse(expireAt) <= now.getTime();
  if (!hasEnded || typeof status !== "string") return { raw, isDeleted: false };
  const isPublic = status === "published" || status === "scheduled";
  return { raw: { ...others, status: isPublic ? "archived" : status }, isDeleted: false };
}
