import type { GeneratorChoice } from "../../site/import-choices/generator-choices.ts";
import {
  docusaurusPostFolders,
  ELEVENTY_POST_FOLDERS,
  HEXO_POST_FOLDERS,
  hugoPostFolders,
  JEKYLL_POST_FOLDERS,
  NIKOLA_POST_FOLDERS,
  POST_FOLDERS_BY_NAME,
  pelicanPostFolders,
  ZOLA_POST_FOLDERS,
} from "../posts/post-folders.ts";
import { readHugoMenuEntries } from "./menus/hugo-menus.ts";
import { readDocusaurusMenus, readVitepressMenus } from "./menus/script-menus.ts";
import { buildMainMenus } from "./menus/weighted-entries.ts";
import { readJekyllMenus, readMkdocsMenus } from "./menus/yaml-menus.ts";
import { readHexoSettings, readJekyllSettings } from "./settings/config-yml-settings.ts";
import { readEleventySettings } from "./settings/eleventy-settings.ts";
import { readHugoSettings } from "./settings/hugo-settings.ts";
import {
  readAstroSettings,
  readDocusaurusSettings,
  readVitepressSettings,
  readVuepressSettings,
} from "./settings/javascript-settings.ts";
import { readMkdocsSettings } from "./settings/mkdocs-settings.ts";
import { readObsidianSettings } from "./settings/obsidian-settings.ts";
import { readNikolaSettings, readPelicanSettings } from "./settings/python-settings.ts";
import { readZolaSettings } from "./settings/zola-settings.ts";
import type { SiteGenerator } from "./site-generator.ts";

/** Folders in which repositories keep their sites. */
export const USUAL_GENERATOR_FOLDERS: readonly string[] = [
  ..."website docs site www web exampleSite doc book documentation".split(" "),
];

const UNDERSCORED_FILES = /(?:^|\/)_(?!index\.)/;

/** The site generators, in the order in which they are tried. */
export const SITE_GENERATORS: readonly SiteGenerator[] = [
  {
    name: "Zola",
    posts: ZOLA_POST_FOLDERS,
    termFolders: { tags: ["tags"], categories: ["categories"], authors: ["authors"] },
    markerFiles: [
      { name: /^(?:zola|config)\.toml$/, contains: /^base_url\s*=/m, beside: /^content$/ },
    ],
    contentFolders: { content: "" },
    tags: "zola",
    dropsDates: true,
    settings: readZolaSettings,
  },
  {
    name: "Hugo",
    posts: hugoPostFolders(),
    termFolders: { tags: ["tags"], categories: ["categories"] },
    markerFiles: [
      { name: /^hugo\.(?:toml|ya?ml|json)$/ },
      { name: /^config\.(?:toml|ya?ml|json)$/, contains: /\bbaseurl\b/i, beside: /^content$/ },
      { name: /^config$/, beside: /^archetypes$|^layouts$|^themes$/ },
    ],
    contentFolders: { content: "" },
    tags: "hugo",
    formerAddressesIn: "page",
    hasLowerCaseAddresses: true,
    spellings: (path) => [spelledByHugo(path)],
    listsSections: true,
    dropsMainLanguage: true,
    settings: readHugoSettings,
    hasMenuKeys: true,
    menus: (read, { pages, main }) =>
      buildMainMenus([...readHugoMenuEntries(read, [main]), ...pages], {
        main,
        folders: ["", "content"],
      }),
  },
  {
    name: "Docusaurus",
    posts: docusaurusPostFolders({ folder: "blog", place: "blog" }),
    termFolders: { tags: ["blog/tags", "docs/tags"], authors: ["blog/authors"] },
    markerFiles: [{ name: /^docusaurus\.config\.[cm]?[jt]s$/ }],
    contentFolders: { docs: "docs", "../docs": "docs", blog: "blog", "src/pages": "" },
    tags: null,
    hasComponents: true,
    hasNumberedNames: true,
    hasReadmePages: true,
    hasNamesakePages: true,
    hasIds: true,
    hasWholeSlugsOfPosts: true,
    datedFolder: /^blog\//,
    partFiles: UNDERSCORED_FILES,
    settings: readDocusaurusSettings,
    menus: readDocusaurusMenus,
  },
  {
    name: "Astro",
    posts: POST_FOLDERS_BY_NAME,
    listInText: "commas",
    markerFiles: [{ name: /^astro\.config\.[cm]?[jt]s$/ }],
    contentFolders: { "src/content": "", "src/pages": "" },
    tags: null,
    hasOwnAddresses: false,
    partFiles: UNDERSCORED_FILES,
    settings: readAstroSettings,
  },
  {
    name: "VitePress",
    posts: POST_FOLDERS_BY_NAME,
    listInText: "commas",
    settings: readVitepressSettings,
    menus: readVitepressMenus,
    markerFiles: [{ name: /^\.vitepress$/ }],
    contentFolders: {},
    tags: null,
    hasSnippets: true,
    hasFileAddresses: true,
  },
  {
    name: "VuePress",
    posts: POST_FOLDERS_BY_NAME,
    settings: readVuepressSettings,
    listInText: "commas",
    markerFiles: [{ name: /^\.vuepress$/ }],
    contentFolders: {},
    tags: null,
    hasSnippets: true,
    hasFileAddresses: true,
    hasReadmePages: true,
  },
  {
    name: "MkDocs",
    posts: POST_FOLDERS_BY_NAME,
    listInText: "commas",
    markerFiles: [{ name: /^mkdocs\.ya?ml$/ }],
    contentFolders: { docs: "" },
    tags: null,
    hasSnippets: true,
    hasReadmePages: true,
    termFolders: { categories: ["blog/category"], authors: ["blog/author"] },
    settings: readMkdocsSettings,
    menus: readMkdocsMenus,
  },
  {
    name: "mdBook",
    markerFiles: [{ name: /^book\.toml$/ }],
    contentFolders: { src: "" },
    tags: null,
    hasFileAddresses: true,
    hasReadmePages: true,
    partFiles: /(?:^|\/)SUMMARY\.md$/,
  },
  {
    name: "Eleventy",
    posts: ELEVENTY_POST_FOLDERS,
    termFolders: { tags: ["tags"] },
    markerFiles: [{ name: /^(?:\.eleventy\.c?js|eleventy\.config\.[cm]?[jt]s)$/ }],
    contentFolders: {},
    tags: "liquid",
    dropsDates: true,
    hasNamesakePages: true,
    partFiles: /(?:^|\/)_(?:includes|layouts|data|components)\//,
    settings: readEleventySettings,
    hasComputedAddresses: true,
    hasMenuKeys: true,
    menus: (_read, { pages, main }) => buildMainMenus(pages, { main, folders: [""] }),
  },
  {
    name: "Hexo",
    hasNestedCategories: true,
    posts: HEXO_POST_FOLDERS,
    termFolders: { tags: ["tags"], categories: ["categories"] },
    markerFiles: [
      { name: /^_config\.ya?ml$/, beside: /^scaffolds$/ },
      { name: /^_config\.ya?ml$/, contains: /^(?:source_dir|new_post_name)\s*:/m },
    ],
    contentFolders: { source: "" },
    tags: "liquid",
    settings: readHexoSettings,
  },
  {
    name: "Jekyll",
    posts: JEKYLL_POST_FOLDERS,
    listInText: "words",
    markerFiles: [{ name: /^_config\.ya?ml$/ }],
    contentFolders: {},
    tags: "liquid",
    hasFileAddresses: true,
    formerAddressesIn: "site",
    hasReadmePages: true,
    datedFolder: /(?:^|\/)_posts\//,
    partFiles: /(?:^|\/)_(?:includes|layouts|data|sass|site|plugins)\//,
    settings: readJekyllSettings,
    menus: readJekyllMenus,
  },
  {
    name: "Pelican",
    posts: pelicanPostFolders(),
    termFolders: { tags: ["tag"], categories: ["category"], authors: ["author"] },
    markerFiles: [{ name: /^pelicanconf\.py$/ }],
    contentFolders: { content: "" },
    tags: null,
    metadata: "pelican",
    settings: readPelicanSettings,
  },
  {
    name: "Nikola",
    posts: NIKOLA_POST_FOLDERS,
    termFolders: { tags: ["categories"] },
    markerFiles: [{ name: /^conf\.py$/, contains: /^POSTS\s*=/m }],
    contentFolders: { posts: "posts", pages: "" },
    tags: null,
    metadata: "nikola",
    hidingTags: ["draft", "private"],
    settings: readNikolaSettings,
  },
  {
    name: "Obsidian",
    listInText: "words-and-commas",
    markerFiles: [{ name: /^\.obsidian$/ }],
    settings: readObsidianSettings,
    contentFolders: {},
    tags: null,
    hasWikiLinks: true,
    spellings: (path) => [path, path.replaceAll(" ", "+")],
  },
  {
    name: "Next.js",
    posts: POST_FOLDERS_BY_NAME,
    listInText: "commas",
    markerFiles: [{ name: /^next\.config\.[cm]?[jt]s$/ }],
    contentFolders: {
      ...{ "src/pages": "", pages: "", "src/content": "", content: "", public: "" },
      ...{ posts: "posts", _posts: "posts", "data/blog": "blog" },
    },
    tags: null,
    partFiles: /^public\/.*\.html?$/i,
  },
  {
    name: "Gatsby",
    posts: POST_FOLDERS_BY_NAME,
    listInText: "commas",
    markerFiles: [{ name: /^gatsby-config\.[cm]?[jt]s$/ }],
    contentFolders: { "src/pages": "", content: "" },
    tags: null,
  },
  {
    name: "Nuxt",
    posts: POST_FOLDERS_BY_NAME,
    listInText: "commas",
    markerFiles: [{ name: /^nuxt\.config\.[cm]?[jt]s$/ }],
    contentFolders: { content: "" },
    tags: null,
    hasNumberedNames: true,
  },
];

/** Spells a path as Hugo does: without most punctuation, and with hyphens between words. */
function spelledByHugo(path: string): string {
  return path
    .replaceAll(/[^\p{L}\p{M}\p{N}\s./_#+~%@-]/gu, "")
    .replaceAll(/\s*-\s*/g, "-")
    .replaceAll(/\s+/g, "-");
}

export const UNKNOWN_HTML_GENERATOR: SiteGenerator = {
  name: "HTML pages",
  markerFiles: [],
  contentFolders: {},
  tags: null,
  hasFileAddresses: true,
};

/** A folder of Markdown from an unknown site generator, without settings. */
export const UNKNOWN_MARKDOWN_GENERATOR: SiteGenerator = {
  name: "Markdown",
  posts: POST_FOLDERS_BY_NAME,
  listInText: "commas",
  markerFiles: [],
  contentFolders: {},
  tags: null,
  hasReadmePages: true,
};

/**
 * Returns the site generator that a person chose; null: the folder was written for this service
 * (`none`).
 */
export function resolveGeneratorChoice(choice: GeneratorChoice): SiteGenerator | null {
  if (choice === "none") return null;
  const found = [...SITE_GENERATORS, UNKNOWN_HTML_GENERATOR, UNKNOWN_MARKDOWN_GENERATOR].find(
    ({ name }) => name.toLowerCase().replace(/ .*/, "") === choice,
  );
  if (found === undefined) throw new Error(`No site generator is called ${choice}`);
  return found;
}
