import type { Kysely } from "kysely";
import type { FoundLink } from "../../../links/link.ts";
import type { RecordTables } from "../tables.ts";

const ROWS_PER_STATEMENT = 100;
/** Due time of links and hosts that need no request. */
export const NEVER_DUE_AT = "9999-12-31T00:00:00.000Z";

/**
 * Adds links. Links to other sites are due immediately. Links to this site have been checked already.
 */
export async function addLinks(
  db: Kysely<RecordTables>,
  links: readonly FoundLink[],
  round: string,
): Promise<void> {
  for (let at = 0; at < links.length; at += ROWS_PER_STATEMENT) {
    const slice = links.slice(at, at + ROWS_PER_STATEMENT);
    const internalLinks = slice.filter(({ host }) => host === "");
    for (const { url, fault } of internalLinks) {
      const state = fault === null ? "good" : "broken";
      const checked = { state, fault, checked_at: round };
      await db
        .insertInto("links")
        .values({ ...UNCHECKED_LINK, ...checked, url, host: "", due_at: NEVER_DUE_AT })
        .onConflict((conflict) => conflict.column("url").doUpdateSet(checked))
        .execute();
    }
    const externalLinks = slice.filter(({ host }) => host !== "");
    if (externalLinks.length === 0) continue;
    const added = await db
      .insertInto("links")
      .values(
        externalLinks.map(({ url, host }) => ({ ...UNCHECKED_LINK, url, host, due_at: round })),
      )
      .onConflict((conflict) => conflict.column("url").doNothing())
      .returning("host")
      .execute();
    await scheduleHostChecks(db, new Set(added.map((each) => each.host)), round);
  }
}

/** Removes the given links that no item contains any longer. */
export async function removeUnusedLinks(
  db: Kysely<RecordTables>,
  urls: readonly string[],
): Promise<void> {
  for (let at = 0; at < urls.length; at += ROWS_PER_STATEMENT) {
    await db
      .deleteFrom("links")
      .where("url", "in", urls.slice(at, at + ROWS_PER_STATEMENT))
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom("link_uses").select("item_id").whereRef("link_uses.url", "=", "links.url"),
          ),
        ),
      )
      .execute();
  }
}

/** Marks a broken link to this path of the site as good. Call when a page has been published there. */
export async function markLinksToPageAsGood(
  db: Kysely<RecordTables>,
  path: string,
  at: string,
): Promise<void> {
  await db
    .updateTable("links")
    .set({ state: "good", fault: null, checked_at: at })
    .where("url", "=", path)
    .where("state", "=", "broken")
    .execute();
}

const UNCHECKED_LINK = {
  state: "new",
  status: null,
  target: null,
  fault: null,
  failures: 0,
  checked_at: null,
};

/** Makes hosts with new links due as soon as they may be requested again. */
export async function scheduleHostChecks(
  db: Kysely<RecordTables>,
  hosts: ReadonlySet<string>,
  at: string,
): Promise<void> {
  if (hosts.size === 0) return;
  await db
    .insertInto("link_hosts")
    .values([...hosts].map((host) => ({ host, next_at: at, free_at: at })))
    .onConflict((conflict) =>
      conflict.column("host").doUpdateSet(({ ref }) => ({ next_at: ref("link_hosts.free_at") })),
    )
    .execute();
}

/** Stores which links an item contains. */
export async function addLinkUses(
  db: Kysely<RecordTables>,
  itemId: string,
  { links, round }: { links: readonly FoundLink[]; round: string },
): Promise<void> {
  for (let at = 0; at < links.length; at += ROWS_PER_STATEMENT) {
    const slice = links.slice(at, at + ROWS_PER_STATEMENT);
    await db
      .insertInto("link_uses")
      .values(slice.map(({ url }) => ({ item_id: itemId, url, round })))
      .execute();
  }
}
