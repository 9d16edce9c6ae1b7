import { globSync, readFileSync } from "node:fs";
import { startPrivatePostgres } from "../support/private-postgres.ts";
import { runFiles } from "../support/run-files.ts";

/**
 * Runs the tests that have something to run on PostgreSQL, on one of their own: `npm run test:postgres`.
 * A test says so by naming the setting or by taking what it needs from `test/support/postgres-….ts`.
 */
const SAYS_SO = /TEST_DATABASE_URL|support\/postgres-/;

/** Two processes at a time, with as many as four instances each, of 13 connections. */
const CONNECTIONS_MAX = 200;

const files = globSync("test/**/*.test.ts", { exclude: ["test/judges/node_modules/**"] })
  .filter((file) => SAYS_SO.test(readFileSync(file, "utf8")))
  .sort();
if (files.length === 0) throw new Error("No test names TEST_DATABASE_URL");

/** What tests of single stores hold does not hang on the disk; the proofs have one that is durable. */
await using postgres = await startPrivatePostgres([
  "fsync=off",
  "full_page_writes=off",
  `max_connections=${CONNECTIONS_MAX}`,
]);
process.exitCode = await runFiles(files, {
  processes: 2,
  environment: { ...process.env, TEST_DATABASE_URL: postgres.url },
});
