import { slugOf } from "../../../addresses/paths.ts";
import type { PageAddressInput, PlaceholderResolver } from "../addresses/page-address-input.ts";

const PERMALINK_PLACEHOLDERS: Readonly<Record<string, PlaceholderResolver>> = {
  year: ({ day }) => day?.slice(0, 4),
  short_year: ({ day }) => day?.slice(2, 4),
  month: ({ day }) => day?.slice(5, 7),
  i_month: ({ day }) => withoutZero(day?.slice(5, 7)),
  day: ({ day }) => day?.slice(8, 10),
  i_day: ({ day }) => withoutZero(day?.slice(8, 10)),
  title: ({ values }) => slugOrNone(values["title"]),
  slug: ({ values, file }) => slugOrNone(values["slug"]) ?? nameIn(file),
  name: ({ file }) => nameIn(file),
  basename: ({ file }) => nameIn(file),
  filename: ({ file }) => nameIn(file),
  contentbasename: ({ file }) => nameIn(file),
  slugorfilename: ({ values, file }) => slugOrNone(values["slug"]) ?? nameIn(file),
  slugorcontentbasename: ({ values, file }) => slugOrNone(values["slug"]) ?? nameIn(file),
  categories: ({ values, file }) => categoriesOf(values, file).join("/"),
  category: ({ values, file }) => categoriesOf(values, file).join("/"),
  section: ({ place }) => place.split("/")[0],
  sections: (page) => sectionsOf(page).join("/"),
  path: ({ file }) => withoutEnding(file.replace(/^_[^/]+\//, "")),
  collection: ({ file }) => /^_([^/]+)\//.exec(file)?.[1],
  output_ext: () => ".html",
};

/**
 * Fills a permalink such as `/news/:year/:month/:title/`; null if the page lacks one of the values.
 */
export function fillPermalink(
  pattern: string,
  page: PageAddressInput,
  overrides: Readonly<Record<string, PlaceholderResolver>> = {},
): string | null {
  let isComplete = true;
  const sliced = pattern.replaceAll(
    SLICED_SECTIONS,
    (whole, range: string) => slicedSections(sectionsOf(page), range) ?? whole,
  );
  const filled = sliced.replaceAll(/:\{?([a-z_]+)\}?/gi, (whole, name: string) => {
    const known = [overrides, PERMALINK_PLACEHOLDERS].find((table) => Object.hasOwn(table, name));
    const value = known?.[name]?.(page);
    if (value === undefined) isComplete = false;
    return value ?? whole;
  });
  return isComplete ? `/${filled}`.replaceAll(/\/{2,}/g, "/") : null;
}

/**
 * The folders above a page, outermost first. An `index` file is the page of its own folder, so that folder
 * is not included.
 */
function sectionsOf({ place }: PageAddressInput): string[] {
  return place.split("/").slice(0, /(?:^|\/)index\.\w+$/.test(place) ? -2 : -1);
}

/** Hugo's ranges of sections: `:sections[1:]`, `:sections[:2]`, `:sections[last]`. */
const SLICED_SECTIONS = /:sections\[([\d:a-z]{1,20})\]/g;

/** The sections in a range, as a path; null: the range is invalid. */
function slicedSections(sections: readonly string[], range: string): string | null {
  const [, from, colon, to] = /^(\d*|last)(:?)(\d*|last)$/.exec(range) ?? [];
  if (from === undefined) return null;
  const at = (end: string) => (end === "last" ? sections.length - 1 : Number(end));
  const part =
    colon === ""
      ? sections.slice(at(from), at(from) + 1)
      : sections.slice(at(from), to === "" ? undefined : at(to ?? ""));
  return part.join("/");
}

/** A page's categories, from the folders above `_posts` and from front matter. */
function categoriesOf(values: PageAddressInput["values"], file: string): string[] {
  const parentFolders = /^(.+)\/_posts\//.exec(file)?.[1]?.split("/") ?? [];
  const raw = values["categories"] ?? values["category"] ?? [];
  const frontMatterNames =
    typeof raw === "string" && values["categories"] !== undefined ? raw.split(/\s+/) : [raw].flat();
  const folders = frontMatterNames.map((name) =>
    String(name).toLowerCase().replaceAll(/\s+/g, "-"),
  );
  return [...new Set([...parentFolders, ...folders])].filter((name) => name !== "");
}

function nameIn(file: string): string {
  const parts = withoutEnding(file).split("/");
  const last = parts.pop() ?? "";
  const name = /^_?index$/i.test(last) ? (parts.pop() ?? last) : last;
  return name.replace(/^\d{4}-\d{2}-\d{2}[-_]/, "");
}

function withoutEnding(file: string): string {
  return file.replace(/\.[a-z]+$/i, "");
}

function slugOrNone(value: unknown): string | undefined {
  const slug = typeof value === "string" || typeof value === "number" ? slugOf(String(value)) : "";
  return slug === "" ? undefined : slug;
}

function withoutZero(digits: string | undefined): string | undefined {
  return digits === undefined ? undefined : String(Number(digits));
}
