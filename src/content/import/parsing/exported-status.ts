/**
 * Adapts the status of a line that an export wrote. A deleted item is only the address it had. An end that has
 * passed since is left out, and a public item is archived, as the clock would have done.
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
