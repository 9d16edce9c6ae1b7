import type { Statements } from "./statements.ts";

/** The language most pages are in; empty before the site is saved. */
export function siteLanguage(sql: Statements): string {
  const [language] = sql.of("SELECT profile ->> '$.language' AS language FROM reading_site").all();
  return typeof language?.["language"] === "string" ? language["language"] : "";
}
