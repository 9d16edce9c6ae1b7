/**
 * Adapts the status in a line of an export from this service. Of a deleted item, only the address is kept. If
 * an item has expired since the export, its expiry is left out, and if it was public, it is archived, as it
 * would have been on the site.
 */
export function exportedStatus(
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
