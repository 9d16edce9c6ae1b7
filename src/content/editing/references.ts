import { type Actor, requireScope } from "../../access/actor.ts";
import { AppError, type Problem, type Wording } from "../../errors.ts";
import type { DeskIndex } from "../desk/desk-queries.ts";
import { type Item, type ItemOutline, STATUSES, type Status } from "../items/item.ts";
import type { MergePatch } from "../items/merge-patch.ts";
import type { ContentReader } from "../record.ts";
import { NAVIGATION_FIELD } from "../site/navigation-order.ts";
import type { ContentDesk } from "./desk.ts";
import { existingItem } from "./item-to-change.ts";

const TEXT_LINK: Wording = { en: "links to it in its text", de: "verlinkt sie im Text" };

const NAMED_MAX = 5;
const WITHDRAWN_STATUSES: readonly Status[] = ["draft", "archived", "deleted"];

export interface ReferenceStores {
  content: ContentReader;
  desk: ContentDesk;
  deskIndex: DeskIndex;
}

/** Items that point to an item, in any status but `deleted`. */
export interface Referrers {
  total: number;
  /** The first referrers, up to the limit of the query. */
  items: readonly ItemOutline[];
}

/** What points to an item. */
export interface References {
  /** Items with a relation to it, grouped by relation. */
  relations: readonly ({ relation: string } & Referrers)[];
  /** Items that link to one of its addresses in their texts or drafts. */
  texts: Referrers;
  /** Former paths and addresses of a former site that lead to it. */
  addresses: readonly string[];
  /** Whether the navigation of the site contains it. */
  isInNavigation: boolean;
  /** The total of `relations` and `texts`; addresses are not counted. */
  total: number;
  /** False if links in recently saved texts may be missing. */
  isCurrent: boolean;
}

/** Reports that other items point to an item. The problems concern those items, not the input. */
export class ReferencedError extends AppError {
  constructor(wording: Wording, problems: readonly Problem[]) {
    super("conflict", wording, { problems });
  }
}

/**
 * Finds what points to an item: relations, links in texts and drafts, the navigation, other addresses.
 *
 * @param limit the maximum number of items of each kind.
 * @throws {AppError} `not_found`; `unavailable` while the desk's index is built.
 */
export async function referencesTo(
  stores: ReferenceStores,
  actor: Actor,
  id: string,
  { limit }: { limit: number },
): Promise<References> {
  requireScope(actor, "content:read");
  return await readReferences(stores, id, limit);
}

/** What points to each of these items; unknown ids are left out. @throws {AppError} `unavailable`. */
export async function referencesOfEach(
  stores: ReferenceStores,
  actor: Actor,
  ids: readonly string[],
): Promise<ReadonlyMap<string, References>> {
  requireScope(actor, "content:write");
  const found = new Map<string, References>();
  for (const id of (await stores.desk.outlines(ids)).keys()) {
    found.set(id, await readReferences(stores, id, NAMED_MAX));
  }
  return found;
}

/**
 * As {@link referencesTo}, without a permission check: anyone who withdraws an item may see what points
 * to it.
 */
export async function readReferences(
  { content, desk, deskIndex }: ReferenceStores,
  id: string,
  limit: number,
): Promise<References> {
  const item = await existingItem(content, id);
  const addresses = (await desk.pathsTo(id)).map(({ path }) => path);
  const relations = await Promise.all(
    (await desk.incoming(id)).map(async ({ relation }) => ({
      relation,
      ...(await relationReferrers(desk, { id, relation, limit })),
    })),
  );
  const { ids, isCurrent } = await deskIndex.linking([item.path, ...addresses]);
  const texts = await textReferrers(
    desk,
    ids.filter((other) => other !== id),
    limit,
  );
  const isInNavigation = item.fields[NAVIGATION_FIELD] !== undefined && item.path !== "/";
  const total = relations.reduce((sum, each) => sum + each.total, texts.total);
  return { relations, texts, addresses, isInNavigation, total, isCurrent };
}

/**
 * Refuses to withdraw an item that others point to.
 *
 * @throws {ReferencedError} naming the first of these items.
 */
export function requireUnreferenced(
  { relations, texts, total }: References,
  { path }: { path: string },
): void {
  if (total === 0) return;
  const problems = [
    ...relations.flatMap(({ relation, items }) =>
      items.map((item) => ({
        where: item.path,
        message: { en: `states it as ${relation}`, de: `ist damit verknüpft (${relation})` },
      })),
    ),
    ...texts.items.map((item) => ({ where: item.path, message: TEXT_LINK })),
  ];
  const namedPaths = problems.slice(0, NAMED_MAX).map(({ where }) => where);
  const more = andOthers(total, namedPaths);
  throw new ReferencedError(
    {
      en: `Cannot withdraw "${path}": ${namedPaths.join(", ")}${more.en} point to it. Change them, or repeat with references=keep`,
      de: `„${path}“ lässt sich so nicht zurückziehen: ${namedPaths.join(", ")}${more.de} verweisen darauf. Ändern Sie diese Stellen zuerst, oder bestätigen Sie, dass die Verweise bleiben sollen`,
    },
    problems.slice(0, NAMED_MAX),
  );
}

/**
 * Whether a change may remove the item from its address, so that references to it must be looked up.
 */
export function mayLeaveAddress(
  { status, path }: Pick<Item, "status" | "path">,
  patch: MergePatch,
): boolean {
  if (status === "deleted") return false;
  const [toStatus, toPath] = [patch["status"] ?? status, patch["path"] ?? path];
  return toStatus !== status || toPath !== path || "slug" in patch;
}

/**
 * Refuses to withdraw an item that others point to, or to change its address while texts link to the
 * current one. Relations follow an item to its new address.
 *
 * @param references null or undefined if the caller accepts that links break.
 * @throws {ReferencedError} naming the first references.
 */
export function requireKnownReferences(
  references: References | null | undefined,
  before: Pick<Item, "status" | "path"> | null,
  after: Pick<Item, "status" | "path">,
): void {
  if (references == null || before === null || before.status === "deleted") return;
  const isWithdrawn = after.status !== before.status && WITHDRAWN_STATUSES.includes(after.status);
  if (isWithdrawn) requireUnreferenced(references, before);
  if (after.path === before.path || references.texts.total === 0) return;
  const { items, total } = references.texts;
  const namedPaths = items.slice(0, NAMED_MAX).map(({ path }) => path);
  const more = andOthers(total, namedPaths);
  throw new ReferencedError(
    {
      en: `Cannot move "${before.path}": the texts of ${namedPaths.join(", ")}${more.en} link to it. Change them, or repeat with references=keep`,
      de: `Die Adresse „${before.path}“ lässt sich so nicht ändern: Texte in ${namedPaths.join(", ")}${more.de} verlinken sie. Ändern Sie diese Stellen zuerst, oder bestätigen Sie, dass die Links bleiben sollen`,
    },
    namedPaths.map((where) => ({ where, message: TEXT_LINK })),
  );
}

function andOthers(total: number, named: readonly string[]): Wording {
  const count = total - named.length;
  return count > 0 ? { en: ` and ${count} more`, de: ` und ${count} weitere` } : { en: "", de: "" };
}

async function relationReferrers(
  desk: ContentDesk,
  { id, relation, limit }: { id: string; relation: string; limit: number },
): Promise<Referrers> {
  const { items, total } = await desk.list({
    types: [],
    statuses: STATUSES.filter((status) => status !== "deleted"),
    relatedTo: id,
    relation,
    sort: "updated",
    descending: true,
    limit,
  });
  return { items, total };
}

async function textReferrers(
  desk: ContentDesk,
  ids: readonly string[],
  limit: number,
): Promise<Referrers> {
  const outlines = await desk.outlines(ids);
  const items = ids.flatMap((id) => outlines.get(id) ?? []);
  const existing = items.filter(({ status }) => status !== "deleted");
  return { total: existing.length, items: existing.slice(0, limit) };
}
