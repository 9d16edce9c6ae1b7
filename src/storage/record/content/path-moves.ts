import type { Item } from "../../../content/items/item.ts";
import type { PathOwner } from "../../../content/record.ts";
import type { ItemTransition } from "../../projection.ts";

/**
 * The loaded claims, keyed by path. A claim names the item that owns the path; it is null for a free path.
 */
export type PathClaims = Map<string, PathOwner | null>;

/** Paths whose claims must be loaded before a call of {@link claimPaths}. */
export function pathsToClaim(item: Item, before: Item | null): string[] {
  if (keepsClaims(item, before)) return [];
  return before === null || before.path === item.path ? [item.path] : [before.path, item.path];
}

/** Whether the change leaves all claims unchanged. */
function keepsClaims(item: Item, before: Item | null): boolean {
  return before !== null && before.path === item.path && before.status === item.status;
}

/**
 * Updates the claims for a new state of an item. If the item gives up a path that was ever public, the path
 * redirects to the item; any other path becomes free.
 */
export function claimPaths(claims: PathClaims, item: Item, before: Item | null): ItemTransition {
  if (keepsClaims(item, before)) {
    return { before, formerPath: null, isGone: item.status === "archived" };
  }
  const formerPath = releasePath(claims, item, before);
  return { before, formerPath, isGone: claimPath(claims, item) };
}

/** @returns the old path if it now redirects to the item. */
function releasePath(claims: PathClaims, item: Item, before: Item | null): string | null {
  if (before === null || before.path === item.path) return null;
  const formerClaim = claims.get(before.path) ?? null;
  if (formerClaim?.wasPublic !== true) {
    claims.set(before.path, null);
    return null;
  }
  claims.set(before.path, { ...formerClaim, isCurrent: false });
  return before.path;
}

/** @returns whether the path was public and is now gone (410). */
function claimPath(claims: PathClaims, item: Item): boolean {
  const claim = claims.get(item.path) ?? null;
  if (item.status === "deleted") {
    if (claim === null || claim.wasPublic) return true;
    claims.set(item.path, null);
    return false;
  }
  if (claim !== null && claim.itemId !== item.id) {
    throw new Error(`The path ${item.path} belongs to the item ${claim.itemId}`);
  }
  const isPublic = item.status === "published" || item.status === "archived";
  const wasPublic = isPublic || (claim?.wasPublic ?? false);
  if (claim === null || !claim.isCurrent || claim.wasPublic !== wasPublic) {
    claims.set(item.path, { itemId: item.id, isCurrent: true, wasPublic });
  }
  return item.status === "archived";
}
