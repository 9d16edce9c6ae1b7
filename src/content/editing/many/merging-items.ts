import { type Actor, requireScope } from "../../../access/actor.ts";
import type { ChangeContext } from "../../../access/audit.ts";
import { AppError, type Wording } from "../../../errors.ts";
import type { RedirectChangeContext } from "../../addresses/redirect-change-context.ts";
import type { DraftStore } from "../../drafts/draft.ts";
import { type Item, type Link, STATUSES } from "../../items/item.ts";
import type { ContentRecord, ContentTransaction } from "../../record.ts";
import type { ContentType } from "../../types/content-type.ts";
import type { ContentDesk } from "../desk.ts";
import { changeItem } from "../editing.ts";
import { requireExistingItem } from "../item-to-change.ts";
import { deleteAndLeadAddresses } from "../leading-addresses.ts";

/** Maximum number of links that one merge can redirect to the remaining item. */
const MOVED_LINKS_MAX = 2000;

interface MergeStores {
  content: ContentRecord;
  desk: ContentDesk;
  drafts: Pick<DraftStore, "ofItem">;
}

interface MergeOptions extends RedirectChangeContext {
  isDryRun: boolean;
}

export interface MergeReport {
  /** Number of items whose links now lead to `into`; an item counts once for each relation. */
  moved: number;
  /** Addresses that now lead to `into`. */
  addresses: readonly string[];
  /** All aliases of `into` after the merge; empty if its type has none. */
  aliases: readonly string[];
}

/**
 * Merges the item `from` into the item `into`, of the same type, in one transaction. Incoming links,
 * addresses, own links and names of `from` move to `into`, and `from` is deleted. The texts of `into` are
 * unchanged. A dry run only reports.
 *
 * @throws {AppError} `conflict` if the items cannot be merged, with a message that names the remedy;
 * `not_found`.
 */
export async function mergeItems(
  { content, desk, drafts }: MergeStores,
  actor: Actor,
  { from: fromId, into: intoId }: { from: string; into: string },
  { isDryRun, ...options }: MergeOptions,
): Promise<MergeReport> {
  requireScope(actor, "content:publish");
  requireScope(actor, "content:write");
  return await content.write(async (transaction) => {
    const from = await requireExistingItem(transaction, fromId);
    const into = await requireExistingItem(transaction, intoId);
    requireMergeable(from, into);
    await requireNoDependents(transaction, drafts, from);
    const linkSources = await incomingLinks(desk, from);
    const paths = await desk.pathsTo(from.id);
    const type = (await transaction.types()).get(into.type);
    const aliases = type === undefined ? null : aliasesAfter(type, from, into);
    const addresses = [from.path, ...paths.map(({ path }) => path)];
    const report = { moved: linkSources.length, addresses, aliases: aliases ?? [] };
    if (isDryRun) return report;
    const { now, requestId } = options;
    const change = { now, ...(requestId === undefined ? {} : { requestId }) };
    for (const { id, relation } of linkSources) {
      const { relations } = await requireExistingItem(transaction, id);
      const links = movedLinks(relations[relation] ?? [], {
        from: fromId,
        into: intoId,
        ownId: id,
      });
      await changeItem(transaction, actor, id, {
        patch: { relations: { [relation]: links } },
        ...change,
      });
    }
    await addLinksAndAliases(transaction, actor, { from, into, type, aliases }, change);
    const led = { id: from.id, paths, to: intoId };
    await deleteAndLeadAddresses(transaction, desk, actor, led, options);
    return report;
  });
}

function requireMergeable(from: Item, into: Item): void {
  const faults: [boolean, Wording][] = [
    [from.id === into.id, { en: "it is the same item", de: "Es ist derselbe Inhalt" }],
    [
      from.type !== into.type,
      {
        en: `it is a ${from.type}, the other a ${into.type}`,
        de: `Er ist vom Typ ${from.type}, der andere vom Typ ${into.type}`,
      },
    ],
    [from.status === "deleted", { en: "it was deleted", de: "Er ist gelöscht" }],
    [
      into.status === "deleted",
      { en: `"${into.path}" was deleted`, de: `„${into.path}“ ist gelöscht` },
    ],
    [
      from.status === "published" && into.status !== "published",
      {
        en: `it is public and "${into.path}" is not; publish that first`,
        de: `Die Seite ist öffentlich und „${into.path}“ nicht: Veröffentlichen Sie diese zuerst`,
      },
    ],
  ];
  const fault = faults.find(([isFault]) => isFault)?.[1];
  if (fault !== undefined) throw mergeError(from, fault);
}

async function requireNoDependents(
  transaction: ContentTransaction,
  drafts: Pick<DraftStore, "ofItem">,
  from: Item,
): Promise<void> {
  if ((await drafts.ofItem(from.id)) !== null) {
    throw mergeError(from, {
      en: "it has a draft; publish or discard that first",
      de: "Es gibt einen Entwurf dazu: Veröffentlichen oder verwerfen Sie ihn zuerst",
    });
  }
  const others = await transaction.translations(from.id, from.id);
  if (from.translationOf === null && others.length > 0) {
    throw mergeError(from, {
      en: "other items are its translations; part them first",
      de: "Andere Inhalte sind Übersetzungen davon: Lösen Sie diese zuerst",
    });
  }
}

async function incomingLinks(
  desk: ContentDesk,
  from: Item,
): Promise<{ id: string; relation: string }[]> {
  const incoming = await desk.incoming(from.id);
  const total = incoming.reduce((sum, each) => sum + each.total, 0);
  if (total > MOVED_LINKS_MAX) {
    throw mergeError(from, {
      en: `${total} items link to it; link them to the other item in parts first, at most ${MOVED_LINKS_MAX} may be left`,
      de: `${total} Inhalte sind damit verknüpft: Verknüpfen Sie sie zuerst in Teilen mit dem anderen, höchstens ${MOVED_LINKS_MAX} dürfen übrig bleiben`,
    });
  }
  const found: { id: string; relation: string }[] = [];
  for (const { relation } of incoming) {
    const { items } = await desk.list({
      types: [],
      statuses: STATUSES.filter((status) => status !== "deleted"),
      relatedTo: from.id,
      relation,
      sort: "created",
      descending: false,
      limit: MOVED_LINKS_MAX,
    });
    for (const { id } of items) found.push({ id, relation });
  }
  return found;
}

/**
 * Returns `links` with `into` in place of `from`, in the same order. Leaves out duplicates, and links from
 * an item to itself.
 */
function movedLinks(
  links: readonly Link[],
  { from, into, ownId }: { from: string; into: string; ownId: string },
): Link[] {
  const moved = links.map((link) => (link.to === from ? { ...link, to: into } : link));
  return moved.filter(
    ({ to }, index) => to !== ownId && moved.findIndex((other) => other.to === to) === index,
  );
}

/** The aliases of `into` after the merge; null if the type has no aliases. */
function aliasesAfter(type: ContentType, from: Item, into: Item): string[] | null {
  if (type.fields["aliases"]?.kind !== "text_list") return null;
  const names = [into.fields["aliases"] ?? [], from.title, from.fields["aliases"] ?? []].flat();
  const others = names.filter((name) => typeof name === "string" && name !== into.title);
  return [...new Set(others.map(String))];
}

async function addLinksAndAliases(
  transaction: ContentTransaction,
  actor: Actor,
  {
    from,
    into,
    type,
    aliases,
  }: { from: Item; into: Item; type: ContentType | undefined; aliases: string[] | null },
  change: ChangeContext,
): Promise<void> {
  const current = await requireExistingItem(transaction, into.id);
  const relations = Object.entries(type?.relations ?? {}).flatMap(([name, { many }]) => {
    const ownLinks = current.relations[name] ?? [];
    const links = movedLinks([...ownLinks, ...(from.relations[name] ?? [])], {
      from: from.id,
      into: into.id,
      ownId: into.id,
    });
    const isMore = links.length > ownLinks.length && (many || ownLinks.length === 0);
    return isMore ? [[name, links] as const] : [];
  });
  const patch = {
    ...(relations.length === 0 ? {} : { relations: Object.fromEntries(relations) }),
    ...(aliases === null ? {} : { fields: { aliases } }),
  };
  if (Object.keys(patch).length > 0) {
    await changeItem(transaction, actor, into.id, { patch, ...change });
  }
}

function mergeError(from: Item, reason: Wording): AppError {
  return new AppError("conflict", {
    en: `Cannot merge "${from.path}": ${reason.en}`,
    de: `„${from.path}“ lässt sich nicht zusammenführen: ${reason.de}`,
  });
}
