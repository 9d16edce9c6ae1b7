import { AppError, type Wording } from "../../../../errors.ts";
import { parseFormerAddress } from "../../../addresses/redirect-addresses.ts";
import { deriveSitePath } from "../../file-path.ts";
import type { ConversionNote } from "../conversion-note.ts";
import type { FileWithLanguage } from "../file-languages.ts";
import type { SiteGenerator } from "../site-generator.ts";

const ADDRESS_KEYS = ["redirect_from", "aliases", "redirectFrom"] as const;

/**
 * Moves former addresses from several keys to `redirectFrom`. The addresses may be full URLs or
 * relative to the page.
 */
export function normalizeFormerAddressKeys(
  values: Record<string, unknown>,
  {
    place,
    generator,
    notes,
  }: { place: FileWithLanguage; generator: SiteGenerator; notes: ConversionNote[] },
): void {
  const base = baseOf(values, { place, generator });
  const all = new Set<string>();
  for (const key of ADDRESS_KEYS) {
    const raw = [values[key] ?? []].flat();
    if (key === "aliases" && areNames(raw, values["type"])) continue;
    delete values[key];
    for (const address of raw) {
      const former = formerAddressOf(String(address), base);
      if ("fault" in former) notes.push({ key, message: former.fault });
      else all.add(former.address);
    }
  }
  if (all.size > 0) values["redirectFrom"] = [...all];
}

/** The address against which relative former addresses are resolved. */
function baseOf(
  { path }: Readonly<Record<string, unknown>>,
  { place: { sitePath }, generator }: { place: FileWithLanguage; generator: SiteGenerator },
): string {
  switch (generator.formerAddressesIn) {
    case "site":
      return "/";
    case "page":
      return typeof path === "string" ? path : deriveSitePath(sitePath);
    default:
      return `/${sitePath}`;
  }
}

const TYPES_WITH_NAMES: ReadonlySet<unknown> = new Set(["topic", "author"]);

/** Whether `aliases` are other names of the item rather than addresses. */
function areNames(aliases: readonly unknown[], type: unknown): boolean {
  const isNamed = aliases.length > 0 && TYPES_WITH_NAMES.has(type);
  return isNamed && !aliases.some((alias) => String(alias).includes("/"));
}

function formerAddressOf(raw: string, base: string): { address: string } | { fault: Wording } {
  const shownAddress = raw.slice(0, 100);
  const url = URL.parse(raw.trim(), `https://site.invalid${encodeURI(base)}`);
  if (url === null) {
    const en = `"${shownAddress}" is not an address and is left out`;
    return { fault: { en, de: `„${shownAddress}“ ist keine Adresse und wird weggelassen` } };
  }
  try {
    const address = parseFormerAddress(url.pathname, null, "redirect_from");
    // Encodes these characters, because saving decodes the address again.
    return { address: address.replaceAll(/[%#?]/g, encodeURIComponent) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { en, de } = error.problems[0]?.message ?? error.wording;
    return {
      fault: {
        en: `"${shownAddress}" is left out: ${en}`,
        de: `„${shownAddress}“ wird weggelassen: ${de}`,
      },
    };
  }
}
