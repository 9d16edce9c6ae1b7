import { pathFromAddress, pathOfFile } from "../file-path.ts";
import type { FileLanguage } from "./file-languages.ts";
import { dayInName } from "./placing.ts";
import type { AddressedPage, Program } from "./program.ts";
import { filledPermalink } from "./settings/permalinks.ts";

interface Page {
  /** Its path in the program's folder. */
  file: string;
  place: FileLanguage;
  values: Readonly<Record<string, unknown>>;
}

interface ExplicitAddress {
  path: string;
  /** The address as specified, if the page cannot have exactly that one. */
  former: readonly string[];
}

const TEMPLATE_TAG = /\{[{%]/;

/**
 * The address that a page or its program's settings specify; null: it follows from folder and name.
 */
export function explicitAddress(page: Page, program: Program): ExplicitAddress | null {
  const raw = rawAddress(page, program);
  if (raw === null || TEMPLATE_TAG.test(raw)) return null;
  const bare = raw.replace(/(?:\/index)?\.html?$/i, "").replace(/\/+$/, "");
  const path = pathFromAddress(bare);
  return { path, former: raw === path || raw === `${path}/` ? [] : [raw] };
}

function rawAddress({ file, place, values }: Page, program: Program): string | null {
  const addressed = {
    file,
    place: place.sitePath.slice(place.prefix.length),
    values,
    day: dayOf(file, values, program),
  };
  const whole = wholeAddress(addressed, program);
  if (whole !== null) return whole;
  const slug = values["slug"];
  const isPost = program.datedFolder?.test(file) === true;
  const isWhole =
    program.hasWholeSlugs === true || (isPost && program.hasWholeSlugsOfPosts === true);
  if (typeof slug === "string" && (slug.includes("/") || isWhole)) {
    const isRelative = program.hasIds === true && !isWhole && !slug.startsWith("/");
    const below = isRelative
      ? pathOfFile(place.sitePath.replace(/[^/]*$/, ""))
      : folderOf(place, program);
    return `${below}/${slug}`.replaceAll(/\/{2,}/g, "/");
  }
  const made = program.addressOf?.(addressed) ?? null;
  if (made !== null) {
    const cased = program.lowersAddresses === true ? made.toLowerCase() : made;
    // An address made of a post's folders may already begin with its language.
    const isPrefixed = cased.startsWith(`/${place.prefix}`);
    return `/${isPrefixed ? "" : place.prefix}${cased}`.replaceAll(/\/{2,}/g, "/");
  }
  return byId({ place, values }, program);
}

function wholeAddress(page: AddressedPage, program: Program): string | null {
  const keys = program.hasOwnAddresses === false ? [] : ["permalink", "url", "path"];
  for (const key of keys) {
    const raw = page.values[key];
    if (typeof raw !== "string" || raw.trim() === "") continue;
    const isPattern = /\/:[a-z]|^:[a-z]/.test(raw);
    const whole = isPattern ? filledPermalink(raw, page) : raw.trim();
    if (whole !== null) return whole.startsWith("/") ? whole : `/${whole}`;
  }
  return null;
}

/** The path before a slug: that of the content folder with the page. */
function folderOf({ sitePath, prefix }: FileLanguage, { contentFolders }: Program): string {
  const rest = sitePath.slice(prefix.length);
  const parts = Object.values(contentFolders).filter(
    (part) => part !== "" && rest.startsWith(`${part}/`),
  );
  return `/${prefix}${parts[0] ?? ""}`;
}

function byId({ place, values }: Omit<Page, "file">, { hasIds }: Program): string | null {
  const { id, slug } = values;
  if (hasIds !== true || typeof id !== "string" || id === "" || typeof slug === "string")
    return null;
  const isIndex = /(?:^|\/)index\.\w+$/.test(place.sitePath);
  return isIndex ? null : pathOfFile(`${place.sitePath.replace(/[^/]*$/, "")}${id}`);
}

function dayOf(file: string, { date }: Page["values"], program: Program): string | null {
  const raw = date instanceof Date ? date.toISOString() : String(date ?? "");
  return /^\d{4}-\d{2}-\d{2}/.exec(raw)?.[0] ?? dayInName(file, program);
}
