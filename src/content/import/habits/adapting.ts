import { AppError, type Wording } from "../../../errors.ts";
import { formerAddress } from "../../addresses/redirect-addresses.ts";
import { SUMMARY_CHARACTERS_MAX } from "../../items/item.ts";
import type { FileLanguage } from "./file-languages.ts";
import { leadsOf, leadsOnTo } from "./leading-page.ts";
import { dayInName, type FolderHabits, placeBelow } from "./programs.ts";
import { type Untagged, withoutLiquid, withoutShortcodes } from "./template-tags.ts";
import { withoutWikiLinks } from "./wiki-links.ts";

interface Stated {
  file: string;
  values: Readonly<Record<string, unknown>>;
  body: string;
}

/** A file of another program, converted to the conventions of this one. */
export interface AdaptedFile {
  /** Null: not content, for the reason given. */
  place: FileLanguage | null;
  skipped: Wording | null;
  /** Of a page that only leads on: where from and to. */
  leads: readonly { from: string; to: string }[];
  values: Readonly<Record<string, unknown>>;
  body: string;
  /** What was changed or left out, by key or by line of the body. */
  notes: readonly Note[];
}

type Note = { message: Wording } & ({ key: string } | { bodyLine: number });

/**
 * Interprets a file by the conventions of the program it was written for. A date, an address or a
 * summary that cannot be used is left out with a note rather than failing the page.
 */
export function adaptFile(stated: Stated, habits: FolderHabits): AdaptedFile {
  const { file } = stated;
  const { program, languages } = habits;
  const below = placeBelow(file, program);
  const unused = { values: stated.values, body: stated.body, notes: [], leads: [] };
  if (below === null) return { ...unused, place: null, skipped: noContentOf(program.name) };
  const skipped = reasonToSkip(stated.values, below);
  const place = languages.of(below);
  if (skipped !== null) return { ...unused, place, skipped };
  const to = leadsOnTo(stated.values);
  if (to !== null) {
    const target = to.slice(0, 200);
    const reason = { en: `only leads on to ${target}`, de: `führt nur weiter zu ${target}` };
    return {
      ...unused,
      place,
      skipped: reason,
      leads: leadsOf(stated.values, { place, to, program }),
    };
  }
  const notes: Note[] = [];
  const texts = untagged(stated, habits);
  for (const { tag, line } of texts.unknown) {
    const message = {
      en: `${tag} shows something that ${program.name} made; it is left out`,
      de: `${tag} zeigt etwas, das ${program.name} erzeugt hat; es wird weggelassen`,
    };
    notes.push({ bodyLine: line, message });
  }
  const linked =
    program.hasWikiLinks === true ? withoutWikiLinks(texts.body, habits.fileNamed) : texts.body;
  const values = adaptedValues(stated, { place, habits, notes });
  return { place, skipped: null, leads: [], values, body: linked, notes };
}

function reasonToSkip(values: Readonly<Record<string, unknown>>, place: string): Wording | null {
  if (/^404\.\w+$/.test(place)) return MISSING_PAGE;
  return values["permalink"] === false ? NO_OWN_PAGE : null;
}

const MISSING_PAGE: Wording = {
  en: "is the page for missing addresses, which every site has here",
  de: "ist die Seite für fehlende Adressen, die hier jede Website von selbst hat",
};
const NO_OWN_PAGE: Wording = {
  en: "says that it has no page of its own",
  de: "sagt, dass es keine eigene Seite hat",
};

function noContentOf(program: string): Wording {
  return { en: `is no content of ${program}`, de: `ist kein Inhalt von ${program}` };
}

function untagged({ values, body }: Stated, { program }: FolderHabits): Untagged {
  if (program.tags === "hugo") return withoutShortcodes(body);
  if (program.tags === "liquid") return withoutLiquid(body, values);
  return { body, unknown: [] };
}

interface Surroundings {
  place: FileLanguage;
  habits: FolderHabits;
  /** Receives added notes. */
  notes: Note[];
}

function adaptedValues(
  { file, values: stated }: Stated,
  { place, habits: { program }, notes }: Surroundings,
): Record<string, unknown> {
  const values: Record<string, unknown> = { ...stated };
  const day = dayInName(file, program);
  if (day !== null) values["date"] ??= day;
  if (/(?:^|\/)_drafts\//.test(file)) values["draft"] ??= true;
  if (!hasLanguage(values) && place.language !== null) values["language"] = place.language;
  // Programs with wiki links use `aliases` for names, not for former addresses.
  if (program.hasWikiLinks === true) delete values["aliases"];
  usePath(values);
  if (program.hasFileAddresses === true) addFileAddress(values, place.place);
  dropWrongSlug(values, place.place, notes);
  dropWrongDate(values, notes);
  shortenSummary(values, notes);
  mendAddresses(values, { place, notes });
  return values;
}

function hasLanguage(values: Readonly<Record<string, unknown>>): boolean {
  return ["language", "lang"].some((key) => values[key] !== undefined && values[key] !== null);
}

/** Docusaurus states whole paths as `slug`, Hugo as `url`. */
function usePath(values: Record<string, unknown>): void {
  for (const key of ["slug", "url"]) {
    const value = values[key];
    if (typeof value !== "string" || !value.startsWith("/") || "path" in values) continue;
    delete values[key];
    values["path"] = value;
  }
}

function addFileAddress(values: Record<string, unknown>, place: string): void {
  const name = `/${place.replace(/\.\w+$/, "")}.html`;
  values["redirect_from"] = [values["redirect_from"] ?? [], name].flat();
}

/**
 * A slug with a dot looks like a file. The page takes its file's name instead; links find it by
 * either.
 */
function dropWrongSlug(values: Record<string, unknown>, place: string, notes: Note[]): void {
  const { slug } = values;
  if (typeof slug !== "string" || !slug.includes(".")) return;
  delete values["slug"];
  const former = `/${place.slice(0, place.lastIndexOf("/") + 1)}${slug}`;
  values["redirect_from"] = [values["redirect_from"] ?? [], former].flat();
  const name = slug.slice(0, 100);
  const message = {
    en: `"${name}" looks like a file; the page has its own file's name, and the old address leads there`,
    de: `„${name}“ sieht aus wie eine Datei; die Seite heißt wie ihre eigene Datei, und die alte Adresse führt dorthin`,
  };
  notes.push({ key: "slug", message });
}

function dropWrongDate(values: Record<string, unknown>, notes: Note[]): void {
  const { date } = values;
  if (date === undefined || date === null || date instanceof Date) return;
  if (!Number.isNaN(Date.parse(String(date).replace(/ ([+-]\d{4})$/, "$1")))) return;
  delete values["date"];
  const message = { en: "is no date and left out", de: "ist kein Datum und wird weggelassen" };
  notes.push({ key: "date", message });
}

const SUMMARY_KEYS = ["summary", "description", "excerpt"] as const;

/** The first paragraph becomes the summary. */
function shortenSummary(values: Record<string, unknown>, notes: Note[]): void {
  const key = SUMMARY_KEYS.find((name) => typeof values[name] === "string");
  if (key === undefined) return;
  const text = String(values[key]).trim();
  for (const name of SUMMARY_KEYS) delete values[name];
  if (text.length > SUMMARY_CHARACTERS_MAX) {
    const message = {
      en: `is longer than ${SUMMARY_CHARACTERS_MAX} characters and was shortened`,
      de: `ist länger als ${SUMMARY_CHARACTERS_MAX} Zeichen und wurde gekürzt`,
    };
    notes.push({ key, message });
  }
  values["summary"] = shortened(text);
}

/** Cut at a word, so that it fits as a summary. */
export function shortened(text: string): string {
  if (text.length <= SUMMARY_CHARACTERS_MAX) return text;
  const cut = text.slice(0, SUMMARY_CHARACTERS_MAX - 1);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(" "), SUMMARY_CHARACTERS_MAX / 2))}…`;
}

const ADDRESS_KEYS = ["redirect_from", "aliases", "redirectFrom"] as const;

/** Former addresses may be relative to the page or full URLs, under several keys. */
function mendAddresses(
  values: Record<string, unknown>,
  { place, notes }: Pick<Surroundings, "place" | "notes">,
): void {
  const all = new Set<string>();
  for (const key of ADDRESS_KEYS) {
    const stated = [values[key] ?? []].flat();
    if (stated.length === 0 || (key === "aliases" && areNames(stated, values["type"]))) continue;
    delete values[key];
    for (const address of stated) {
      const read = formerAddressOf(String(address), `/${place.place}`);
      if ("fault" in read) notes.push({ key, message: read.fault });
      else all.add(read.address);
    }
  }
  if (all.size > 0) values["redirectFrom"] = [...all];
}

/** Topics and authors use `aliases` for other names. */
function areNames(aliases: readonly unknown[], type: unknown): boolean {
  const isPage = type === undefined || type === null || type === "page";
  return !isPage && !aliases.some((alias) => String(alias).includes("/"));
}

function formerAddressOf(stated: string, from: string): { address: string } | { fault: Wording } {
  const named = stated.slice(0, 100);
  const url = URL.parse(stated.trim(), `https://site.invalid${encodeURI(from)}`);
  if (url === null) {
    const en = `"${named}" is no address and left out`;
    return { fault: { en, de: `„${named}“ ist keine Adresse und wird weggelassen` } };
  }
  try {
    return { address: formerAddress(url.pathname, null, "redirect_from") };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { en, de } = error.problems[0]?.message ?? error.wording;
    return {
      fault: { en: `"${named}" is left out: ${en}`, de: `„${named}“ wird weggelassen: ${de}` },
    };
  }
}
