import { globSync } from "node:fs";
import { againOnPostgres } from "../../support/postgres-store.ts";

/** Files that need no record, or none of their own engine. */
const NOT_AGAIN: ReadonlySet<string> = new Set([
  "passwords.test.ts",
  "postgres-people.test.ts",
  "roles.test.ts",
]);

await againOnPostgres("people", async () => {
  const files = globSync("*.test.ts", { cwd: import.meta.dirname }).sort();
  for (const file of files) if (!NOT_AGAIN.has(file)) await import(`./${file}`);
});
