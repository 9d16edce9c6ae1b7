import { textOrNull } from "./columns.ts";
import type { Statements } from "./statements.ts";

/** The language most pages are in; empty before the site is saved. */
export function siteLanguage(sql: Statements): string {
  const found = sql.of("SELECT profile ->> '$.language' AS language FROM reading_site").get();
  return (found && textOrNull(found, "language")) ?? "";
}
