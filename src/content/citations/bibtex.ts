import { joinGivenAndFamily, splitParticles } from "./citation-names.ts";
import {
  type CitedName,
  type CitedReference,
  citationNote,
  citedDateOf,
  formatYear,
} from "./reference.ts";

const ENTRY_TYPES = {
  whole: "book",
  part: "incollection",
  journal: "article",
  periodical: "article",
  page: "misc",
} as const;

/** The field for the book, journal or website that contains the part, article or page. */
const CONTAINER_FIELDS = {
  whole: null,
  part: "booktitle",
  journal: "journal",
  periodical: "journal",
  page: "howpublished",
} as const;

const LATEX_COMMANDS: Readonly<Record<string, string>> = {
  "\\": "\\textbackslash{}",
  // Replaces braces with commands. BibTeX counts even escaped braces, so an unbalanced brace would end the
  // entry.
  "{": "\\textbraceleft{}",
  "}": "\\textbraceright{}",
  "~": "\\textasciitilde{}",
  "^": "\\textasciicircum{}",
};

/**
 * A reference as a BibTeX entry in UTF-8 (https://ctan.org/pkg/bibtex, "BibTeXing"). The title is in double
 * braces, because styles would otherwise change its capitals.
 */
export function bibtexEntry(key: string, reference: CitedReference): string {
  const { kind, title, authors, translators = [], container, publisher, url } = reference;
  const date = citedDateOf(reference);
  const containerField = CONTAINER_FIELDS[kind];
  const lines = [
    line("author", nameList(authors)),
    line("translator", nameList(translators)),
    line("title", `{${escaped(title)}}`),
    containerField === null ? "" : line(containerField, escaped(container ?? "")),
    line("year", date === undefined ? "" : formatYear(date.year, "BCE")),
    line("publisher", escaped(publisher ?? "")),
    line("note", escaped(citationNote(reference))),
    line("url", url ?? ""),
  ];
  return `@${ENTRY_TYPES[kind]}{${key},\n${lines.join("")}}`;
}

function line(field: string, value: string): string {
  return value === "" ? "" : `\t${field} = {${value}},\n`;
}

function nameList(names: readonly CitedName[]): string {
  return names.map(nameText).join(" and ");
}

/**
 * `von Goethe, Johann Wolfgang`. Particles such as `von` come before the family name, because their
 * position decides how BibTeX sorts and prints them.
 */
function nameText(name: CitedName): string {
  // Braces protect a name without a family name from being split.
  if ("literal" in name) return `{${escaped(name.literal)}}`;
  const { given, particles } = splitParticles(name.given);
  const family = partOfName(name.family);
  const whole = particles === "" ? family : joinGivenAndFamily(escaped(particles), family);
  return `${whole}, ${partOfName(given)}`;
}

/** Braces protect a part that contains a comma or "and" from being split. */
function partOfName(part: string): string {
  return /,| and /.test(part) ? `{${escaped(part)}}` : escaped(part);
}

function escaped(text: string): string {
  return text.replaceAll(
    /[\\{}~^&%$#_]/g,
    (character) => LATEX_COMMANDS[character] ?? `\\${character}`,
  );
}
