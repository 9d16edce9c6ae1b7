import { postsOfDocusaurus } from "../../posts/post-folders.ts";
import type { Program, ReadSettings } from "../program.ts";

const ENDINGS = ["js", "mjs", "cjs", "ts", "mts"] as const;

/**
 * Finds the addresses of documents and posts in Docusaurus' settings, which are a JavaScript
 * program.
 */
export function docusaurusSettings(read: ReadSettings): Partial<Program> {
  const settings = settingsOf("docusaurus.config", read);
  const docs = partOf(settings, "docs", "docs");
  const blog = partOf(settings, "blog", "blog");
  const isSibling = docs.folder === "docs";
  return {
    contentFolders: {
      [docs.folder]: docs.place,
      ...(isSibling ? { "../docs": docs.place } : {}),
      [blog.folder]: blog.place,
      ...furtherParts(settings),
      "src/pages": "",
    },
    termFolders: {
      tags: [blog, docs].map(({ place }) => below(place, "tags")),
      authors: [below(blog.place, "authors")],
    },
    posts: postsOfDocusaurus(blog),
    datedFolder: new RegExp(`^${escaped(blog.place)}/|^${escaped(blog.folder)}/`),
    ...languageIn(settings),
  };
}

function below(place: string, name: string): string {
  return place === "" ? name : `${place}/${name}`;
}

/**
 * A plugin with its own folder and address: `{ path: "community", routeBasePath: "/community" }`.
 */
const PART =
  /\bpath:\s*["'`]([^"'`\n]{1,200})["'`][^{}]{0,500}?\brouteBasePath:\s*["'`]([^"'`\n]{0,200})["'`]/g;

function furtherParts(settings: string): Record<string, string> {
  const parts = [...settings.matchAll(PART)];
  return Object.fromEntries(
    parts.map(([, folder = "", place = ""]) => [bare(folder), bare(place)] as const),
  );
}

function bare(path: string): string {
  return path.replace(/^\.?\/|\/$/g, "");
}

/** With Starlight, Astro's collection `docs` is the whole site. */
export function starlightSettings(read: ReadSettings): Partial<Program> {
  const settings = settingsOf("astro.config", read);
  return /starlight/i.test(settings)
    ? {
        contentFolders: { "src/content/docs": "", "src/pages": "" },
        hasWholeSlugs: true,
        ...languageIn(settings),
      }
    : {};
}

function settingsOf(name: string, read: ReadSettings): string {
  return ENDINGS.map((ending) => read(`${name}.${ending}`)).find((text) => text !== null) ?? "";
}

/** The folder and address of a part such as `docs`, from its settings. */
function partOf(settings: string, name: string, usual: string): { folder: string; place: string } {
  const [, options = ""] = new RegExp(`\\b${name}:\\s*\\{([^{}]{0,2000})`).exec(settings) ?? [];
  return {
    folder: bare(textAfter("path", options) ?? usual),
    place: bare(textAfter("routeBasePath", options) ?? usual),
  };
}

function languageIn(settings: string): Pick<Program, "mainLanguage"> {
  const language = textAfter("defaultLocale", settings);
  return language === undefined ? {} : { mainLanguage: language };
}

function textAfter(key: string, text: string): string | undefined {
  return new RegExp(`\\b${key}:\\s*["'\`]([^"'\`\\n]{0,200})["'\`]`).exec(text)?.[1];
}

function escaped(text: string): string {
  return text.replaceAll(/[^\w/]/g, "\\$&");
}
