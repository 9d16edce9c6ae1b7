import {
  formatRedirectTarget,
  isRedirectToItem,
  parseFormerAddress,
} from "../../content/addresses/redirect-addresses.ts";
import type { RedirectChangeContext } from "../../content/addresses/redirect-change-context.ts";
import { addMissingRedirects } from "../../content/addresses/redirect-lists.ts";
import { type RedirectInput, removeRedirect } from "../../content/addresses/redirects.ts";
import type { DraftedItemParts } from "../../content/drafts/draft.ts";
import { readRedirectList } from "../../content/import/redirects/redirect-list.ts";
import { AppError } from "../../errors.ts";
import { listFolderEntryNames } from "../../files/durable-files.ts";
import { formatRedirectTargetCell } from "../../transfer/redirect-table.ts";
import {
  buildRedirectFiles,
  REDIRECTS_FILE,
  REDIRECTS_FILE_PATTERN,
} from "../../transfer/site-files.ts";
import { reportProblems } from "../pass-parts.ts";
import {
  collectSettingsParts,
  readSettingsFile,
  type SettingsFile,
  type SettingsPass,
  type SettingsSaveResult,
  syncSettingsGroup,
} from "./settings-group.ts";

/** The text of a list that contains no redirects: only the header of its columns. */
const HEADING = "from,to\n";
/** The target of a line in a list of redirects if the address is gone. */
const GONE = "410";
/** Limit on the redirects added in one transaction. It bounds how long other writers wait. */
const BATCH_REDIRECTS = 200;

interface SiteRedirects {
  /** The site's redirects that do not lead to an item. */
  redirects: readonly RedirectInput[];
  addresses: Pick<RedirectChangeContext, "origin" | "isDocument">;
}

/**
 * Syncs the folder's lists of redirects with the site. The lists contain only redirects that do not
 * lead to an item. If a new line leads to an item, its redirect is saved. The line is then removed from
 * the list, because the redirect now belongs to the item.
 */
export async function syncRedirects(
  pass: SettingsPass,
  { redirects, addresses }: SiteRedirects,
): Promise<void> {
  const folderFiles = await readLists(pass);
  if (folderFiles === null) return;
  const siteFiles = new Map(
    buildRedirectFiles(redirects).map(({ name, text }) => [
      name,
      { text, parts: partsOfList(name, text) },
    ]),
  );
  await syncSettingsGroup(pass, {
    name: "redirects",
    mainFile: REDIRECTS_FILE,
    folderFiles,
    siteFiles,
    folderParts: collectSettingsParts(folderFiles),
    typeOrder: [],
    goneParts: (known) => (folderFiles.size === 0 ? Object.keys(known) : []),
    emptyText: HEADING,
    save: async ({ siteParts, changes }) =>
      await saveRedirects(pass, { siteParts, changes, addresses }),
  });
}

/** Returns null, after reporting the fault, if a line cannot be read. */
async function readLists(pass: SettingsPass): Promise<Map<string, SettingsFile> | null> {
  const { folder } = pass;
  const names = (await listFolderEntryNames(folder.root)).filter((name) =>
    REDIRECTS_FILE_PATTERN.test(name),
  );
  const files = new Map<string, SettingsFile>();
  let isWhole = true;
  for (const name of names.sort()) {
    const text = readSettingsFile(pass, name);
    if (text === undefined) return null;
    const lost = readRedirectList(name, text).unused.filter(({ losesRedirect }) => losesRedirect);
    const problems = lost.map(({ line, reason }) => ({ line, field: "", message: reason }));
    reportProblems(pass, name, problems);
    isWhole &&= problems.length === 0;
    files.set(name, { text, parts: partsOfList(name, text) });
  }
  return isWhole ? files : null;
}

/** Returns the target of each former address in the list. */
function partsOfList(name: string, text: string): DraftedItemParts {
  const { rules } = readRedirectList(name, text);
  return Object.fromEntries(rules.map(({ from, to }) => [from, to ?? GONE]));
}

async function saveRedirects(
  pass: SettingsPass,
  {
    siteParts,
    changes,
    addresses,
  }: {
    siteParts: DraftedItemParts;
    changes: DraftedItemParts;
    addresses: SiteRedirects["addresses"];
  },
): Promise<SettingsSaveResult> {
  const changed: string[] = [];
  const refused: string[] = [];
  let isStale = false;
  const isKnown = ([from]: [string, unknown]) => siteParts[from] !== undefined;
  for (const [from, to] of Object.entries(changes).filter(isKnown)) {
    const replaced = await replaceRedirect(pass, { from, to, before: siteParts[from], addresses });
    isStale ||= replaced === "stale";
    if (replaced === "changed") changed.push(from);
    else if (replaced !== "stale") refused.push(replaced.refused);
  }
  const added = Object.entries(changes).filter((change) => !isKnown(change));
  const pairs = added.map(([from, to]) => ({ from, to: targetOf(to) }));
  const saved = await addRedirects(pass, pairs, addresses);
  return {
    changed: [...changed, ...saved.changed],
    refused: [...refused, ...saved.refused],
    isStale,
  };
}

async function addRedirects(
  { content, actor, now }: SettingsPass,
  pairs: readonly RedirectInput[],
  addresses: SiteRedirects["addresses"],
): Promise<Omit<SettingsSaveResult, "isStale">> {
  const changed: string[] = [];
  const refused: string[] = [];
  for (let at = 0; at < pairs.length; at += BATCH_REDIRECTS) {
    const some = pairs.slice(at, at + BATCH_REDIRECTS);
    const outcomes = await addMissingRedirects(content, actor, some, { ...addresses, now });
    for (const [index, found] of outcomes.entries()) {
      const from = some[index]?.from ?? "";
      if (found.outcome === "created") changed.push(from);
      if ("reason" in found) refused.push(refusal(from, found.reason.en));
    }
  }
  return { changed, refused };
}

interface Replacement {
  from: string;
  /** The new target; null: the redirect is removed. */
  to: unknown;
  /** The target that the site must still have. If the site has another target, nothing is changed. */
  before: unknown;
  addresses: SiteRedirects["addresses"];
}

async function replaceRedirect(
  { content, actor, now }: SettingsPass,
  { from, to, before, addresses }: Replacement,
): Promise<"changed" | "stale" | { refused: string }> {
  try {
    return await content.write(async (transaction) => {
      const redirect = await transaction.redirectAt(
        parseFormerAddress(from, addresses.origin, "from"),
      );
      if (redirect === null || isRedirectToItem(redirect)) return "stale";
      if ((formatRedirectTargetCell(formatRedirectTarget(redirect.to)) || GONE) !== before)
        return "stale";
      await removeRedirect(transaction, actor, redirect.id, { now });
      if (to === null) return "changed";
      const pairs = [{ from, to: targetOf(to) }];
      const [found] = await addMissingRedirects(transaction, actor, pairs, { ...addresses, now });
      if (found !== undefined && "reason" in found) throw new AppError("invalid", found.reason);
      return "changed";
    });
  } catch (error) {
    if (!(error instanceof AppError) || error.code === "unavailable") throw error;
    return { refused: refusal(from, error.message) };
  }
}

function targetOf(part: unknown): string | null {
  return part === GONE ? null : String(part);
}

function refusal(from: string, reason: string): string {
  return `the redirect from ${from}: ${reason}`;
}
