/** The facts from which the address of a page is derived. */
export interface PageAddressInput {
  /** The file's path in the folder. */
  file: string;
  /** The page's path on the site, derived from its folder and name. */
  place: string;
  values: Readonly<Record<string, unknown>>;
  /** The date of the page as `2024-02-01`; null if neither the file name nor the front matter has a date. */
  day: string | null;
}

/** Returns a page's value for a permalink placeholder; undefined if the page has no such value. */
export type PlaceholderResolver = (page: PageAddressInput) => string | undefined;
