import { slugOf } from "../../../addresses/paths.ts";
import type { SiteGenerator } from "../site-generator.ts";

/** Plurals of singular keys: the folders of tag, category and author pages have plural names. */
const PLURAL_KEYS: ReadonlyMap<string, string> = new Map([
  ["tag", "tags"],
  ["category", "categories"],
  ["author", "authors"],
]);

/** The addresses that the pages of a tag, category or author had on the former site. */
export function listFormerTermAddresses(
  name: string,
  key: string,
  {
    generator,
    prefix,
    above,
  }: {
    generator: Pick<SiteGenerator, "termFolders" | "name">;
    prefix: string;
    /** The categories above a category, outermost first. */
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

/** Returns the function by which a site generator makes URL segments from names. */
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
