import type { Kysely } from "kysely";
import { GONE_TARGET } from "./record/content/redirect-rows.ts";
import type { RecordTables } from "./record/tables.ts";

export interface RedirectingPath {
  path: string;
  /** Null: the path is gone. */
  to: { itemId: string } | { path: string } | null;
}

export async function listFormerPaths(db: Kysely<RecordTables>): Promise<RedirectingPath[]> {
  const claims = await db
    .selectFrom("path_claims")
    .select(["path", "item_id"])
    .where("is_current", "=", 0)
    .orderBy("path")
    .execute();
  return claims.map(({ path, item_id }) => ({ path, to: { itemId: item_id } }));
}

/** Reads the paths that redirect to a page that is not an item, or are gone. */
export async function listRedirectingPaths(db: Kysely<RecordTables>): Promise<RedirectingPath[]> {
  const redirects = await db
    .selectFrom("redirects")
    .select(["path", "to_path"])
    .where("to_path", "is not", null)
    .orderBy("path")
    .execute();
  return redirects.flatMap(({ path, to_path }) =>
    to_path === null ? [] : [{ path, to: parseRedirectTarget(to_path) }],
  );
}

/** Converts the stored target of a redirect that leads to no item. Null: the redirect's address is gone. */
export function parseRedirectTarget(toPath: string): RedirectingPath["to"] {
  return toPath === GONE_TARGET ? null : { path: toPath };
}
