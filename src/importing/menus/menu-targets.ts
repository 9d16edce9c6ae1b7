import type { FolderConventions } from "../../content/import/conventions/folder-conventions.ts";
import type {
  ForeignMenu,
  ForeignMenuEntry,
} from "../../content/import/conventions/menus/foreign-menu.ts";
import type { PathsByMenuTarget } from "../../content/import/conventions/menus/site-menu.ts";
import { removeTrailingSlash } from "../../content/import/file-path.ts";
import type { ContentRecord } from "../../content/record.ts";
import { createFormerSiteLookup } from "../folders/former-site-lookup.ts";
import type { SurveyedSource } from "../folders/survey-items.ts";

/** The folder whose menus are imported. */
export interface MenuTargetContext {
  folder: SurveyedSource;
  conventions: FolderConventions;
  /** Called between entries to yield to the event loop. */
  yieldBetween: (() => Promise<void>) | undefined;
}

/** Finds the path on this site that each entry links to. Omits entries without a target on this site. */
export async function resolveMenuTargets(
  record: ContentRecord,
  { language, folders, entries }: ForeignMenu,
  { folder: { survey, lists: formerLists }, conventions, yieldBetween }: MenuTargetContext,
): Promise<PathsByMenuTarget> {
  const { pageAt } = createFormerSiteLookup(conventions, survey, formerLists);
  const lists = new Set([...(await record.types()).values()].map(({ listPath }) => listPath));
  const pathOf = (to: string): string | undefined => {
    const address = addressOf(to);
    const translated =
      language === null ? undefined : pageAt(removeTrailingSlash(`/${language}${address}`));
    const files = folders.flatMap((each) => possibleFiles(each, to)).flatMap(conventions.filesAt);
    const owned = files.map((file) => survey.paths.get(file)).find((path) => path !== undefined);
    return translated ?? owned ?? pageAt(address) ?? pageAt(address.toLowerCase());
  };
  const listPaths = new Set([...lists, ...formerLists.values()]);
  const targets = new Map<string, string>();
  for (const { to } of allEntries(entries)) {
    await yieldBetween?.();
    if (to === null || targets.has(to)) continue;
    const [, written = "", rest = ""] = /^([^?#]*)(.*)$/s.exec(to) ?? [];
    const address = addressOf(written);
    if (address === "/" || lists.has(address)) targets.set(to, address + rest);
    const path = written === "" ? undefined : pathOf(written);
    const target = path === undefined ? null : await targetAt(record, path, listPaths);
    if (target !== null) targets.set(to, target + rest);
  }
  return targets;
}

/** The path of a list or of an item; null: there is neither. */
async function targetAt(
  record: ContentRecord,
  path: string,
  listPaths: ReadonlySet<string | null>,
): Promise<string | null> {
  if (listPaths.has(path)) return path;
  const item = await record.itemAt(path);
  return item === null || item.status === "deleted" ? null : item.path;
}

function* allEntries(entries: readonly ForeignMenuEntry[]): Generator<ForeignMenuEntry> {
  for (const entry of entries) {
    yield entry;
    yield* allEntries(entry.entries);
  }
}

const OPTIONAL_EXTENSIONS = ["", ".md", ".mdx"] as const;

function possibleFiles(folder: string, to: string): string[] {
  const name = to.replace(/^\.?\/+/, "");
  const start = folder === "" ? "" : `${folder}/`;
  return OPTIONAL_EXTENSIONS.map((ending) => start + name + ending);
}

/** Returns `/about` for `{{ site.baseurl }}/about/`. */
function addressOf(to: string): string {
  const plain = to.replaceAll(/\{\{[^{}]*\}\}/g, "").replace(/(?:^|\/)index\.html?$/, "/");
  return removeTrailingSlash(`/${plain.replace(/^[./]+/, "")}`);
}
