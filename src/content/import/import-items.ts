import type { Actor } from "../../access/actor.ts";
import { AppError } from "../../errors.ts";
import { type SavedItem, saveItem } from "../editing.ts";
import type { Item, ItemInput } from "../item.ts";
import type { ContentReader, ContentRecord } from "../record.ts";
import type { ImportProblem, ParsedItem } from "./parsed-item.ts";

/** A problem of an import with the file it stands in. */
export interface FiledProblem extends ImportProblem {
  file: string;
}

export interface ImportCounts {
  created: number;
  updated: number;
  unchanged: number;
  failed: number;
}

export interface ImportOptions {
  now: Date;
  /** Instead of the status each item states. */
  status?: "draft" | "published";
  onProblem: (problem: FiledProblem) => void;
  /** After every batch, with the number of items read so far. */
  onProgress?: (items: number) => void;
}

/** Large enough to be fast, small enough that other writers never wait long. */
const BATCH_ITEMS = 200;

/**
 * Saves items as they are read, in batches of one transaction each. An item that cannot be saved is
 * told and changes nothing; the others stay. Links to items that come later are made by reading the
 * source a second time; of links to items nobody knows the item is kept without, and they are told.
 */
export async function importItems(
  record: ContentRecord,
  actor: Actor,
  read: () => AsyncIterable<ParsedItem>,
  options: ImportOptions,
): Promise<ImportCounts> {
  const counts: ImportCounts = { created: 0, updated: 0, unchanged: 0, failed: 0 };
  const incomplete = new Set<number>();
  let position = 0;
  for await (const batch of batches(read())) {
    await record.write(async (part) => {
      for (const parsed of batch) {
        for (const problem of parsed.problems) options.onProblem({ ...problem, file: parsed.file });
        const saved = await savedOrTold(part, actor, parsed, options);
        counts[saved?.outcome ?? "failed"] += 1;
        if (saved !== null && saved.missing.length > 0) incomplete.add(position);
        position += 1;
      }
    });
    options.onProgress?.(position);
  }
  if (incomplete.size > 0) await completeLinks(record, actor, { read, incomplete, options });
  return counts;
}

/** Saves once more the items that named others before those were there. */
async function completeLinks(
  record: ContentRecord,
  actor: Actor,
  {
    read,
    incomplete,
    options,
  }: { read: () => AsyncIterable<ParsedItem>; incomplete: Set<number>; options: ImportOptions },
): Promise<void> {
  for await (const batch of batches(atPositions(read(), incomplete))) {
    await record.write(async (part) => {
      for (const parsed of batch) {
        const saved = await savedOrTold(part, actor, parsed, options);
        for (const name of saved?.missing ?? []) tellMissing(name, parsed, options);
      }
    });
  }
}

async function savedOrTold(
  record: ContentRecord,
  actor: Actor,
  parsed: ParsedItem,
  options: ImportOptions,
): Promise<SavedItem | null> {
  if (parsed.input === null) return null;
  try {
    const input = await withStatus(record, parsed.input, { parsed, status: options.status });
    return await saveItem(record, actor, input, options.now, { missingTargets: "leave_out" });
  } catch (error) {
    if (!(error instanceof AppError) || !isAboutOneItem(error)) throw error;
    tellRefused(error, parsed, options);
    return null;
  }
}

function isAboutOneItem({ code }: AppError): boolean {
  return code === "invalid" || code === "conflict";
}

/** An item whose author does not say what status it has keeps the one it has. */
async function withStatus(
  record: ContentReader,
  input: ItemInput,
  { parsed, status }: { parsed: ParsedItem; status: ImportOptions["status"] },
): Promise<ItemInput> {
  if (status !== undefined) {
    const { publishAt: _overruled, ...rest } = input;
    return { ...rest, status };
  }
  if (parsed.statesStatus) return input;
  const before = await existing(record, input);
  if (before === null || before.status === "deleted") return input;
  const { publishAt } = before;
  return { ...input, status: before.status, ...(publishAt === null ? {} : { publishAt }) };
}

async function existing(record: ContentReader, input: ItemInput): Promise<Item | null> {
  const bySource = input.sourceKey === undefined ? null : await record.itemFrom(input.sourceKey);
  if (bySource !== null || input.path === undefined) return bySource;
  const byPath = await record.itemAt(input.path);
  return byPath?.path === input.path ? byPath : null;
}

function tellRefused(error: AppError, parsed: ParsedItem, { onProblem }: ImportOptions): void {
  const { file } = parsed;
  if (error.problems.length === 0) {
    onProblem({ file, ...parsed.placeOf(""), message: error.message, severity: "error" });
  }
  for (const { where, message } of error.problems) {
    onProblem({ file, ...parsed.placeOf(where), message, severity: "error" });
  }
}

function tellMissing(name: string, parsed: ParsedItem, { onProblem }: ImportOptions): void {
  const { file } = parsed;
  const where = placeOfLink(parsed.input?.relations ?? {}, name);
  const message = `there is no item "${name}"; the link is left out`;
  onProblem({ file, ...parsed.placeOf(where), message, severity: "error" });
}

function placeOfLink(relations: ItemInput["relations"], name: string): string {
  const [relation] =
    Object.entries(relations).find(([, links]) =>
      links.some((link) => (typeof link === "string" ? link : link.to) === name),
    ) ?? [];
  return relation === undefined ? "relations" : `relations.${relation}`;
}

async function* batches(items: AsyncIterable<ParsedItem>): AsyncGenerator<ParsedItem[]> {
  let batch: ParsedItem[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < BATCH_ITEMS) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

async function* atPositions(
  items: AsyncIterable<ParsedItem>,
  positions: ReadonlySet<number>,
): AsyncGenerator<ParsedItem> {
  let position = 0;
  for await (const item of items) {
    if (positions.has(position)) yield item;
    position += 1;
  }
}
