import type { Actor } from "../../access/actor.ts";
import type { ChangeContext } from "../../access/audit.ts";
import { AppError } from "../../errors.ts";
import type { Item, ItemInput } from "../items/item.ts";
import { targetNameOf } from "../items/link-targets.ts";
import type { ContentRecord, ContentTransaction } from "../record.ts";
import { changeItem, type SavedItem, type SaveOptions } from "./editing.ts";
import { type PreferredSide, saveImportedLinks } from "./imported/saving-imports.ts";

export type LinkInput = Pick<ItemInput, "relations"> & { translationOf?: string };

/** A saved item that still lacks its links to items that come later in the same bulk save. */
export interface ItemWithPendingLinks<Place> {
  place: Place;
  item: Pick<Item, "id" | "path">;
  links: LinkInput;
  /** When the item was last changed at its source; ISO 8601, UTC. See `SaveOptions`. */
  updatedAt?: string | undefined;
}

interface CompletingOptions extends ChangeContext {
  /** Set for imports; see `SavingOptions.merging`. */
  merging?: { prefer: PreferredSide };
  yieldBetween?: () => Promise<void>;
}

/** The second report on an item. It says whether the item's links to later items of the load were added. */
export type PendingLinksOutcome =
  | (Pick<SavedItem, "item" | "changed" | "missing"> & { outcome: "completed" })
  /** The item was saved, but its links could not be. */
  | { outcome: "incomplete"; item: Pick<Item, "id" | "path">; error: AppError };

/** Adds, in one transaction, the links whose target items came later in the load. */
export async function addPendingLinks<Place>(
  record: ContentRecord,
  actor: Actor,
  waiting: readonly ItemWithPendingLinks<Place>[],
  { now, requestId, merging, yieldBetween }: CompletingOptions,
): Promise<(PendingLinksOutcome & { place: Place })[]> {
  const targets = waiting.flatMap(({ links }) => listLinkTargets(links));
  const options = {
    now,
    missingTargets: "leave_out" as const,
    ...(requestId === undefined ? {} : { requestId }),
    ...(merging === undefined ? {} : { merging }),
  };
  return await record.write((transaction) =>
    transaction.batch(
      { sourceKeys: [], paths: [], targets, bodies: [] },
      async (batchTransaction) => {
        const reports: (PendingLinksOutcome & { place: Place })[] = [];
        for (const { place, item, links, updatedAt } of waiting) {
          try {
            const change = { ...options, updatedAt };
            const saved = await saveLinks(batchTransaction, actor, { id: item.id, links }, change);
            const { changed, missing } = saved;
            reports.push({ place, outcome: "completed", item: saved.item, changed, missing });
          } catch (error) {
            if (!(error instanceof AppError) || !isSingleItemError(error)) throw error;
            reports.push({ place, outcome: "incomplete", item, error });
          }
          await yieldBetween?.();
        }
        return reports;
      },
    ),
  );
}

async function saveLinks(
  transaction: ContentTransaction,
  actor: Actor,
  { id, links }: { id: string; links: LinkInput },
  { merging, ...options }: CompletingOptions & Pick<SaveOptions, "missingTargets" | "updatedAt">,
): Promise<SavedItem> {
  if (merging === undefined) {
    return await changeItem(transaction, actor, id, { ...options, patch: { ...links } });
  }
  return await saveImportedLinks(transaction, actor, { id, links }, { ...options, ...merging });
}

export function isSingleItemError({ code }: AppError): boolean {
  return code === "invalid" || code === "conflict" || code === "forbidden";
}

export function pickLinkInput(input: LinkInput | null): LinkInput {
  if (input === null) return { relations: {} };
  const { relations, translationOf } = input;
  return { relations, ...(translationOf === undefined ? {} : { translationOf }) };
}

export function listLinkTargets({ relations, translationOf }: LinkInput): string[] {
  const names = Object.values(relations).flatMap((links) => links.map(targetNameOf));
  return translationOf === undefined ? names : [...names, translationOf.normalize("NFC")];
}

/**
 * Returns the name of the input's property, such as `relations.topics`, that refers to another item as
 * `name`.
 */
export function propertyReferringTo({ relations, translationOf }: LinkInput, name: string): string {
  if (translationOf?.normalize("NFC") === name) return "translationOf";
  const [relation] =
    Object.entries(relations).find(([, links]) =>
      links.some((link) => targetNameOf(link) === name),
    ) ?? [];
  return relation === undefined ? "relations" : `relations.${relation}`;
}
