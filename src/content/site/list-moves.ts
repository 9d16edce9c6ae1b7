import { type Actor, actorName, requireScope } from "../../access/actor.ts";
import { auditEntryForChange, type ChangeContext } from "../../access/audit.ts";
import { requireFreePath } from "../addresses/path-claims.ts";
import { CALENDAR_FILE, requireValidItemPath } from "../addresses/paths.ts";
import { storeRedirectUnchecked } from "../addresses/redirects.ts";
import type { ContentReader, ContentTransaction, Redirect } from "../record.ts";
import type { ContentType, ContentTypes } from "../types/content-type.ts";
import type { SiteProfile } from "./site.ts";

const BATCH_ITEMS = 200;
const HOPS_MAX = 50;
/** The files that people subscribe to at the list of a dated type: its feeds and its calendar. */
const FOLLOWED_FILES = ["feed.atom", "feed.json", CALENDAR_FILE];

/**
 * A type whose list moves from one path to another. `from` is null if the type had no list; `to` is
 * null if it will have none. Items of a type without a list are at the root, unless they state a
 * path.
 */
export interface ListMove {
  type: ContentType;
  from: string | null;
  to: string | null;
}

/** The lists that move when the declared types change. */
export function findListMoves(
  before: readonly ContentType[],
  after: readonly ContentType[],
): ListMove[] {
  const former = new Map(before.map(({ name, listPath }) => [name, listPath]));
  return after.flatMap((type) => {
    const from = former.get(type.name);
    const to = type.listPath;
    return from === undefined || from === to ? [] : [{ type, from, to }];
  });
}

interface ItemPlace {
  id: string;
  path: string;
}

/** The changes that moving lists requires: validated, not yet stored. */
interface ListMovePlan {
  items: ItemPlace[];
  /** `to` is null for the address of a removed list. */
  redirects: { from: string; to: string | null }[];
  /** The redirects to remove, because a list uses their addresses again. */
  obsolete: Redirect[];
}

/**
 * Plans the new paths of items below moved lists, and redirects from the former lists.
 *
 * @param types all types after the change; `added` are the new ones among them.
 * @throws {AppError} `conflict` if an address is taken; `invalid` if an address is not allowed.
 */
export async function planListMoves(
  transaction: ContentTransaction,
  actor: Actor,
  moves: readonly ListMove[],
  {
    types,
    added,
    profile,
  }: { types: ContentTypes; added: readonly ContentType[]; profile: SiteProfile },
): Promise<ListMovePlan> {
  const prefixes = [...(profile.languages ?? []).map((tag) => `/${tag.toLowerCase()}`), ""];
  const plan: ListMovePlan = { items: [], redirects: [], obsolete: [] };
  for (const list of added.flatMap(({ listPath }) => listPath ?? [])) {
    for (const prefix of prefixes) {
      // A page at the new list's address is allowed, but a redirect would hide the list.
      if ((await transaction.redirectAt(prefix + list)) === null) continue;
      const chains = await chainsToReplace(transaction, null, prefix + list);
      plan.obsolete.push(...chains.map(({ first }) => first));
    }
  }
  if (moves.length > 0 || plan.obsolete.length > 0) requireScope(actor, "content:publish");
  for (const move of moves) {
    plan.items.push(...(await movedItems(transaction, move, { types, prefixes })));
    const { obsolete, redirects } = await movedLists(transaction, move, { types, prefixes });
    plan.obsolete.push(...obsolete);
    plan.redirects.push(...redirects);
  }
  return plan;
}

interface MoveContext {
  types: ContentTypes;
  /** The path prefixes of the editions. */
  prefixes: readonly string[];
}

async function movedItems(
  transaction: ContentTransaction,
  { type, from, to }: ListMove,
  { types, prefixes }: MoveContext,
): Promise<ItemPlace[]> {
  const moved: ItemPlace[] = [];
  for (const { id, path } of await transaction.pathsOfType(type.name)) {
    const prefix = prefixes.find((each) => path.startsWith(`${each}${from ?? ""}/`));
    if (prefix === undefined || prefixes.includes(path) || path === "/") continue;
    const end = path.slice(`${prefix}${from ?? ""}`.length);
    const next = requireValidItemPath(prefix + (to ?? "") + end, type, types);
    // By default, the items of a type without a list are at the root. A longer path was set
    // explicitly, so the item keeps it, unless the item already owns the path below the new list.
    const isStated = from === null && end.lastIndexOf("/") > 0;
    if (isStated && (await transaction.claim(next))?.itemId !== id) continue;
    await requireFreePath(transaction, next, id);
    moved.push({ id, path: next });
  }
  return moved;
}

/** The changes to the addresses of the list itself, in every edition. */
async function movedLists(
  transaction: ContentTransaction,
  { type, from, to }: ListMove,
  { types, prefixes }: MoveContext,
): Promise<Pick<ListMovePlan, "obsolete" | "redirects">> {
  const obsolete: Redirect[] = [];
  const redirects: ListMovePlan["redirects"] = [];
  const regained: ListMovePlan["redirects"] = [];
  const isTaken = [...types.values()].some(({ listPath }) => listPath === from);
  const files = type.dated === undefined ? [] : FOLLOWED_FILES.map((file) => `/${file}`);
  for (const prefix of prefixes) {
    const former = from === null ? null : prefix + from;
    const next = to === null ? null : prefix + to;
    const chains = next === null ? [] : await chainsToReplace(transaction, former, next);
    obsolete.push(...chains.map(({ first }) => first));
    if (former === null) {
      const gone = chainsToRemovedList(chains);
      obsolete.push(...gone.map(({ last }) => last));
      regained.push(...gone.map(({ first, last }) => ({ from: last.from, to: first.from })));
      continue;
    }
    if (isTaken) continue;
    const ends = ["", ...files];
    redirects.push(
      ...ends.map((end) => ({ from: former + end, to: next === null ? null : next + end })),
    );
  }
  const usable = await usableRedirects(transaction, redirects);
  return { obsolete, redirects: [...usable, ...regained] };
}

/** The chains that end at the address of a removed list, which answers 410. */
function chainsToRemovedList(chains: readonly RedirectChain[]): RedirectChain[] {
  return chains.filter(({ first, last }) => last !== first && last.displacedId === null);
}

/**
 * The chains of redirects that would hide a list at `to`, its feeds or its calendar. The first
 * redirect of each chain must be removed. Throws if `to` has another use.
 */
async function chainsToReplace(
  transaction: ContentTransaction,
  formerList: string | null,
  to: string,
): Promise<RedirectChain[]> {
  const chains = await chainsToList(transaction, to, formerList);
  const returns = chains.some(({ first }) => first.from === to && first.displacedId === null);
  if (!returns) await requireFreePath(transaction, to, null);
  return chains;
}

async function usableRedirects(
  transaction: ContentTransaction,
  redirects: ListMovePlan["redirects"],
): Promise<ListMovePlan["redirects"]> {
  const usable: ListMovePlan["redirects"] = [];
  for (const redirect of redirects) {
    const isTaken =
      (await transaction.claim(redirect.from)) !== null ||
      (await transaction.redirectAt(redirect.from)) !== null;
    if (!isTaken) usable.push(redirect);
  }
  return usable;
}

/** Stores the planned changes. Call it after the types are saved. */
export async function applyListMoves(
  transaction: ContentTransaction,
  actor: Actor,
  { items, redirects, obsolete }: ListMovePlan,
  { now, requestId }: ChangeContext,
): Promise<void> {
  for (const redirect of obsolete) {
    const entry = auditEntryForChange("redirect.remove", redirect.from, { actor, now, requestId });
    await transaction.removeRedirect(redirect, entry);
  }
  for (let start = 0; start < items.length; start += BATCH_ITEMS) {
    const some = items.slice(start, start + BATCH_ITEMS);
    const paths = some.map(({ path }) => path);
    await transaction.batch({ sourceKeys: [], paths, targets: [], bodies: [] }, async (batch) => {
      for (const place of some) await moveItem(batch, actor, place, { now, requestId });
    });
  }
  for (const { from, to } of redirects) {
    const redirect = { from, to: to === null ? null : { path: to }, displacedId: null };
    await storeRedirectUnchecked(transaction, redirect, { actor, now, requestId });
  }
}

async function moveItem(
  transaction: ContentTransaction,
  actor: Actor,
  { id, path }: ItemPlace,
  { now, requestId }: ChangeContext,
): Promise<void> {
  const before = await transaction.item(id);
  if (before === null) return;
  const at = now.toISOString();
  const item = { ...before, path, updatedAt: at, revision: before.revision + 1 };
  const action = "content.update";
  await transaction.put(item, {
    before,
    at,
    actor: actorName(actor),
    action,
    requestId: requestId ?? null,
  });
}

/** A chain of redirects that ends with a 410 or at a list; `first` and `last` can be the same. */
interface RedirectChain {
  first: Redirect;
  last: Redirect;
}

/**
 * Finds the chains of redirects that start at the list at `from`, its feeds or its calendar. A
 * chain ends with a 410, or at the list, feed or calendar at `to`.
 */
async function chainsToList(
  content: ContentReader,
  from: string,
  to: string | null,
): Promise<RedirectChain[]> {
  const ends = ["", ...FOLLOWED_FILES.map((file) => `/${file}`)];
  const found = await Promise.all(
    ends.map(async (end) => {
      const first = await content.redirectAt(from + end);
      const last = await lastHop(content, first, to === null ? null : to + end);
      return first === null || last === null ? [] : [{ first, last }];
    }),
  );
  return found.flat();
}

/** The last redirect of a chain, if it answers 410 or redirects to `path`. */
async function lastHop(
  content: ContentReader,
  redirect: Redirect | null,
  path: string | null,
): Promise<Redirect | null> {
  let hop = redirect;
  for (let hops = 0; hop !== null && hops < HOPS_MAX; hops += 1) {
    if (hop.to === null) return hop;
    if (!("path" in hop.to)) return null;
    if (hop.to.path === path) return hop;
    hop = await content.redirectAt(hop.to.path);
  }
  return null;
}
