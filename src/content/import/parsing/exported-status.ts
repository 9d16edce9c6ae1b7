/**
 * Adapts the status in a line of an export from this service. A deleted item keeps only its address. If an
 * item expired after the export, its expiry is left out, and a public item is archived, as expiry would have
 * done.
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
