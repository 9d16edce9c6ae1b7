import { slugOf } from "../../../addresses/paths.ts";
import type { Program } from "../program.ts";

/** Singular keys, whose pages are in the folder of the plural. */
const LISTED_AS: ReadonlyMap<string, string> = new Map([
  ["tag", "tags"],
  ["category", "categories"],
  ["author", "authors"],
]);

/** The addresses that a tag, category or author had on the former site. */
export function formerLists(
  name: string,
  key: string,
  {
    program,
    prefix,
    above,
  }: {
    program: Pick<Program, "termFolders" | "name">;
    prefix: string;
    /** The categories that contain it, the outermost first. */
    above: readonly string[];
  },
): string[] {
  const folders = program.termFolders ?? {};
  const listed = LISTED_AS.get(key) ?? key;
  const found = Object.hasOwn(folders, listed) ? folders[listed] : undefined;
  const parts = [...above, name].map(slugIn(program.name));
  if (parts.includes("")) return [];
  return (found ?? []).map((folder) => `/${prefix}${folder}/${parts.join("/")}`);
}

/** Programs make URL segments from names in different ways. */
function slugIn(program: string): (name: string) => string {
  switch (program) {
    case "Hugo":
      return (name) => hyphened(name.toLowerCase().replace(/[^\p{L}\p{N}\p{M}_.+\s-]/gu, ""));
    case "Hexo":
      return (name) => hyphened(name.replace(/[\s~`!@#$%^&*()\-_+=[\]{}|\\;:"'<>,.?/]+/g, "-"));
    default:
      return slugOf;
  }
}

function hyphened(name: string): string {
  return name
    .trim()
    .replace(/\s+/g, "-")
    .replace(/^-+|-+$/g, "");
}
