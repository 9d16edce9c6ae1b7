import { globSync, readFileSync } from "node:fs";
import { startPrivatePostgres } from "../support/private-postgres.ts";
import { runFiles } from "../support/run-files.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/**
 * Runs all tests that use PostgreSQL on a private server: `npm run test:postgres`. Recognises them by the
 * name of the setting, or by an import of `test/support/postgres-….ts`.
 */
const SAYS_SO = /TEST_DATABASE_URL|support\/postgres-/;

/** Two processes at a time, each with up to four instances of 13 connections. */
const CONNECTIONS_MAX = 200;

const files = globSync("test/**/*.test.ts", { exclude: ["test/judges/node_modules/**"] })
  .filter((file) => SAYS_SO.test(readFileSync(file, "utf8")))
  .sort();
if (files.length === 0) throw new Error("No test names TEST_DATABASE_URL");

/** Tests of single stores do not depend on the disk. The proofs use a durable server. */
await using postgres = await startPrivatePostgres(
  ["fsync=off", "full_page_writes=off", `max_connections=${CONNECTIONS_MAX}`],
  { folder: temporaryFolder() },
);
process.exitCode = await runFiles(files, {
  processes: 2,
  environment: { ...process.env, TEST_DATABASE_URL: postgres.url },
});
