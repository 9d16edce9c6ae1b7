import { AppError, type Wording } from "../../../errors.ts";
import { formerAddress } from "../../addresses/redirect-addresses.ts";
import { pathOfFile } from "../file-path.ts";
import type { FileLanguage } from "./file-languages.ts";
import type { Note } from "./note.ts";
import type { Program } from "./program.ts";

const ADDRESS_KEYS = ["redirect_from", "aliases", "redirectFrom"] as const;

/**
 * Moves former addresses from several keys to `redirectFrom`. They may be relative to the page, or
 * full URLs.
 */
export function collectRedirectFrom(
  values: Record<string, unknown>,
  { place, program, notes }: { place: FileLanguage; program: Program; notes: Note[] },
): void {
  const from = program.tags === "hugo" ? addressOf(values, place) : `/${place.sitePath}`;
  const all = new Set<string>();
  for (const key of ADDRESS_KEYS) {
    const raw = [values[key] ?? []].flat();
    if (key === "aliases" && areNames(raw, values["type"])) continue;
    delete values[key];
    for (const address of raw) {
      const read = formerAddressOf(String(address), from);
      if ("fault" in read) notes.push({ key, message: read.fault });
      else all.add(read.address);
    }
  }
  if (all.size > 0) values["redirectFrom"] = [...all];
}

/** The address of a page, from which Hugo resolves former ones; other programs start from its file. */
function addressOf(
  { path }: Readonly<Record<string, unknown>>,
  { sitePath }: FileLanguage,
): string {
  return typeof path === "string" ? path : pathOfFile(sitePath);
}

const TYPES_WITH_NAMES: ReadonlySet<unknown> = new Set(["topic", "author"]);

/** Whether `aliases` are other names rather than addresses. */
function areNames(aliases: readonly unknown[], type: unknown): boolean {
  const isNamed = aliases.length > 0 && TYPES_WITH_NAMES.has(type);
  return isNamed && !aliases.some((alias) => String(alias).includes("/"));
}

function formerAddressOf(raw: string, from: string): { address: string } | { fault: Wording } {
  const named = raw.slice(0, 100);
  const url = URL.parse(raw.trim(), `https://site.invalid${encodeURI(from)}`);
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
