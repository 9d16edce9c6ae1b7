import { parseYamlMapping } from "../../front-matter.ts";
import { isRecord } from "../../item-parsing.ts";
import { HEXO_POST_FOLDERS, JEKYLL_POST_FOLDERS } from "../../posts/post-folders.ts";
import type { PageAddressInput } from "../addresses/page-address-input.ts";
import { languageTagFromName } from "../language-in-name.ts";
import type { ReadSettingsFile, SiteGenerator } from "../site-generator.ts";
import { createExclusionMatcher } from "./exclusion-filter.ts";
import { parseJekyllFrontMatterDefaults } from "./front-matter-defaults.ts";
import { createGlobMatcher } from "./globs.ts";
import { fillPermalink } from "./permalinks.ts";

/** Named permalink styles of Jekyll. */
const PERMALINK_STYLES: ReadonlyMap<string, string> = new Map([
  ["date", "/:categories/:year/:month/:day/:title:output_ext"],
  ["pretty", "/:categories/:year/:month/:day/:title/"],
  ["none", "/:categories/:title:output_ext"],
]);
/**
 * Placeholders in permalinks of posts: `:title` is the file name, and `:slug` is the file name in lower case
 * with hyphens.
 */
const POST_PLACEHOLDERS = {
  title: nameOfPost,
  slug: (page: PageAddressInput) =>
    nameOfPost(page)
      ?.toLowerCase()
      .replace(/[^\p{M}\p{L}\p{Nd}]+/gu, "-")
      .replace(/^-|-$/g, ""),
};

function nameOfPost({ values, file }: PageAddressInput): string | undefined {
  return fillPermalink(":slug", { values, file, place: "", day: null })?.slice(1);
}

/** Reads the folders of pages and the exclusions from Jekyll's settings. */
export function readJekyllSettings(read: ReadSettingsFile): Partial<SiteGenerator> {
  const settings = settingsIn(read);
  const collections = collectionsOf(settings["collections"]);
  const general = textOf(settings["permalink"]) ?? "date";
  const posts = textOf(collections.get("posts")?.["permalink"]) ?? general;
  const isExcluded = createExclusionMatcher([settings["exclude"] ?? []].flat().map(String));
  const included = new Set([settings["include"] ?? []].flat().map(String));
  return {
    hasFileAddresses: !(PERMALINK_STYLES.get(general) ?? general).endsWith("/"),
    siteValues: textsIn(settings),
    ...languageIn(settings),
    termFolders: archivesIn(settings),
    posts: {
      ...JEKYLL_POST_FOLDERS,
      listsAtRoot: [...JEKYLL_POST_FOLDERS.listsAtRoot, ...feedIn(settings)],
    },
    isIncluded: (file) => included.has(file),
    isExcluded(file) {
      const [, folder] = /^_([^/]+)\//.exec(file) ?? [];
      if (folder !== undefined && !/^(?:posts|drafts)$/.test(folder)) {
        if (collections.get(folder)?.["output"] !== true) return true;
      }
      return isExcluded(file);
    },
    placeholders: POST_PLACEHOLDERS,
    defaultsOf: parseJekyllFrontMatterDefaults(settings["defaults"]),
    addressOf(page) {
      if (/(?:^|\/)_posts\//.test(page.file)) {
        return fillPermalink(PERMALINK_STYLES.get(posts) ?? posts, page, POST_PLACEHOLDERS);
      }
      const [, folder = ""] = /^_([^/]+)\//.exec(page.file) ?? [];
      const pattern = textOf(collections.get(folder)?.["permalink"]);
      const address = pattern === null ? null : fillPermalink(pattern, page, POST_PLACEHOLDERS);
      return address?.replace(/\/index(?:\.html|\/)?$/, "/") ?? null;
    },
  };
}

/** Addresses of feeds, which Jekyll and Hexo specify in the same way. */
function feedIn(settings: Record<string, unknown>): string[] {
  const feed = settings["feed"];
  const paths = isRecord(feed) ? [feed["path"] ?? []].flat() : [];
  return paths.flatMap((path) => (typeof path === "string" ? [path.replace(/^\/+/, "")] : []));
}

/** Folders of the tag and category pages that the plugin jekyll-archives generates. */
function archivesIn(settings: Record<string, unknown>): Record<string, readonly string[]> {
  const plugins = [settings["plugins"] ?? settings["gems"] ?? []].flat();
  if (!plugins.includes("jekyll-archives")) return {};
  const archives = isRecord(settings["jekyll-archives"]) ? settings["jekyll-archives"] : {};
  const raw = isRecord(archives["permalinks"]) ? archives["permalinks"] : {};
  const folder = (name: string) => {
    const pattern = textOf(raw[name]) ?? `/${name}/:name/`;
    return /^[^:]*\/:name\/?$/.test(pattern)
      ? [pattern.replace(/:name\/?$/, "").replace(/^\/|\/$/g, "")]
      : [];
  };
  return { tags: folder("tag"), categories: folder("category") };
}

/** Reads Hexo's settings, whose only permalink applies to posts. */
export function readHexoSettings(read: ReadSettingsFile): Partial<SiteGenerator> {
  const settings = settingsIn(read);
  const posts = textOf(settings["permalink"]) ?? ":year/:month/:day/:title/";
  const folder = (key: string, defaultFolder: string) => [textOf(settings[key]) ?? defaultFolder];
  const { listsAtRoot } = HEXO_POST_FOLDERS;
  const [archives = ""] = folder("archive_dir", "archives");
  const source = (textOf(settings["source_dir"]) ?? "source").replace(/^\.?\/|\/+$/g, "");
  const globsAt = (key: string) => [settings[key] ?? []].flat().map(String);
  const isExcluded = createGlobMatcher(globsAt("exclude").map((glob) => `${source}/${glob}`));
  const isIgnored = createGlobMatcher(globsAt("ignore"));
  return {
    contentFolders: { [source]: "" },
    isExcluded: (file) => isExcluded(file) || isIgnored(file),
    siteValues: textsIn(settings),
    ...languageIn(settings),
    posts: {
      ...HEXO_POST_FOLDERS,
      listsAtRoot: [...listsAtRoot, `${archives}/*`, ...feedIn(settings)],
    },
    termFolders: {
      tags: folder("tag_dir", "tags"),
      categories: folder("category_dir", "categories"),
    },
    addressOf: (page) =>
      page.file.startsWith(`${source}/_posts/`)
        ? fillPermalink(posts, page, POST_PLACEHOLDERS)
        : null,
  };
}

/** The language of the texts. Themes and plugins use different keys for it. */
function languageIn(settings: Record<string, unknown>): Pick<SiteGenerator, "mainLanguage"> {
  const [raw] = ["default_lang", "lang", "locale", "language"].flatMap(
    (key) => settings[key] ?? [],
  );
  const tag = typeof raw === "string" ? languageTagFromName(raw) : null;
  return tag === null ? {} : { mainLanguage: tag };
}

function settingsIn(read: ReadSettingsFile): Record<string, unknown> {
  return parseYamlMapping(read("_config.yml") ?? read("_config.yaml") ?? "", 0).values;
}

/**
 * Maps the name of each collection to its settings. The settings are empty if `raw` is only a list of names.
 */
function collectionsOf(raw: unknown): Map<string, Record<string, unknown>> {
  if (Array.isArray(raw)) return new Map(raw.map((name) => [String(name), {}]));
  const entries = Object.entries(isRecord(raw) ? raw : {});
  return new Map(entries.map(([name, value]) => [name, isRecord(value) ? value : {}]));
}

function textsIn(settings: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(settings).flatMap(([name, value]) =>
      typeof value === "string" || typeof value === "number" ? [[name, String(value)]] : [],
    ),
  );
}

function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
