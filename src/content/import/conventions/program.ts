import type { PostFolders } from "../posts/post-folders.ts";
import type { ReadMenus } from "./menus/foreign-menu.ts";
import type { WeightedEntry } from "./menus/weighted-entries.ts";
import type { MetadataLines } from "./metadata-lines.ts";
import type { ListInText } from "./terms/term-values.ts";

/** A file by which a program is detected. */
export interface Mark {
  /** Its name in the top folder. */
  name: RegExp;
  /** Text it must contain. */
  says?: RegExp;
  /** Another file that must be next to it. */
  with?: RegExp;
}

/** The facts from which the address of a page is derived. */
export interface AddressedPage {
  /** Its path in the folder. */
  file: string;
  /** Its path on the site, from its folder and name. */
  place: string;
  values: Readonly<Record<string, unknown>>;
  /** `2024-02-01`; null if neither file name nor front matter have a date. */
  day: string | null;
}

/** Returns the text of a settings file in the folder; null if there is none. */
export type ReadSettings = (name: string) => string | null;

/** A publishing program whose folders can be imported as they are. */
export interface Program {
  /** The program's name as its makers spell it, for messages. */
  name: string;
  /** One match is enough. */
  marks: readonly Mark[];
  /** Content folders, each with its path on the site; none: the whole folder. */
  contentFolders: Readonly<Record<string, string>>;
  /** Further folders of pictures and files that are served from the root of the site. */
  fileFolders?: readonly string[];
  /** Template syntax in texts; null: none. */
  tags: "liquid" | "hugo" | "zola" | null;
  /** How texts state metadata, if not only as front matter. */
  metadata?: MetadataLines;
  /** Whether texts link to notes by name: `[[Walden]]`. */
  hasWikiLinks?: true;
  /** Whether Markdown may contain components, as in files that end in `.mdx`. */
  hasComponents?: true;
  /** Whether numbers at the start of file names give the order: `02-setup.md`. */
  hasNumberedNames?: true;
  /** Folders whose file names start with a date: `_posts/2024-02-01-spring.md`. */
  datedFolder?: RegExp;
  /** Whether a date at the start of a name is no part of the address. */
  dropsDates?: true;
  /** Whether its page addresses were file names, such as `/about.html`. */
  hasFileAddresses?: boolean;
  /** Whether a README is the page of its folder, where that has no index. */
  hasReadmePages?: true;
  /** Whether `guide/guide.md` is the page of its folder. */
  hasNamesakePages?: true;
  /** Whether `id` is the last part of the address. */
  hasIds?: true;
  /** False: `permalink`, `url` and `path` are no addresses of pages. */
  hasOwnAddresses?: false;
  /** Whether `slug` is the whole address. */
  hasWholeSlugs?: true;
  /** Whether `slug` of a dated file is the whole address below its content folder. */
  hasWholeSlugsOfPosts?: true;
  /** Whether addresses are lower case. */
  lowersAddresses?: true;
  /** Whether addresses of pages in the main language omit the language. */
  dropsMainLanguage?: boolean;
  mainLanguage?: string;
  /** Languages that its settings name. */
  languageNames?: readonly string[];
  /**
   * Whether it makes pages that list the pages of each top folder, and the tags, categories and
   * authors of the site.
   */
  listsSections?: true;
  /** Folders of templates, settings and parts of pages. */
  partsFolder?: RegExp;
  /** How the program splits a text where it expects a list of tags; absent: the text is one tag. */
  listInText?: ListInText;
  /** Where the program keeps posts; absent: it has none. */
  posts?: PostFolders;
  /** Folders of the former tag, category and author pages, by key of front matter. */
  termFolders?: Readonly<Record<string, readonly string[]>>;
  /**
   * Whether a list of categories is a hierarchy: the page of each is below that of the one before
   * it.
   */
  hasNestedCategories?: true;
  /** Further keys of front matter that name topics. */
  topicKeys?: readonly string[];
  /** Whether front matter can place pages in menus: `menu`, `menus`, `eleventyNavigation`. */
  hasMenuKeys?: true;
  /** Reads the navigation from settings and from the front matter of pages. */
  menus?: (read: ReadSettings, raw: MenuEntriesOfPages) => ReadMenus;
  /** Overrides from the folder's settings; `files` are those of its folder. */
  settings?: (read: ReadSettings, files: readonly string[]) => Partial<Program>;
  /** The address that the settings give a page; null: it follows from folder and name. */
  addressOf?: (page: AddressedPage) => string | null;
  /** Whether the settings leave a file out. */
  leavesOut?: (file: string) => boolean;
  /** Whether the settings include a file that is usually left out. */
  takes?: (file: string) => boolean;
  /** Values of the settings that texts may insert, by name. */
  siteValues?: Readonly<Record<string, string>>;
}

export interface MenuEntriesOfPages {
  pages: readonly WeightedEntry[];
  /** The main language, as a BCP 47 tag. */
  main: string;
}
