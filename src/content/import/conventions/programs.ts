import {
  NAMED_FOLDERS,
  POSTS_OF_ELEVENTY,
  POSTS_OF_HEXO,
  POSTS_OF_JEKYLL,
  POSTS_OF_NIKOLA,
  POSTS_OF_ZOLA,
  postsOfDocusaurus,
  postsOfHugo,
  postsOfPelican,
} from "../posts/post-folders.ts";
import { hugoMenuEntries } from "./menus/hugo-menus.ts";
import { docusaurusMenus, vitepressMenus } from "./menus/script-menus.ts";
import { weightedMenus } from "./menus/weighted-entries.ts";
import { jekyllMenus, mkdocsMenus } from "./menus/yaml-menus.ts";
import type { Program } from "./program.ts";
import { eleventySettings } from "./settings/eleventy-settings.ts";
import { hugoSettings } from "./settings/hugo-settings.ts";
import {
  astroSettings,
  docusaurusSettings,
  vitepressSettings,
} from "./settings/javascript-settings.ts";
import { hexoSettings, jekyllSettings } from "./settings/jekyll-settings.ts";
import { mkdocsSettings } from "./settings/mkdocs-settings.ts";
import { nikolaSettings, pelicanSettings } from "./settings/python-settings.ts";

/** Folders in which repositories keep their sites. */
export const SITE_FOLDERS: readonly string[] = [
  ..."website docs site www web exampleSite doc book documentation".split(" "),
];

const PARTS_WITH_LINE = /(?:^|\/)_(?!index\.)/;

/** In order of detection. */
export const PROGRAMS: readonly Program[] = [
  {
    name: "Zola",
    posts: POSTS_OF_ZOLA,
    termFolders: { tags: ["tags"], categories: ["categories"], authors: ["authors"] },
    marks: [{ name: /^(?:zola|config)\.toml$/, says: /^base_url\s*=/m, with: /^content$/ }],
    contentFolders: { content: "" },
    tags: "zola",
    dropsDates: true,
  },
  {
    name: "Hugo",
    posts: postsOfHugo(),
    termFolders: { tags: ["tags"], categories: ["categories"] },
    marks: [
      { name: /^hugo\.(?:toml|ya?ml|json)$/ },
      { name: /^config\.(?:toml|ya?ml|json)$/, says: /\bbaseurl\b/i, with: /^content$/ },
      { name: /^config$/, with: /^archetypes$|^layouts$|^themes$/ },
    ],
    contentFolders: { content: "" },
    tags: "hugo",
    lowersAddresses: true,
    listsSections: true,
    dropsMainLanguage: true,
    settings: hugoSettings,
    hasMenuKeys: true,
    menus: (read, { pages, main }) =>
      weightedMenus([...hugoMenuEntries(read, [main]), ...pages], {
        main,
        folders: ["", "content"],
      }),
  },
  {
    name: "Docusaurus",
    posts: postsOfDocusaurus({ folder: "blog", place: "blog" }),
    termFolders: { tags: ["blog/tags", "docs/tags"], authors: ["blog/authors"] },
    marks: [{ name: /^docusaurus\.config\.[cm]?[jt]s$/ }],
    contentFolders: { docs: "docs", "../docs": "docs", blog: "blog", "src/pages": "" },
    tags: null,
    hasComponents: true,
    hasNumberedNames: true,
    hasReadmePages: true,
    hasNamesakePages: true,
    hasIds: true,
    hasWholeSlugsOfPosts: true,
    datedFolder: /^blog\//,
    partsFolder: PARTS_WITH_LINE,
    settings: docusaurusSettings,
    menus: docusaurusMenus,
  },
  {
    name: "Astro",
    posts: NAMED_FOLDERS,
    listInText: "commas",
    marks: [{ name: /^astro\.config\.[cm]?[jt]s$/ }],
    contentFolders: { "src/content": "", "src/pages": "" },
    tags: null,
    hasOwnAddresses: false,
    partsFolder: PARTS_WITH_LINE,
    settings: astroSettings,
  },
  {
    name: "VitePress",
    posts: NAMED_FOLDERS,
    listInText: "commas",
    settings: vitepressSettings,
    menus: vitepressMenus,
    marks: [{ name: /^\.vitepress$/ }],
    contentFolders: {},
    tags: null,
    hasFileAddresses: true,
  },
  {
    name: "VuePress",
    posts: NAMED_FOLDERS,
    listInText: "commas",
    marks: [{ name: /^\.vuepress$/ }],
    contentFolders: {},
    tags: null,
    hasFileAddresses: true,
    hasReadmePages: true,
  },
  {
    name: "MkDocs",
    posts: NAMED_FOLDERS,
    listInText: "commas",
    marks: [{ name: /^mkdocs\.ya?ml$/ }],
    contentFolders: { docs: "" },
    tags: null,
    hasReadmePages: true,
    termFolders: { categories: ["blog/category"], authors: ["blog/author"] },
    settings: mkdocsSettings,
    menus: mkdocsMenus,
  },
  {
    name: "mdBook",
    marks: [{ name: /^book\.toml$/ }],
    contentFolders: { src: "" },
    tags: null,
    hasFileAddresses: true,
    hasReadmePages: true,
    partsFolder: /(?:^|\/)SUMMARY\.md$/,
  },
  {
    name: "Eleventy",
    posts: POSTS_OF_ELEVENTY,
    termFolders: { tags: ["tags"] },
    marks: [{ name: /^(?:\.eleventy\.c?js|eleventy\.config\.[cm]?[jt]s)$/ }],
    contentFolders: {},
    tags: "liquid",
    dropsDates: true,
    hasNamesakePages: true,
    partsFolder: /(?:^|\/)_(?:includes|layouts|data|components)\//,
    settings: eleventySettings,
    hasMenuKeys: true,
    menus: (_read, { pages, main }) => weightedMenus(pages, { main, folders: [""] }),
  },
  {
    name: "Hexo",
    hasNestedCategories: true,
    posts: POSTS_OF_HEXO,
    termFolders: { tags: ["tags"], categories: ["categories"] },
    marks: [{ name: /^_config\.ya?ml$/, with: /^scaffolds$/ }],
    contentFolders: { source: "" },
    tags: "liquid",
    settings: hexoSettings,
  },
  {
    name: "Jekyll",
    posts: POSTS_OF_JEKYLL,
    listInText: "words",
    marks: [{ name: /^_config\.ya?ml$/ }],
    contentFolders: {},
    tags: "liquid",
    hasFileAddresses: true,
    hasReadmePages: true,
    datedFolder: /(?:^|\/)_posts\//,
    partsFolder: /(?:^|\/)_(?:includes|layouts|data|sass|site|plugins)\//,
    settings: jekyllSettings,
    menus: jekyllMenus,
  },
  {
    name: "Pelican",
    posts: postsOfPelican(),
    termFolders: { tags: ["tag"], categories: ["category"], authors: ["author"] },
    marks: [{ name: /^pelicanconf\.py$/ }],
    contentFolders: { content: "" },
    tags: null,
    metadata: "pelican",
    settings: pelicanSettings,
  },
  {
    name: "Nikola",
    posts: POSTS_OF_NIKOLA,
    termFolders: { tags: ["categories"] },
    marks: [{ name: /^conf\.py$/, says: /^POSTS\s*=/m }],
    contentFolders: { posts: "posts", pages: "" },
    tags: null,
    metadata: "nikola",
    settings: nikolaSettings,
  },
  {
    name: "Obsidian",
    listInText: "words-and-commas",
    marks: [{ name: /^\.obsidian$/ }],
    contentFolders: {},
    tags: null,
    hasWikiLinks: true,
  },
  {
    name: "Next.js",
    posts: NAMED_FOLDERS,
    listInText: "commas",
    marks: [{ name: /^next\.config\.[cm]?[jt]s$/ }],
    contentFolders: {
      ...{ "src/pages": "", pages: "", "src/content": "", content: "", public: "" },
      ...{ posts: "posts", _posts: "posts", "data/blog": "blog" },
    },
    tags: null,
    partsFolder: /^public\/.*\.html?$/i,
  },
  {
    name: "Gatsby",
    posts: NAMED_FOLDERS,
    listInText: "commas",
    marks: [{ name: /^gatsby-config\.[cm]?[jt]s$/ }],
    contentFolders: { "src/pages": "", content: "" },
    tags: null,
  },
  {
    name: "Nuxt",
    posts: NAMED_FOLDERS,
    listInText: "commas",
    marks: [{ name: /^nuxt\.config\.[cm]?[jt]s$/ }],
    contentFolders: { content: "" },
    tags: null,
    hasNumberedNames: true,
  },
];

/** A folder of HTML pages. */
export const PAGES: Program = {
  name: "HTML pages",
  marks: [],
  contentFolders: {},
  tags: null,
  hasFileAddresses: true,
};

/** A folder of Markdown from an unknown program, which left no settings. */
export const MARKDOWN: Program = {
  name: "Markdown",
  posts: NAMED_FOLDERS,
  listInText: "commas",
  marks: [],
  contentFolders: {},
  tags: null,
  hasReadmePages: true,
};
