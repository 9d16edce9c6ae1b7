import { globSync } from "node:fs";
import { againOnPostgres } from "../../support/postgres-store.ts";

/** Files that need no record, or bring a PostgreSQL of their own. */
const NOT_AGAIN: ReadonlySet<string> = new Set([
  "arriving-bytes.test.ts",
  "costly-requests.test.ts",
  "openapi.test.ts",
  "postgres-api.test.ts",
  "unknown-outcome.test.ts",
]);

await againOnPostgres("the administrative interface", async () => {
  const files = globSync("*.test.ts", { cwd: import.meta.dirname }).sort();
  for (const file of files) if (!NOT_AGAIN.has(file)) await import(`./${file}`);
  await import("../media.test.ts");
});
