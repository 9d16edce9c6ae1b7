import type { Kysely } from "kysely";
import { z } from "zod";
import type { AuditEntry } from "../../../access/audit.ts";
import {
  LINK_STATES,
  type Link,
  type LinkSearchProgress,
  type LinkState,
  type LinkStore,
  type LinksOfItem,
  type LinkVerdict,
} from "../../../links/link.ts";
import { writeAuditEntry } from "../access/audit.ts";
import type { Connections } from "../connections.ts";
import { saveSetting } from "../content/setting-rows.ts";
import type { RecordTables } from "../tables.ts";
import {
  addLinks,
  addLinkUses,
  markLinksToPageAsGood,
  NEVER_DUE_AT,
  removeUnusedLinks,
  scheduleHostChecks,
} from "./link-rows.ts";

const WALK_SETTING_NAME = "links.walk";
/** Interval between two requests to a host. */
const TURN_MILLISECONDS = 1000;
/** A claimed link is due again after this, which is longer than any check takes. */
const CLAIM_MILLISECONDS = 10 * 60_000;

const stateSchema = z.enum(LINK_STATES);

export class KyselyLinkStore implements LinkStore {
  readonly #connections: Connections;

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  async walk(): Promise<LinkSearchProgress | null> {
    const saved = await this.#connections.reader
      .selectFrom("settings")
      .select("value")
      .where("name", "=", WALK_SETTING_NAME)
      .executeTakeFirst();
    return saved === undefined ? null : JSON.parse(saved.value);
  }

  async addFound(found: readonly LinksOfItem[], walk: LinkSearchProgress): Promise<void> {
    await this.#connections.transact(async (db) => {
      const links = new Map(found.flatMap((each) => each.links).map((link) => [link.url, link]));
      await addLinks(db, [...links.values()], walk.round);
      for (const { itemId, links: itemLinks, path } of found) {
        const former = await db
          .deleteFrom("link_uses")
          .where("item_id", "=", itemId)
          .returning("url")
          .execute();
        await addLinkUses(db, itemId, { links: itemLinks, round: walk.round });
        const present = new Set(itemLinks.map(({ url }) => url));
        const dropped = former.map(({ url }) => url).filter((url) => !present.has(url));
        await removeUnusedLinks(db, dropped);
        if (path !== undefined) await markLinksToPageAsGood(db, path, walk.round);
      }
      await saveSetting(db, WALK_SETTING_NAME, JSON.stringify(walk));
    });
  }

  async removeUnused(round: string, limit: number): Promise<number> {
    return await this.#connections.transact(async (db) => {
      await db.deleteFrom("link_uses").where("round", "<", round).execute();
      const unused = await db
        .selectFrom("links")
        .select("url")
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom("link_uses").select("item_id").whereRef("link_uses.url", "=", "links.url"),
            ),
          ),
        )
        .limit(limit)
        .execute();
      for (const { url } of unused) await db.deleteFrom("links").where("url", "=", url).execute();
      return unused.length;
    });
  }

  async recheck(urls: readonly string[], entry: AuditEntry): Promise<string[]> {
    return await this.#connections.transact(async (db) => {
      const due = await db
        .updateTable("links")
        .set({ state: "new", due_at: entry.at })
        .where("url", "in", [...urls])
        .returning(["url", "host"])
        .execute();
      await scheduleHostChecks(db, new Set(due.map(({ host }) => host)), entry.at);
      if (due.length > 0) await writeAuditEntry(db, entry);
      return due.map(({ url }) => url);
    });
  }

  async claim(now: Date, limit: number): Promise<Link[]> {
    const ready = this.#connections.reader.selectFrom("link_hosts").select("host");
    const first = await ready.where("next_at", "<=", iso(now)).limit(1).executeTakeFirst();
    if (first === undefined) return [];
    return await this.#connections.transact(async (db) => {
      const hosts = await db
        .selectFrom("link_hosts")
        .select("host")
        .where("next_at", "<=", iso(now))
        .orderBy("next_at")
        .limit(limit)
        .execute();
      const claimed: Link[] = [];
      for (const { host } of hosts) claimed.push(...(await claimOf(db, host, now)));
      return claimed;
    });
  }

  async takeTurn(host: string, now: Date): Promise<Date> {
    return await this.#connections.transact(async (db) => {
      const row = await db
        .selectFrom("link_hosts")
        .select(["next_at", "free_at"])
        .where("host", "=", host)
        .executeTakeFirst();
      const at = new Date(Math.max(now.getTime(), Date.parse(row?.free_at ?? iso(now))));
      const freeAt = iso(new Date(at.getTime() + TURN_MILLISECONDS));
      const due = row?.next_at ?? NEVER_DUE_AT;
      const nextAt = laterTime(due, freeAt);
      await saveHost(db, { host, next_at: nextAt, free_at: freeAt });
      return at;
    });
  }

  async pauseHost(host: string, until: Date): Promise<void> {
    await this.#connections.transact(async (db) => {
      await saveHost(db, { host, next_at: iso(until), free_at: iso(until) });
    });
  }

  async settle({ url }: Link, answer: LinkVerdict): Promise<void> {
    const { state, status, target, fault, failures, checkedAt, dueAt } = answer;
    await this.#connections.transact(async (db) => {
      await db
        .updateTable("links")
        .set({ state, status, target, fault, failures, checked_at: checkedAt, due_at: dueAt })
        .where("url", "=", url)
        .execute();
    });
  }

  async list({
    state,
    after,
    limit,
  }: {
    state: LinkState;
    after: string | null;
    limit: number;
  }): Promise<Link[]> {
    const rows = await this.#connections.reader
      .selectFrom("links")
      .selectAll()
      .where("state", "=", state)
      .where("url", ">", after ?? "")
      .orderBy("url")
      .limit(limit)
      .execute();
    return rows.map(linkOf);
  }

  async itemsWith(url: string, limit: number): Promise<string[]> {
    const rows = await this.#connections.reader
      .selectFrom("link_uses")
      .select("item_id")
      .where("url", "=", url)
      .orderBy("item_id")
      .limit(limit)
      .execute();
    return rows.map(({ item_id }) => item_id);
  }

  async counts(): Promise<Readonly<Record<LinkState, number>>> {
    const rows = await this.#connections.reader
      .selectFrom("links")
      .select(["state", ({ fn }) => fn.countAll<number>().as("count")])
      .groupBy("state")
      .execute();
    const counts = { new: 0, good: 0, moved: 0, broken: 0, unsure: 0 };
    for (const { state, count } of rows) counts[stateSchema.parse(state)] = Number(count);
    return counts;
  }
}

/**
 * Claims the host's link with the earliest `due_at`. Returns an empty list if this link is not due yet.
 * Sets the host's `next_at` in either case.
 */
async function claimOf(db: Kysely<RecordTables>, host: string, now: Date): Promise<Link[]> {
  const [due, next] = await db
    .selectFrom("links")
    .selectAll()
    .where("host", "=", host)
    .orderBy("due_at")
    .orderBy("url")
    .limit(2)
    .execute();
  if (due === undefined || due.due_at > iso(now)) {
    await db
      .updateTable("link_hosts")
      .set({ next_at: due?.due_at ?? NEVER_DUE_AT })
      .where("host", "=", host)
      .execute();
    return [];
  }
  const claimEnd = iso(new Date(now.getTime() + CLAIM_MILLISECONDS));
  await db.updateTable("links").set({ due_at: claimEnd }).where("url", "=", due.url).execute();
  const freeAt = iso(new Date(now.getTime() + TURN_MILLISECONDS));
  const nextDue = [next?.due_at ?? NEVER_DUE_AT, claimEnd].sort()[0] ?? NEVER_DUE_AT;
  const nextAt = laterTime(nextDue, freeAt);
  await saveHost(db, { host, next_at: nextAt, free_at: freeAt });
  return [linkOf(due)];
}

async function saveHost(
  db: Kysely<RecordTables>,
  { host, next_at, free_at }: RecordTables["link_hosts"],
): Promise<void> {
  await db
    .insertInto("link_hosts")
    .values({ host, next_at, free_at })
    .onConflict((conflict) => conflict.column("host").doUpdateSet({ next_at, free_at }))
    .execute();
}

function linkOf(row: RecordTables["links"]): Link {
  const { url, status, target, fault, failures, checked_at: checkedAt } = row;
  return { url, state: stateSchema.parse(row.state), status, target, fault, failures, checkedAt };
}

function iso(date: Date): string {
  return date.toISOString();
}

/** The later of two times in ISO 8601. */
function laterTime(one: string, other: string): string {
  return [one, other].sort()[1] ?? one;
}
