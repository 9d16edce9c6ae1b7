import type { Wording } from "../../../errors.ts";
import type { PostFolders } from "../posts/post-folders.ts";
import type { PageAddressInput, PlaceholderResolver } from "./addresses/page-address-input.ts";
import type { ParsedMenus } from "./menus/foreign-menu.ts";
import type { WeightedEntry } from "./menus/weighted-entries.ts";
import type { MetadataSyntax } from "./metadata-lines.ts";
import type { ListSyntax } from "./terms/term-values.ts";

/** A file that identifies a site generator. */
export interface MarkerFile {
  /** Name of the file, which must be in the top folder. */
  name: RegExp;
  /** Text that the file must contain. */
  contains?: RegExp;
  /** Name of another file that must be in the same folder. */
  beside?: RegExp;
}

/** Returns the text of a settings file in the folder; null if there is none. */
export type ReadSettingsFile = (name: string) => string | null;

/** A site generator, or a similar tool such as Obsidian, whose folders can be imported. */
export interface SiteGenerator {
  /** The name as its makers spell it, for messages. */
  name: string;
  /** A folder that contains one of these files was written for this site generator. */
  markerFiles: readonly MarkerFile[];
  /** Content folders, each with its path on the site; empty: the whole folder is content. */
  contentFolders: Readonly<Record<string, string>>;
  /** Folders, besides those of content, whose files are served from the root of the site. */
  fileFolders?: readonly string[];
  /** Template syntax in texts; null: none. */
  tags: "liquid" | "hugo" | "zola" | null;
  /** Syntax of metadata at the top of texts, besides front matter; absent: none. */
  metadata?: MetadataSyntax;
  /** Whether texts can include other files by lines such as `--8<-- "a.md"`. */
  hasSnippets?: true;
  /** Whether texts link to notes by name, as in `[[Walden]]`. */
  hasWikiLinks?: true;
  /** Whether Markdown can contain components, as in files that end in `.mdx`. */
  hasComponents?: true;
  /** Whether numbers at the start of file names give the order, as in `02-setup.md`. */
  hasNumberedNames?: true;
  /**
   * Matches folders whose files have a date at the start of their names, such as
   * `_posts/2024-02-01-spring.md`.
   */
  datedFolder?: RegExp;
  /** Whether addresses omit a date at the start of the file name. */
  dropsDates?: true;
  /** Whether page addresses were file names, such as `/about.html`. */
  hasFileAddresses?: boolean;
  /**
   * Returns other spellings of an address that was made from the names of files, such as `/Our Rules`. Absent:
   * there is only the one spelling.
   */
  spellings?: (path: string) => string[];
  /**
   * The base of relative former addresses: the root of the site, or the page's address. Absent: the path of
   * the file.
   */
  formerAddressesIn?: "site" | "page";
  /** Whether a README is the page of its folder if the folder has no index. */
  hasReadmePages?: true;
  /** Whether `guide/guide.md` is the page of its folder. */
  hasNamesakePages?: true;
  /** Whether `id` in front matter is the last part of the page's address. */
  hasIds?: true;
  /**
   * False if `permalink`, `url` and `path` in front matter do not set the page's address; otherwise absent.
   */
  hasOwnAddresses?: false;
  /** Whether `permalink` can be a template, such as `/journal/{{ title | slugify }}/`. */
  hasComputedAddresses?: true;
  /** Whether `slug` in front matter is the page's whole address, not only the last part. */
  hasWholeSlugs?: true;
  /**
   * Whether the `slug` of a dated file is the whole address below the content folder, not only the last part.
   */
  hasWholeSlugsOfPosts?: true;
  /** Whether addresses are lower case. */
  hasLowerCaseAddresses?: true;
  /** Whether addresses of pages in the main language omit the language. */
  dropsMainLanguage?: boolean;
  mainLanguage?: string;
  /** Languages that the site generator's settings name. */
  languageNames?: readonly string[];
  /**
   * Whether the site generator generates lists of the pages in each top folder, and lists of the site's
   * tags, categories and authors.
   */
  listsSections?: true;
  /** Matches files that are not pages themselves: templates, settings, and fragments that pages include. */
  partFiles?: RegExp;
  /**
   * How the site generator splits a string where a list of tags is expected. Absent: the string is a single
   * tag.
   */
  listInText?: ListSyntax;
  /** The folders of posts; absent: the site generator has no posts. */
  posts?: PostFolders;
  /** Folders of the former tag, category and author pages, keyed by front matter key. */
  termFolders?: Readonly<Record<string, readonly string[]>>;
  /**
   * Whether categories in a list form a hierarchy: the page of each category is below the page of the
   * previous category.
   */
  hasNestedCategories?: true;
  /** Further front matter keys that name topics, in addition to the usual keys. */
  topicKeys?: readonly string[];
  /** Tags that hide a page from readers. */
  hidingTags?: readonly string[];
  /** Whether front matter can place pages in menus: `menu`, `menus`, `eleventyNavigation`. */
  hasMenuKeys?: true;
  /** Reads the navigation from settings and from the front matter of pages. */
  menus?: (read: ReadSettingsFile, raw: PageMenuEntries) => ParsedMenus;
  /**
   * Reads values from the folder's settings. These values override the other properties. `files` are the
   * folder's files.
   */
  settings?: (read: ReadSettingsFile, files: readonly string[]) => Partial<SiteGenerator>;
  /** The address that the settings give a page; null: the address follows from the file's folder and name. */
  addressOf?: (page: PageAddressInput) => string | null;
  /** Placeholders in front matter addresses whose meaning differs from Hugo's. */
  placeholders?: Readonly<Record<string, PlaceholderResolver>>;
  /** Default front matter for a file, from the settings. */
  defaultsOf?: (file: string) => Readonly<Record<string, unknown>>;
  /** Messages for the import report, about settings that cannot be read. */
  notes?: readonly Wording[];
  /** Whether the settings exclude a file from the site. */
  isExcluded?: (file: string) => boolean;
  /** Whether the settings include a file that is usually left out. */
  isIncluded?: (file: string) => boolean;
  /** Values from the settings that texts can insert, keyed by name. */
  siteValues?: Readonly<Record<string, string>>;
}

export interface PageMenuEntries {
  pages: readonly WeightedEntry[];
  /** The main language, as a BCP 47 tag. */
  main: string;
}
