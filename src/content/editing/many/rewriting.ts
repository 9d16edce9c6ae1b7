import type { Actor } from "../../../access/actor.ts";
import type { ChangeContext } from "../../../access/audit.ts";
import type { Item } from "../../items/item.ts";
import type { ContentRecord } from "../../record.ts";
import type { ContentType, FieldKind, FieldValue } from "../../types/content-type.ts";
import { changeItem } from "../editing.ts";

/** Number of characters that an excerpt shows on each side of an occurrence. */
const EXCERPT_SIDE_CHARACTERS = 60;

/** A pattern to find in the texts of items, and its replacement. */
export interface PatternReplacement {
  /** Must have the `g` flag. */
  find: RegExp;
  replace: string;
  /** The kinds of fields to search in addition to titles, summaries and bodies. */
  kinds: readonly FieldKind[];
}

export interface RewrittenItem {
  id: string;
  path: string;
  title: string;
  /** Number of occurrences. */
  places: number;
  /** The first occurrence. */
  excerpt: ReplacementExcerpt;
}

/** An occurrence of the text to replace, and the text around it. */
export interface ReplacementExcerpt {
  before: string;
  found: string;
  replacement: string;
  after: string;
}

/** Returns the text of an excerpt after the replacement. */
export function applyReplacementToExcerpt({
  before,
  replacement,
  after,
}: ReplacementExcerpt): string {
  return `${before}${replacement}${after}`;
}

/**
 * Rewrites the texts of items in one transaction. Each changed item gets a revision and an audit entry;
 * items that are unknown, deleted or without a match are skipped. A dry run only reports.
 *
 * @throws {AppError} as `changeItem`; nothing is changed then.
 */
export async function rewriteItems(
  record: ContentRecord,
  actor: Actor,
  { ids, ...rewriting }: PatternReplacement & { ids: readonly string[] },
  { isDryRun, ...options }: { isDryRun: boolean } & ChangeContext,
): Promise<RewrittenItem[]> {
  return await record.write(async (transaction) => {
    const types = await transaction.types();
    const rewritten: RewrittenItem[] = [];
    for (const id of ids) {
      const item = await transaction.item(id);
      const type = types.get(item?.type ?? "");
      if (item === null || type === undefined || item.status === "deleted") continue;
      const found = rewriteItem(item, type, rewriting);
      if (found === null) continue;
      const { patch, ...report } = found;
      if (!isDryRun) await changeItem(transaction, actor, id, { patch, ...options });
      rewritten.push({ id, path: item.path, title: item.title, ...report });
    }
    return rewritten;
  });
}

function rewriteItem(item: Item, type: ContentType, { find, replace, kinds }: PatternReplacement) {
  let places = 0;
  let excerpt: ReplacementExcerpt | null = null;
  const rewrite = (text: string) => {
    const [before = "", ...rest] = text.split(find);
    places += rest.length;
    if (rest.length > 0) {
      excerpt ??= {
        before: before.slice(-EXCERPT_SIDE_CHARACTERS),
        found: text.match(find)?.[0] ?? "",
        replacement: replace,
        after: rest[0]?.slice(0, EXCERPT_SIDE_CHARACTERS) ?? "",
      };
    }
    return [before, ...rest].join(replace);
  };
  const patch: Record<string, unknown> = {};
  for (const part of ["title", "summary", "body"] as const) {
    const text = rewrite(item[part]);
    if (text !== item[part]) patch[part] = text;
  }
  const fields: Record<string, FieldValue> = {};
  for (const [name, { kind }] of Object.entries(type.fields)) {
    const value = item.fields[name];
    if (value === undefined || !kinds.includes(kind)) continue;
    const before = places;
    const after = rewrittenValue(value, rewrite);
    if (places > before) fields[name] = after;
  }
  if (Object.keys(fields).length > 0) patch["fields"] = fields;
  return excerpt === null ? null : { patch, places, excerpt };
}

function rewrittenValue(value: FieldValue, rewrite: (text: string) => string): FieldValue {
  if (typeof value === "string") return rewrite(value);
  return Array.isArray(value) ? value.map(rewrite) : value;
}
