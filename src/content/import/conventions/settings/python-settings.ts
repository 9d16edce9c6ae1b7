import { slugOf } from "../../../addresses/paths.ts";
import { NIKOLA_POST_FOLDERS, pelicanPostFolders } from "../../posts/post-folders.ts";
import type { PageAddressInput } from "../addresses/page-address-input.ts";
import type { ReadSettingsFile, SiteGenerator } from "../site-generator.ts";
import { fillPermalink } from "./permalinks.ts";

/** Reads Pelican's settings, which are a script that is not run: only string literals are read. */
export function readPelicanSettings(read: ReadSettingsFile): Partial<SiteGenerator> {
  const python = withoutComments(read("pelicanconf.py") ?? "");
  const folder = bare(textAt("PATH", python) ?? "content");
  const pages = bare(listAt("PAGE_PATHS", python)[0] ?? "pages");
  const pageUrlTemplate = textAt("PAGE_URL", python) ?? "pages/{slug}.html";
  const postUrlTemplate = textAt("ARTICLE_URL", python) ?? "{slug}.html";
  const language = textAt("DEFAULT_LANG", python);
  return {
    contentFolders: folder === "" ? {} : { [folder]: "" },
    posts: pelicanPostFolders(folder, pages),
    ...(language === null ? {} : { mainLanguage: language }),
    addressOf(page) {
      const saved = page.values["save_as"];
      if (typeof saved === "string" && saved !== "") return saved;
      const isPage = page.place.startsWith(`${pages}/`);
      return fillPermalink(patternOf(isPage ? pageUrlTemplate : postUrlTemplate), page, {
        slug: slugOfPage,
      });
    },
  };
}

const PELICAN_PLACEHOLDERS: Readonly<Record<string, string>> = {
  "{slug}": ":slug",
  "{category}": ":category",
  "{date:%Y}": ":year",
  "{date:%m}": ":month",
  "{date:%d}": ":day",
};

/** Converts a pattern of addresses: `{date:%Y}/{slug}/` → `:year/:slug/`. */
function patternOf(address: string): string {
  return address.replaceAll(
    /\{[^{}]*\}/g,
    (placeholder) => PELICAN_PLACEHOLDERS[placeholder] ?? ":unknown",
  );
}

function slugOfPage({ values, file }: PageAddressInput): string {
  const name = file.slice(file.lastIndexOf("/") + 1).replace(/\.\w+$/, "");
  return slugOf(String(values["slug"] ?? values["title"] ?? name));
}

/** Reads Nikola's settings, which are a script that is not run: only string literals are read. */
export function readNikolaSettings(read: ReadSettingsFile): Partial<SiteGenerator> {
  const python = withoutComments(read("conf.py") ?? "");
  const posts = foldersAt("POSTS", python);
  const pages = [...foldersAt("PAGES", python), ...foldersAt("STORIES", python)];
  const language = textAt("DEFAULT_LANG", python);
  return {
    contentFolders: Object.fromEntries([...pages, ...posts]),
    posts: { ...NIKOLA_POST_FOLDERS, files: startingWith(posts.map(([folder]) => folder)) },
    hasFileAddresses: /^PRETTY_URLS\s*=\s*False\b/m.test(python),
    ...(language === null ? {} : { mainLanguage: language }),
  };
}

/** The folders in `POSTS = (("posts/*.md", "blog", "post.tmpl"),)` and their paths on the site. */
function foldersAt(name: string, python: string): [folder: string, place: string][] {
  const start = new RegExp(`^${name}\\s*=\\s*[([]`, "m").exec(python);
  if (start === null) return [];
  const rest = python.slice(start.index);
  const end = rest.search(/^[)\]]/m);
  const tuples = (end < 0 ? rest.slice(0, TUPLES_CHARACTERS_MAX) : rest.slice(0, end)).matchAll(
    TUPLE,
  );
  return [...tuples].map(([, folder = "", place = ""]) => [bare(folder), bare(place)]);
}

const TUPLES_CHARACTERS_MAX = 2000;
const TUPLE = /\(\s*["']([^"'*]{1,200})\*[^"']{0,50}["']\s*,\s*["']([^"']{0,200})["']/g;

function startingWith(folders: readonly string[]): RegExp {
  const names = folders.map((folder) => folder.replaceAll(/[^\w/]/g, "\\$&"));
  return new RegExp(`^(?:${names.join("|")})/`);
}

function textAt(name: string, python: string): string | null {
  return new RegExp(`^${name}\\s*=\\s*r?["']([^"'\\n]{0,200})["']`, "m").exec(python)?.[1] ?? null;
}

function listAt(name: string, python: string): string[] {
  const [, list = ""] =
    new RegExp(`^${name}\\s*=\\s*\\[([^\\]]{0,2000})\\]`, "m").exec(python) ?? [];
  return [...list.matchAll(/["']([^"'\n]{0,200})["']/g)].map(([, text = ""]) => text);
}

function withoutComments(python: string): string {
  return python.replaceAll(/^[ \t]*#.*$/gm, "");
}

function bare(folder: string): string {
  return folder.replace(/^\.(?:\/|$)/, "").replace(/^\/+|\/+$/g, "");
}
