import { type Actor, requireScope } from "../../../access/actor.ts";
import type { ChangeContext } from "../../../access/audit.ts";
import { fieldError } from "../../../errors.ts";
import { isInUnspacedScript } from "../../../search/language/words.ts";
import type { DeskIndex } from "../../desk/desk-queries.ts";
import { STATUSES } from "../../items/item.ts";
import type { ContentRecord } from "../../record.ts";
import type { FieldKind } from "../../types/content-type.ts";
import { type RewrittenItem, rewriteItems } from "./rewriting.ts";

const REPLACED_ITEMS_MAX = 200;

export interface TextReplacement {
  /** Case-sensitive, and matched only as whole words: "car" does not match "carpet". */
  find: string;
  replace: string;
  /** Types to search; empty: all types. */
  types: readonly string[];
}

/** Searches the editors' index for items that may contain the text `find`; returns their ids. */
export async function findReplacementCandidates(
  index: DeskIndex,
  { find, types }: TextReplacement,
): Promise<{ ids: string[]; hasMore: boolean }> {
  const words = find.replaceAll(/[^\p{L}\p{N}]+/gu, " ").trim();
  if (words === "")
    throw fieldError("find", { en: "must contain a word", de: "braucht mindestens ein Wort" });
  const { hits, hasMore } = await index.search({
    text: `"${words}"`,
    types,
    statuses: STATUSES.filter((status) => status !== "deleted"),
    filters: [],
    limit: REPLACED_ITEMS_MAX,
    offset: 0,
  });
  return { ids: hits.flatMap(({ id, isNew }) => (isNew ? [] : [id])), hasMore };
}

/**
 * Replaces a text in titles, summaries, bodies and text fields, in one transaction. Addresses and
 * drafts are unchanged. A dry run only reports.
 *
 * @param ids from {@link findReplacementCandidates}; items that no longer contain the text are skipped.
 * @throws {AppError} as `changeItem`; nothing is changed then.
 */
export async function replaceTextInItems(
  record: ContentRecord,
  actor: Actor,
  replacement: TextReplacement & {
    ids: readonly string[];
    /** Kinds of fields to search besides text and Markdown fields. */
    alsoIn?: readonly FieldKind[];
  },
  options: { isDryRun: boolean } & ChangeContext,
): Promise<RewrittenItem[]> {
  requireScope(actor, "content:write");
  if (replacement.find === replacement.replace)
    throw fieldError("replace", { en: "is the same as find", de: "ist dasselbe wie das Gesuchte" });
  const find = wholeWords(replacement.find);
  const rewriting = {
    ...replacement,
    find,
    kinds: ["text", "markdown", ...(replacement.alsoIn ?? [])] as const,
  };
  return await rewriteItems(record, actor, rewriting, options);
}

/** Matches a text only as whole words. In scripts without spaces, the text matches anywhere. */
function wholeWords(text: string): RegExp {
  const first = text.match(/^[\p{L}\p{N}]/u)?.[0];
  const last = text.match(/[\p{L}\p{N}]\p{M}*$/u)?.[0];
  const start = first === undefined || isInUnspacedScript(first) ? "" : "(?<![\\p{L}\\p{M}\\p{N}])";
  const end = last === undefined || isInUnspacedScript(last) ? "" : "(?![\\p{L}\\p{M}\\p{N}])";
  return new RegExp(`${start}${RegExp.escape(text)}${end}`, "gu");
}
