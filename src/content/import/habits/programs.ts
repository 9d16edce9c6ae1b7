import { isHtmlFile } from "../file-path.ts";
import { type FileLanguages, languagesOf } from "./file-languages.ts";
import { filesByName } from "./wiki-links.ts";

/** A publishing program whose folders can be imported as they are. */
export interface Program {
  /** The program's name as its makers spell it, for messages. */
  name: string;
  /** Names in the top folder that only this program uses. */
  marks: RegExp;
  /** Content folders, each with its path on the site; none: the whole folder. */
  contentFolders: Readonly<Record<string, string>>;
  /** Template syntax in texts; null: none. */
  tags: "liquid" | "hugo" | null;
  /** Whether texts link to notes by name: `[[Walden]]`. */
  hasWikiLinks?: true;
  /** Whether numbers at the start of file names give the order: `02-setup.md`. */
  hasNumberedNames?: true;
  /** Folders whose file names start with a date: `_posts/2024-02-01-spring.md`. */
  datedFolder?: RegExp;
  /** Whether its page addresses were file names, such as `/about.html`. */
  hasFileAddresses?: true;
  /** Folders of templates and settings. */
  partsFolder?: RegExp;
}

/** In order of detection. */
const PROGRAMS: readonly Program[] = [
  {
    name: "Hugo",
    marks: /^hugo\.(?:toml|ya?ml|json)$/,
    contentFolders: { content: "" },
    tags: "hugo",
  },
  {
    name: "Docusaurus",
    marks: /^docusaurus\.config\.[cm]?[jt]s$/,
    contentFolders: { docs: "docs", blog: "blog", "src/pages": "" },
    tags: null,
    hasNumberedNames: true,
    datedFolder: /^blog\//,
  },
  {
    name: "Astro",
    marks: /^astro\.config\.[cm]?[jt]s$/,
    contentFolders: { "src/content": "", "src/pages": "" },
    tags: null,
  },
  {
    name: "Eleventy",
    marks: /^(?:\.eleventy\.js|eleventy\.config\.[cm]?[jt]s)$/,
    contentFolders: {},
    tags: "liquid",
  },
  {
    name: "Jekyll",
    marks: /^_config\.ya?ml$/,
    contentFolders: {},
    tags: "liquid",
    hasFileAddresses: true,
    datedFolder: /(?:^|\/)_posts\//,
    partsFolder: /(?:^|\/)_(?:includes|layouts|data|sass|site)\//,
  },
  { name: "Obsidian", marks: /^\.obsidian$/, contentFolders: {}, tags: null, hasWikiLinks: true },
];

/** A folder of HTML pages. */
const PAGES: Program = {
  name: "HTML pages",
  marks: /^$/,
  contentFolders: {},
  tags: null,
  hasFileAddresses: true,
};

/** Keys that only Jekyll pages have, to detect folders without its settings. */
const JEKYLL_KEYS: ReadonlySet<string> = new Set(["layout", "redirect_from", "redirect_to"]);
const HUGO_SHORTCODE = /\{\{[<%] *\/? *[\w-]+/;

export interface FolderHabits {
  program: Program;
  languages: FileLanguages;
  /** Resolves links by name. */
  fileNamed: (name: string) => string | undefined;
}

/** What is known about a folder before its files are imported. */
export interface FolderSigns {
  /** Names in the top folder, hidden ones included. */
  topNames: readonly string[];
  /** All files, relative to the folder. */
  files: readonly string[];
  /** Those that are texts. */
  texts: readonly string[];
  /** The language of texts that state none. */
  language: string;
  keysOf(file: string): readonly string[];
  textOf(file: string): string;
}

/**
 * Detects the program that a folder was written for, by its settings or else by the look of its
 * files. Null: a folder written for this service, or by hand.
 */
export function habitsOf(signs: FolderSigns): FolderHabits | null {
  const program = programOf(signs);
  if (program === null) return null;
  const places = signs.texts.flatMap((file) => placeBelow(file, program) ?? []);
  const languages = languagesOf(places, signs.language);
  return { program, languages, fileNamed: filesByName(signs.files) };
}

function programOf({ topNames, texts, keysOf, textOf }: FolderSigns): Program | null {
  const marked = PROGRAMS.find(({ marks }) => topNames.some((name) => marks.test(name)));
  if (marked !== undefined) return marked;
  const named = (name: string) => PROGRAMS.find((program) => program.name === name) ?? null;
  if (topNames.includes("content") && texts.some((file) => HUGO_SHORTCODE.test(textOf(file)))) {
    return named("Hugo");
  }
  const isJekyll = texts.some((file) => keysOf(file).some((key) => JEKYLL_KEYS.has(key)));
  if (isJekyll) return withoutFileAddresses(named("Jekyll"));
  return texts.some(isHtmlFile) ? PAGES : null;
}

/** Without settings, the form of the old page addresses is unknown. */
function withoutFileAddresses(program: Program | null): Program | null {
  if (program === null) return null;
  const { hasFileAddresses: _unknown, ...rest } = program;
  return rest;
}

const DATED_NAME = /(^|\/)(\d{4})-(\d{2})-(\d{2})-([^/]+)$/;

/** A file's path on the site, from its path in the folder; null: not content. */
export function placeBelow(file: string, program: Program): string | null {
  const { contentFolders, hasNumberedNames, datedFolder, partsFolder } = program;
  if (partsFolder?.test(file) === true) return null;
  const folders = Object.entries(contentFolders);
  const within = folders.find(([folder]) => file.startsWith(`${folder}/`));
  if (folders.length > 0 && within === undefined) return null;
  const [folder = "", place = ""] = within ?? [];
  const rest = folder === "" ? file : file.slice(folder.length + 1);
  const whole = place === "" ? rest : `${place}/${rest}`;
  const dated =
    datedFolder?.test(whole) === true ? whole.replace(DATED_NAME, "$1$2/$3/$4/$5") : whole;
  const named = hasNumberedNames === true && dated === whole ? withoutNumbers(dated) : dated;
  return named.replace(/(^|\/)_(?:posts|drafts)\//, "$1").replace(/^_(?!index\.)/, "");
}

/** The date at the start of a file name, in a folder of dated files: `2024-02-01`. */
export function dayInName(file: string, { datedFolder }: Program): string | null {
  const [, , year, month, day] = DATED_NAME.exec(file) ?? [];
  return year === undefined || datedFolder?.test(file) !== true ? null : `${year}-${month}-${day}`;
}

function withoutNumbers(file: string): string {
  return file
    .split("/")
    .map((part) => part.replace(/^\d{1,4}[-_. ]+(?=\D)/, ""))
    .join("/");
}
