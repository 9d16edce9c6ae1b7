import { docusaurusPostFolders } from "../../posts/post-folders.ts";
import type { ReadSettingsFile, SiteGenerator } from "../site-generator.ts";
import { createDocusaurusExclusionMatcher, findStringsUnderKey } from "./docusaurus-exclusions.ts";
import { createGlobMatcher } from "./globs.ts";

const SCRIPT_EXTENSIONS = ["js", "mjs", "cjs", "ts", "mts"] as const;

/**
 * Finds the addresses of documents and posts in Docusaurus' settings, which are a JavaScript
 * program that is not run.
 */
export function readDocusaurusSettings(
  read: ReadSettingsFile,
  files: readonly string[],
): Partial<SiteGenerator> {
  const settings = settingsOf("docusaurus.config", read);
  const docs = partOf(settings, "docs", "docs");
  const blog = partOf(settings, "blog", "blog");
  const isSibling = docs.folder === "docs";
  return {
    contentFolders: {
      ...documentFolders(docs, read, files),
      ...(isSibling ? { "../docs": docs.place } : {}),
      [blog.folder]: blog.place,
      ...pluginFolders(settings),
      "src/pages": "",
    },
    termFolders: {
      tags: [blog, docs].map(({ place }) => pathBelow(place, "tags")),
      authors: [pathBelow(blog.place, "authors")],
    },
    posts: docusaurusPostFolders(blog),
    datedFolder: new RegExp(`^${escaped(blog.place)}/|^${escaped(blog.folder)}/`),
    ...languageIn(settings),
    isExcluded: createDocusaurusExclusionMatcher(settings),
  };
}

/**
 * The folders of documents, each with its path on the site. If there are versions, the latest version has the
 * address `place`, and unreleased documents are below it at `next`.
 */
function documentFolders(
  { folder, place }: { folder: string; place: string },
  read: ReadSettingsFile,
  files: readonly string[],
): Record<string, string> {
  const [, latest = ""] = /^\s*\[\s*"([^"/\n]{1,100})"/.exec(read("versions.json") ?? "") ?? [];
  const released = `versioned_docs/version-${latest}`;
  const isReleased = latest !== "" && files.some((file) => file.startsWith(`${released}/`));
  return isReleased
    ? { [released]: place, [folder]: pathBelow(place, "next") }
    : { [folder]: place };
}

function pathBelow(place: string, name: string): string {
  return place === "" ? name : `${place}/${name}`;
}

/**
 * Matches a plugin with its own folder and address: `{ path: "community", routeBasePath:
 * "/community" }`.
 */
const PLUGIN_OPTIONS =
  /\bpath["']?:\s*["'`]([^"'`\n]{1,200})["'`][^{}]{0,500}?\brouteBasePath["']?:\s*["'`]([^"'`\n]{0,200})["'`]/g;

function pluginFolders(settings: string): Record<string, string> {
  const parts = [...settings.matchAll(PLUGIN_OPTIONS)];
  return Object.fromEntries(
    parts.map(
      ([, folder = "", place = ""]) => [withoutSlashes(folder), withoutSlashes(place)] as const,
    ),
  );
}

function withoutSlashes(path: string): string {
  return path.replace(/^\.?\/|\/$/g, "");
}

/** Reads the folder of pages and the exclusions from VitePress' settings. */
export function readVitepressSettings(read: ReadSettingsFile): Partial<SiteGenerator> {
  const settings = settingsOf(".vitepress/config", read);
  const folder = withoutSlashes(textAfter("srcDir", settings) ?? "");
  const isRoot = folder === "" || folder === ".";
  const isExcluded = createGlobMatcher(findStringsUnderKey("srcExclude", settings));
  const start = isRoot ? "" : `${folder}/`;
  return {
    ...(isRoot ? {} : { contentFolders: { [folder]: "" } }),
    isExcluded: (file) => file.startsWith(start) && isExcluded(file.slice(start.length)),
  };
}

/** Reads which texts VuePress excludes, from patterns such as `!internal/**`. */
export function readVuepressSettings(read: ReadSettingsFile): Partial<SiteGenerator> {
  const settings = settingsOf(".vuepress/config", read);
  const patterns = ["pagePatterns", "patterns"].flatMap((key) =>
    findStringsUnderKey(key, settings),
  );
  const negated = patterns.filter((each) => each.startsWith("!")).map((each) => each.slice(1));
  return { isExcluded: createGlobMatcher(negated) };
}

/**
 * Finds the addresses of Astro's collections. With Starlight, the collection `docs` is the whole
 * site. Otherwise, a collection's address is the folder of the page that shows its entries, such as
 * `src/pages/blog/[slug].astro`, or else the collection's name.
 */
export function readAstroSettings(
  read: ReadSettingsFile,
  files: readonly string[],
): Partial<SiteGenerator> {
  const settings = settingsOf("astro.config", read);
  if (/starlight/i.test(settings)) {
    return {
      contentFolders: { "src/content/docs": "", "src/pages": "" },
      hasWholeSlugs: true,
      ...languageIn(settings),
    };
  }
  const foldersByPage: Record<string, string> = {};
  const foldersByName: Record<string, string> = {};
  for (const file of files) {
    const [, collection] = /^src\/content\/([\w-]+)\//.exec(file) ?? [];
    if (collection !== undefined) foldersByName[`src/content/${collection}`] = collection;
    const [, folder] = PAGE_OF_ENTRIES.exec(file) ?? [];
    if (folder === undefined) continue;
    const names = [...(read(file) ?? "").matchAll(COLLECTION_CALL)].map(([, name = ""]) => name);
    const [name, ...others] = new Set(names);
    if (name !== undefined && others.length === 0) {
      foldersByPage[`src/content/${name}`] ??= folder.replace(/\/$/, "");
    }
  }
  const rest = { "src/content": "", "src/pages": "" };
  return {
    contentFolders: { ...foldersByName, ...foldersByPage, ...rest },
    ...languageIn(settings),
  };
}

const PAGE_OF_ENTRIES = /^src\/pages\/((?:[\w-]+\/)*)\[(?:\.\.\.)?\w+\](?:\/index)?\.astro$/;
const COLLECTION_CALL = /\bgetCollection\(\s*["'`]([\w-]{1,100})["'`]/g;

function settingsOf(name: string, read: ReadSettingsFile): string {
  return (
    SCRIPT_EXTENSIONS.map((ending) => read(`${name}.${ending}`)).find((text) => text !== null) ?? ""
  );
}

/** Reads from the settings the folder and the address of the pages under a key such as `docs`. */
function partOf(
  settings: string,
  name: string,
  defaultName: string,
): { folder: string; place: string } {
  const [, options = ""] =
    new RegExp(`\\b${name}["']?:\\s*\\{([^{}]{0,2000})`).exec(settings) ?? [];
  return {
    folder: withoutSlashes(textAfter("path", options) ?? defaultName),
    place: withoutSlashes(textAfter("routeBasePath", options) ?? defaultName),
  };
}

function languageIn(settings: string): Pick<SiteGenerator, "mainLanguage"> {
  const language = textAfter("defaultLocale", settings);
  return language === undefined ? {} : { mainLanguage: language };
}

function textAfter(key: string, text: string): string | undefined {
  return new RegExp(`\\b${key}["']?:\\s*["'\`]([^"'\`\\n]{0,200})["'\`]`).exec(text)?.[1];
}

function escaped(text: string): string {
  return text.replaceAll(/[^\w/]/g, "\\$&");
}
