import assert from "node:assert/strict";
import { join } from "node:path";
import { it } from "node:test";
import { openSqliteSource } from "../../src/storage/moving/sqlite-source.ts";
import { openSiteLine } from "../support/command-line.ts";

it("says why a store cannot be opened that is being moved, and what to do", async () => {
  using line = await openSiteLine();
  assert.equal((await line.run("keys", "list")).code, 0);
  const folder = join(line.folder, "data");
  const store = { folder, store: "commonplace.db" };
  await using _moved = await openSqliteSource(store, async () => {});
  const { code, err } = await line.spawn("keys", "list");
  assert.equal(code, 1);
  assert.match(
    err,
    /^error: Cannot open the store \S+: another process has locked it for 10 seconds\. If that is migrate-to, wait until it has ended/,
  );
});
