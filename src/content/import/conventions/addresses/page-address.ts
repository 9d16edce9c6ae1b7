import type { Wording } from "../../../../errors.ts";
import {
  deriveSitePath,
  pagePathFromForeignAddress,
  removeTrailingSlash,
} from "../../file-path.ts";
import { isRecord } from "../../item-parsing.ts";
import type { ConversionNote } from "../conversion-note.ts";
import type { FileWithLanguage } from "../file-languages.ts";
import { fillPermalink } from "../settings/permalinks.ts";
import type { SiteGenerator } from "../site-generator.ts";
import { fillAddressTemplate, TEMPLATE_TAG_START } from "./address-template.ts";
import type { PageAddressInput } from "./page-address-input.ts";
import { parseDateInFileName } from "./site-paths.ts";

interface Page {
  /** The file's path in the site generator's folder. */
  file: string;
  place: FileWithLanguage;
  values: Readonly<Record<string, unknown>>;
}

interface ExplicitAddress {
  path: string;
  /**
   * The specified address in two spellings: as written, and without `.html`. A spelling equal to `path` is
   * left out.
   */
  former: readonly string[];
}

/**
 * The address that the page or the settings specify; null: the address follows from folder and name. Adds a
 * note if the address is a template that cannot be filled.
 */
export function findExplicitAddress(
  page: Page,
  generator: SiteGenerator,
  notes: ConversionNote[],
): ExplicitAddress | null {
  const raw = rawAddress(page, generator, notes);
  if (raw === null || TEMPLATE_TAG_START.test(raw)) return null;
  const bare = removeTrailingSlash(raw.replace(/(?:\/index)?\.(?:x?html|htm)$/i, ""));
  const path = pagePathFromForeignAddress(bare);
  const former = [raw, bare].filter((each) => removeTrailingSlash(each) !== path);
  return { path, former: [...new Set(former)] };
}

function rawAddress(
  { file, place, values }: Page,
  generator: SiteGenerator,
  notes: ConversionNote[],
): string | null {
  const addressed = {
    file,
    place: place.sitePath.slice(place.prefix.length),
    values,
    day: dayOf(file, values, generator),
  };
  const stated = statedAddress(addressed, generator, notes);
  if (stated !== null) return stated;
  const slug = values["slug"];
  const isPost = generator.datedFolder?.test(file) === true;
  const isWhole =
    generator.hasWholeSlugs === true || (isPost && generator.hasWholeSlugsOfPosts === true);
  if (typeof slug === "string" && (slug.includes("/") || isWhole)) {
    const isRelative = generator.hasIds === true && !isWhole && !slug.startsWith("/");
    const base = isRelative
      ? deriveSitePath(place.sitePath.replace(/[^/]*$/, ""))
      : folderOf(place, generator);
    return `${base}/${slug}`.replaceAll(/\/{2,}/g, "/");
  }
  const derived = generator.addressOf?.(addressed) ?? null;
  if (derived !== null) {
    const cased = generator.hasLowerCaseAddresses === true ? derived.toLowerCase() : derived;
    // An address derived from a post's folders may already begin with the language of the post.
    const isPrefixed = cased.startsWith(`/${place.prefix}`);
    return `/${isPrefixed ? "" : place.prefix}${cased}`.replaceAll(/\/{2,}/g, "/");
  }
  return addressFromId({ place, values }, generator);
}

function statedAddress(
  page: PageAddressInput,
  generator: SiteGenerator,
  notes: ConversionNote[],
): string | null {
  const keys = generator.hasOwnAddresses === false ? [] : ["permalink", "url", "path"];
  for (const key of keys) {
    const raw = computedAddress(key, page, generator) ?? page.values[key];
    if (typeof raw !== "string" || raw.trim() === "") continue;
    const address = filledAddress(raw, page, generator);
    if (address !== null) return address.startsWith("/") ? address : `/${address}`;
    if (TEMPLATE_TAG_START.test(raw)) notes.push({ key, message: unknownAddress(raw) });
  }
  return null;
}

function filledAddress(
  raw: string,
  page: PageAddressInput,
  generator: SiteGenerator,
): string | null {
  if (TEMPLATE_TAG_START.test(raw))
    return generator.hasComputedAddresses === true
      ? fillAddressTemplate(raw, page, generator)
      : null;
  const isPattern = /\/:[a-z]|^:[a-z]/.test(raw);
  return isPattern ? fillPermalink(raw, page, generator.placeholders) : raw.trim();
}

/** The address under `eleventyComputed`, which in Eleventy overrides all other values. */
function computedAddress(
  key: string,
  { values }: PageAddressInput,
  { hasComputedAddresses }: SiteGenerator,
): unknown {
  const computed = values["eleventyComputed"];
  return hasComputedAddresses === true && isRecord(computed) ? computed[key] : undefined;
}

function unknownAddress(template: string): Wording {
  const shown = template.trim().slice(0, 200);
  return {
    en: `the address "${shown}" cannot be worked out; the page is at the address of its file`,
    de: `die Adresse „${shown}“ lässt sich nicht ermitteln; die Seite steht unter der Adresse ihrer Datei`,
  };
}

/** The path of the page's content folder. A slug is appended to this path. */
function folderOf(
  { sitePath, prefix }: FileWithLanguage,
  { contentFolders }: SiteGenerator,
): string {
  const rest = sitePath.slice(prefix.length);
  const parts = Object.values(contentFolders).filter(
    (part) => part !== "" && rest.startsWith(`${part}/`),
  );
  return `/${prefix}${parts[0] ?? ""}`;
}

function addressFromId(
  { place, values }: Omit<Page, "file">,
  { hasIds }: SiteGenerator,
): string | null {
  const { id, slug } = values;
  if (hasIds !== true || typeof id !== "string" || id === "" || typeof slug === "string")
    return null;
  const isIndex = /(?:^|\/)index\.\w+$/.test(place.sitePath);
  return isIndex ? null : deriveSitePath(`${place.sitePath.replace(/[^/]*$/, "")}${id}`);
}

function dayOf(file: string, { date }: Page["values"], generator: SiteGenerator): string | null {
  const raw = date instanceof Date ? date.toISOString() : String(date ?? "");
  return /^\d{4}-\d{2}-\d{2}/.exec(raw)?.[0] ?? parseDateInFileName(file, generator);
}
