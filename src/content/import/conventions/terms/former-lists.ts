import { slugOf } from "../../../addresses/paths.ts";
import type { SiteGenerator } from "../site-generator.ts";

/** Plurals of the singular keys. The folders of tag, category and author pages have plural names. */
const PLURAL_KEYS: ReadonlyMap<string, string> = new Map([
  ["tag", "tags"],
  ["category", "categories"],
  ["author", "authors"],
]);

/** The addresses that a tag, category or author had on the former site. */
export function formerLists(
  name: string,
  key: string,
  {
    generator,
    prefix,
    above,
  }: {
    generator: Pick<SiteGenerator, "termFolders" | "name">;
    prefix: string;
    /** The categories that contain this one, the outermost first. */
    above: readonly string[];
  },
): string[] {
  const folders = generator.termFolders ?? {};
  const pluralKey = PLURAL_KEYS.get(key) ?? key;
  const listFolders = Object.hasOwn(folders, pluralKey) ? folders[pluralKey] : undefined;
  const parts = [...above, name].map(slugFunctionOf(generator.name));
  if (parts.includes("")) return [];
  return (listFolders ?? []).map((folder) => `/${prefix}${folder}/${parts.join("/")}`);
}

/**
 * Returns the function with which a site generator made URL segments from names. Each does so in its own way.
 */
function slugFunctionOf(generator: string): (name: string) => string {
  switch (generator) {
    case "Hugo":
      return (name) => hyphenated(name.toLowerCase().replace(/[^\p{L}\p{N}\p{M}_.+\s-]/gu, ""));
    case "Hexo":
      return (name) => hyphenated(name.replace(/[\s~`!@#$%^&*()\-_+=[\]{}|\\;:"'<>,.?/]+/g, "-"));
    default:
      return slugOf;
  }
}

function hyphenated(name: string): string {
  return name
    .trim()
    .replace(/\s+/g, "-")
    .replace(/^-+|-+$/g, "");
}
