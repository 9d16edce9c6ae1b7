import { hash } from "node:crypto";
import { z } from "zod";
import { AppError, englishOnlyWording } from "../../errors.ts";

const FINGERPRINT_CHARACTERS = 12;
const CURSOR_CHARACTERS_MAX = 2000;

const payloadSchema = z.tuple([z.string(), z.unknown()]);

/** Encodes an opaque cursor, which is bound to its query by a fingerprint. */
export function encodeCursor(query: unknown, position: unknown): string {
  const payload = JSON.stringify([fingerprint(query), position]);
  return Buffer.from(payload).toString("base64url");
}

/**
 * Returns a page of a list and the cursor of the next page. Unless the page is the last, `rows`
 * must have one row more than `limit`. `positionOf` returns the position after which the next page
 * starts.
 */
export function toCursorPage<Row>(
  rows: readonly Row[],
  {
    limit,
    query,
    positionOf,
  }: { limit: number; query: unknown; positionOf: (last: Row) => unknown },
): { items: Row[]; nextCursor: string | null } {
  const items = rows.slice(0, limit);
  const last = rows.length > limit ? items.at(-1) : undefined;
  return { items, nextCursor: last === undefined ? null : encodeCursor(query, positionOf(last)) };
}

/** @throws {AppError} `invalid` for a malformed cursor, or for one from another query. */
export function decodeCursor<Position>(
  cursor: string,
  query: unknown,
  positionSchema: z.ZodType<Position>,
): Position {
  const payload = payloadSchema.safeParse(parseCursor(cursor));
  if (!payload.success) throw brokenCursor("This cursor is damaged");
  const [queryFingerprint, position] = payload.data;
  if (queryFingerprint !== fingerprint(query))
    throw brokenCursor("This cursor belongs to another query");
  const checked = positionSchema.safeParse(position);
  if (!checked.success) throw brokenCursor("This cursor is damaged");
  return checked.data;
}

function fingerprint(query: unknown): string {
  return hash("sha256", JSON.stringify(query), "base64url").slice(0, FINGERPRINT_CHARACTERS);
}

function parseCursor(cursor: string): unknown {
  if (cursor.length > CURSOR_CHARACTERS_MAX) return null;
  try {
    return JSON.parse(Buffer.from(cursor, "base64url").toString());
  } catch {
    return null;
  }
}

function brokenCursor(what: string): AppError {
  const message = `${what}: repeat the call without it, or with the cursor of the same query`;
  return new AppError("invalid", englishOnlyWording(message), {
    problems: [{ where: "cursor", message: englishOnlyWording(what) }],
  });
}
