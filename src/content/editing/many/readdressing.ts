import { domainToUnicode } from "node:url";
import { type Actor, requireScope } from "../../../access/actor.ts";
import { AppError } from "../../../errors.ts";
import type { DraftStore } from "../../drafts/draft.ts";
import { STATUSES } from "../../items/item.ts";
import type { ContentRecord } from "../../record.ts";
import { replaceInSettings } from "../../site/settings-rewriting.ts";
import type { ContentDesk, ItemCursor } from "../desk.ts";
import { type PatternReplacement, type RewrittenItem, rewriteItems } from "./rewriting.ts";

const BATCH_ITEMS = 200;
const TEXT_KINDS = ["text", "text_list", "markdown", "url"] as const;

/** The former and the new origin of a site, such as `https://quotations.example`. */
export interface SiteAddressReplacement {
  from: string;
  to: string;
}

export interface SiteAddressReplacementReport {
  items: RewrittenItem[];
  /** Items that cannot be saved, each with the reason. */
  refused: { path: string; reason: string }[];
  /** Settings that contained the former address. */
  settings: string[];
  /** Drafts that contain the former address; editors must change them by hand. */
  drafts: { id: string; title: string | null }[];
  /** Paths of redirects that lead to the former address. */
  redirects: string[];
}

interface Stores {
  content: ContentRecord;
  desk: ContentDesk;
  drafts: Pick<DraftStore, "list" | "byId">;
}

/**
 * Rewrites absolute addresses of a former domain in the settings and in the texts and fields of all items.
 * The addresses may begin with `http://`, `https://` or `//`. Each batch of items is saved in its own
 * transaction; after an interruption, run the change again. Drafts and redirects are only reported.
 *
 * @throws {AppError} `forbidden`; `invalid` if the two addresses are the same.
 */
export async function replaceSiteAddressInContent(
  stores: Stores,
  actor: Actor,
  { from, to }: SiteAddressReplacement,
  options: { isDryRun: boolean; now: Date },
): Promise<SiteAddressReplacementReport> {
  requireScope(actor, "content:write");
  requireScope(actor, "settings:write");
  if (from === to)
    throw new AppError("invalid", {
      en: "The former address is the same as the new one",
      de: "Die frühere Adresse ist dieselbe wie die neue",
    });
  const find = addressPattern(from, to);
  return {
    ...(await rewriteAllItems(stores, actor, { find, replace: to, kinds: TEXT_KINDS }, options)),
    settings: await replaceInSettings(stores.content, actor, { find, replace: to }, options),
    drafts: await draftsContaining(stores.drafts, find),
    redirects: await redirectsTo(stores.desk, find),
  };
}

/** Matches the end of a host: no further character of a host name and no port may follow. */
const HOST_END = "(?![\\p{L}\\p{N}_-]|[.:@][\\p{L}\\p{N}])";

/**
 * Matches the former origin with `http:`, `https:` or no scheme. Does not match the new origin: if only the
 * scheme changes, both origins have the same host.
 */
function addressPattern(from: string, to: string): RegExp {
  const { hostname, port } = new URL(from);
  const names = new Set([hostname, domainToUnicode(hostname)]);
  const hostPatterns = [...names].map((name) =>
    RegExp.escape(port === "" ? name : `${name}:${port}`),
  );
  const isNew = `${RegExp.escape(to)}${HOST_END}`;
  const scheme = "(?:https?:|(?<![\\p{L}\\p{N}:/]))";
  return new RegExp(`(?!${isNew})${scheme}//(?:${hostPatterns.join("|")})${HOST_END}`, "giu");
}

async function rewriteAllItems(
  { content, desk }: Stores,
  actor: Actor,
  rewriting: PatternReplacement,
  options: { isDryRun: boolean; now: Date },
): Promise<Pick<SiteAddressReplacementReport, "items" | "refused">> {
  const report: Pick<SiteAddressReplacementReport, "items" | "refused"> = {
    items: [],
    refused: [],
  };
  const rewrite = async (ids: readonly string[]) => {
    report.items.push(...(await rewriteItems(content, actor, { ...rewriting, ids }, options)));
  };
  const statuses = STATUSES.filter((status) => status !== "deleted");
  const query = { types: [], statuses, sort: "created", descending: false } as const;
  for (let cursor: { after?: ItemCursor } = {}; ; ) {
    const { items, next } = await desk.list({ ...query, limit: BATCH_ITEMS, ...cursor });
    const fault = await messageIfRefused(async () => await rewrite(items.map(({ id }) => id)));
    // If a batch fails, its items are retried one by one, so that one invalid item does not block
    // the others.
    for (const { id, path } of fault === null ? [] : items) {
      const reason = await messageIfRefused(async () => await rewrite([id]));
      if (reason !== null) report.refused.push({ path, reason });
    }
    if (next === null) return report;
    cursor = { after: next };
  }
}

/** Makes a change. Returns the message if the change is refused, otherwise null. */
async function messageIfRefused(change: () => Promise<void>): Promise<string | null> {
  try {
    await change();
    return null;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.message;
  }
}

async function draftsContaining(
  drafts: Stores["drafts"],
  find: RegExp,
): Promise<SiteAddressReplacementReport["drafts"]> {
  const found: SiteAddressReplacementReport["drafts"] = [];
  for (let cursor: { after?: { updatedAt: string; id: string } } = {}; ; ) {
    const outlines = await drafts.list({ limit: BATCH_ITEMS, ...cursor });
    for (const { id, title } of outlines) {
      const draft = await drafts.byId(id);
      if (draft !== null && JSON.stringify(draft.parts).search(find) !== -1) {
        found.push({ id, title });
      }
    }
    const last = outlines.at(-1);
    if (last === undefined) return found;
    cursor = { after: { updatedAt: last.updatedAt, id: last.id } };
  }
}

async function redirectsTo(desk: ContentDesk, find: RegExp): Promise<string[]> {
  const paths: string[] = [];
  for (let cursor: { after?: string } = {}; ; ) {
    const redirects = await desk.redirects({ limit: BATCH_ITEMS, ...cursor });
    for (const { from, to } of redirects) {
      if (to !== null && "url" in to && to.url.search(find) !== -1) paths.push(from);
    }
    const last = redirects.at(-1);
    if (last === undefined) return paths;
    cursor = { after: last.id };
  }
}
