/**
 * Adapts the status in a line of an export from this service. A deleted item is archived, and only
 * its address is imported. An item that has expired since the export loses its expiry. If it was
 * published or scheduled, it is archived, as items are when they expire.
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
