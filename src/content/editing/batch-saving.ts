import { type Actor, requireScope } from "../../access/actor.ts";
import type { ChangeContext } from "../../access/audit.ts";
import { AppError } from "../../errors.ts";
import { predictItemPath } from "../addresses/path-claims.ts";
import type { UnusableRedirectPolicy } from "../addresses/redirects.ts";
import type { ItemInput } from "../items/item.ts";
import type { BatchLookups, ContentRecord, ContentTransaction } from "../record.ts";
import type { ContentTypes } from "../types/content-type.ts";
import { type FindReferences, findAffectedReferences } from "./batch-references.ts";
import {
  addPendingLinks,
  type ItemWithPendingLinks,
  isSingleItemError,
  listLinkTargets,
  type PendingLinksOutcome,
  pickLinkInput,
} from "./completing-links.ts";
import { type SavedItem, saveItem } from "./editing.ts";
import { saveItemDeletedAtSource } from "./imported/saving-deleted.ts";
import {
  idOfItemMovedAway,
  type PreferredSide,
  type SavedImportedItem,
  saveImportedItem,
} from "./imported/saving-imports.ts";
import { withStatusToSave } from "./imported/status-to-save.ts";
import { ItemReferencedError } from "./reference-checks.ts";
import type { References } from "./references.ts";

/** A parsed item of a bulk load. */
export interface BatchItem<Place> {
  /** Position of the item in the load. Reports on the item include it. */
  place: Place;
  /** Null if parsing failed; the parser has reported why. */
  input: ItemInput | null;
  /** Whether the input specifies a status. If not, an existing item keeps its status. */
  hasStatus: boolean;
  /**
   * Whether the item must not become public. If true, the item's own status overrides the load's `status`
   * option.
   */
  isNotPublic?: boolean;
  /** Whether the item is deleted. If true, only its address is stored, and that address answers 410. */
  isDeleted?: boolean;
  /** When the item was last changed at its source; ISO 8601, UTC. See `SaveOptions`. */
  updatedAt?: string | undefined;
}

/** The outcome for an item of a load. */
export type ItemSaveOutcome<Place> = { place: Place } & (
  | (Omit<SavedItem, "missing"> &
      Partial<Pick<SavedImportedItem, "kept" | "replacesStarterPage">> & {
        waiting: readonly string[];
      })
  | { outcome: "failed"; error: AppError | null }
  | PendingLinksOutcome
);

export interface BatchSaveOptions extends ChangeContext {
  /** Overrides the status of each item that is not marked `isNotPublic`. */
  status?: "draft" | "published";
  /**
   * Returns the references to an item. An item with references can be neither withdrawn nor moved.
   * Absent: the caller accepts that links break.
   */
  referencesOf?: FindReferences;
  unusableRedirects?: UnusableRedirectPolicy;
  /**
   * Set for imports: each item is merged with the edits made on the site since its last import. Absent:
   * items are replaced.
   */
  merging?: { prefer: PreferredSide };
  /** Called between items to yield to the event loop. */
  yieldBetween?: () => Promise<void>;
  /**
   * Called before each batch; returns the actor with its current scopes. Throws to end the load. Absent: the
   * actor keeps its scopes.
   */
  revalidate?: (actor: Actor) => Promise<Actor>;
}

/**
 * Maximum number of links that wait for later items; limits memory to about 30 MB. Further links are added
 * only when the load is repeated.
 */
const WAITING_LINKS_MAX = 200_000;
/** Larger batches cost less per item, but other writers wait until a batch is saved. */
export const BATCH_ITEMS_MAX = 1000;
const BATCH_CHARACTERS_MAX = 4_000_000;

/**
 * Saves items in batches, each in a transaction of its own unless `record` already is a transaction. An
 * item that cannot be saved is reported and skipped. A link to a later item of the load is reported as
 * `waiting` and added at the end; the linking item is then reported a second time. Repeating an interrupted
 * load is idempotent if items have source keys: unchanged items are skipped.
 */
export async function* saveInBatches<Place>(
  record: ContentRecord,
  actor: Actor,
  batches: AsyncIterable<readonly BatchItem<Place>[]>,
  options: BatchSaveOptions,
): AsyncGenerator<ItemSaveOutcome<Place>[]> {
  requireScope(actor, "content:write");
  const current = async () => (await options.revalidate?.(actor)) ?? actor;
  const waiting = new Map<string, ItemWithPendingLinks<Place>>();
  let count = 0;
  for await (const batch of batches) {
    const reports = await saveBatch(record, await current(), batch, options);
    for (const [at, report] of [...reports.entries()]) {
      if (!("waiting" in report)) continue;
      const { place, item } = report;
      const { id, path } = item;
      // If an item occurs twice, only the links of its last occurrence are added.
      waiting.delete(id);
      if (report.waiting.length === 0) continue;
      count += report.waiting.length;
      const { input = null, updatedAt } = batch[at] ?? {};
      const links = pickLinkInput(input);
      if (count <= WAITING_LINKS_MAX) {
        waiting.set(id, { place, item: { id, path }, links, updatedAt });
      } else {
        reports.push({ place, outcome: "completed", item, changed: [], missing: report.waiting });
      }
    }
    yield reports;
  }
  for await (const batch of groupIntoBatches([...waiting.values()], () => 0)) {
    yield await addPendingLinks(record, await current(), batch, options);
  }
}

interface BatchOptions {
  /** Called before each batch; returns the maximum number of entries in the batch. */
  itemsMax?: (() => number) | undefined;
  /**
   * Called at the first entry of a batch. When the returned promise resolves, the batch is yielded even if it
   * is not full.
   */
  flushAfter?: (() => Promise<unknown>) | undefined;
}

/**
 * Groups entries into batches that are large enough for throughput and small enough to bound memory and the
 * waiting time of other writers.
 */
export async function* groupIntoBatches<Entry>(
  entries: AsyncIterable<Entry> | Iterable<Entry>,
  charactersOf: (entry: Entry) => number,
  { itemsMax = () => BATCH_ITEMS_MAX, flushAfter = () => new Promise(() => {}) }: BatchOptions = {},
): AsyncGenerator<Entry[]> {
  const source = iterate(entries);
  let max = itemsMax();
  let batch: Entry[] = [];
  let characters = 0;
  let flush: Promise<null> | null = null;
  let pending: Promise<IteratorResult<Entry>> | null = null;
  for (;;) {
    pending ??= source.next();
    const next = await (flush === null ? pending : Promise.race([pending, flush]));
    if (next !== null) {
      pending = null;
      if (next.done === true) break;
      batch.push(next.value);
      characters += charactersOf(next.value);
      flush ??= flushAfter().then(() => null);
      if (batch.length < max && characters < BATCH_CHARACTERS_MAX) continue;
    }
    yield batch;
    max = itemsMax();
    batch = [];
    characters = 0;
    flush = null;
  }
  if (batch.length > 0) yield batch;
}

async function* iterate<Entry>(
  entries: AsyncIterable<Entry> | Iterable<Entry>,
): AsyncGenerator<Entry> {
  yield* entries;
}

async function saveBatch<Place>(
  record: ContentRecord,
  actor: Actor,
  batch: readonly BatchItem<Place>[],
  options: BatchSaveOptions,
): Promise<ItemSaveOutcome<Place>[]> {
  const references = await findAffectedReferences(record, batch, options);
  return await record.write(async (transaction) => {
    const types = await transaction.types();
    const inputs = batch.flatMap(({ input }) => (input === null ? [] : [input]));
    return await transaction.batch(lookupsOf(inputs, types), async (batchTransaction) => {
      const reports: ItemSaveOutcome<Place>[] = [];
      for (const loaded of batch) {
        const withReferences = { ...options, references };
        reports.push(await saveOne(batchTransaction, actor, loaded, withReferences));
        await options.yieldBetween?.();
      }
      return reports;
    });
  });
}

async function saveOne<Place>(
  transaction: ContentTransaction,
  actor: Actor,
  loaded: BatchItem<Place>,
  {
    now,
    status,
    requestId,
    references,
    merging,
    unusableRedirects = "refuse",
  }: BatchSaveOptions & { references: ReadonlyMap<ItemInput, References> },
): Promise<ItemSaveOutcome<Place>> {
  const { place, updatedAt } = loaded;
  if (loaded.input === null) return { place, outcome: "failed", error: null };
  try {
    const change = {
      unusableRedirects,
      updatedAt,
      ...(requestId === undefined ? {} : { requestId }),
    };
    if (loaded.isDeleted === true) {
      const saved = await saveItemDeletedAtSource(transaction, actor, loaded.input, {
        ...change,
        now,
      });
      return { place, ...saved, waiting: [] };
    }
    const id = merging === undefined ? null : await idOfItemMovedAway(transaction, loaded.input);
    const input = await withStatusToSave(transaction, loaded.input, {
      ...loaded,
      status,
      movedId: id,
    });
    const saveOptions = {
      ...change,
      ...(id === null ? {} : { id }),
      missingTargets: "leave_out" as const,
      references: references.get(loaded.input) ?? null,
    };
    const { missing, ...saved } =
      merging === undefined
        ? await saveItem(transaction, actor, input, now, saveOptions)
        : await saveImportedItem(transaction, actor, input, { ...saveOptions, ...merging, now });
    return { place, ...saved, waiting: missing };
  } catch (error) {
    if (!(error instanceof AppError) || !isSingleItemError(error)) throw error;
    return { place, outcome: "failed", error: withoutReferences(error) };
  }
}

/**
 * Removes the problems of a `ItemReferencedError`, because the problems concern items other than the saved item.
 * The message still names the other items.
 */
function withoutReferences(error: AppError): AppError {
  if (!(error instanceof ItemReferencedError)) return error;
  return new AppError(error.code, error.wording, { cause: error });
}

function lookupsOf(inputs: readonly ItemInput[], types: ContentTypes): BatchLookups {
  return {
    sourceKeys: inputs.flatMap(({ sourceKey }) =>
      sourceKey === undefined ? [] : [sourceKey.normalize("NFC")],
    ),
    paths: inputs.flatMap((input) => predictItemPath(input, types) ?? []),
    targets: inputs.flatMap(listLinkTargets),
    bodies: inputs.map(({ body }) => body),
  };
}
