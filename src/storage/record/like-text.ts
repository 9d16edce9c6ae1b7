import { type RawBuilder, sql } from "kysely";

/** Each capital that the databases do not lower-case costs SQLite 0.1 µs a row. Searches have fewer. */
const CAPITALS_MAX = 40;

/** Escapes the wildcards of `LIKE` with a backslash. */
export function escapeLikeWildcards(text: string): string {
  return text.replaceAll(/[%_\\]/g, "\\$&");
}

/**
 * SQL condition: whether a text contains `searched`, ignoring case. Of letters beyond ASCII, it ignores the
 * case of the first {@link CAPITALS_MAX} that differ.
 */
export function containsTextSql(text: RawBuilder<string>, searched: string): RawBuilder<boolean> {
  const characters = [...searched.normalize("NFC")];
  const pattern = characters.map((each) => escapeLikeWildcards(each.toLowerCase())).join("");
  const capitals = capitalsUnknownToLower(characters).slice(0, CAPITALS_MAX);
  const lowered = capitals.reduce(
    (before, capital) => sql<string>`replace(${before}, ${capital}, ${capital.toLowerCase()})`,
    sql<string>`(${text})`,
  );
  return sql<boolean>`lower(${lowered}) like ${`%${pattern}%`} escape '\\'`;
}

/**
 * The capitals of these letters that the databases do not lower-case: SQLite's `lower` knows only ASCII
 * letters, and PostgreSQL's depends on the locale.
 */
function capitalsUnknownToLower(characters: readonly string[]): string[] {
  const capitals = new Set([...characters, ...characters.map((each) => each.toUpperCase())]);
  return [...capitals].filter((each) => /^[^\0-\x7f]$/u.test(each) && each.toLowerCase() !== each);
}
