import assert from "node:assert/strict";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { it } from "node:test";
import { openCommandLine } from "../support/command-line.ts";
import { openFixture } from "../support/open-fixture.ts";
import { createDatabase, onPostgres } from "../support/postgres-store.ts";
import { until } from "../support/until.ts";

onPostgres("doctor on the machine of an instance", () => {
  it("reports how far the copy of this instance is behind", async () => {
    await using database = await createDatabase();
    using line = openCommandLine({ DATABASE_URL: database.url });
    assert.equal((await line.run("init")).code, 0);
    const copies = async () => {
      const { out } = await line.run("doctor", "--json");
      const checks: { check: string; state: string; meaning: string }[] = JSON.parse(out).checks;
      return checks.find(({ check }) => check === "copies");
    };
    assert.match((await copies())?.meaning ?? "", /^It is missing here or must be rebuilt/);
    const server = await openFixture({ config: { databaseUrl: database.url } });
    try {
      const shown = join(server.dataDir, "reading.db");
      const copied = join(line.folder, "data/reading.db");
      const file = line.file("new.md", "---\ntype: topic\ntitle: Late\npath: /topics/late\n---\n");
      await until(async () => (await server.get("/readyz")).status === 200);
      for (const end of ["", "-wal"]) cpSync(`${shown}${end}`, `${copied}${end}`);
      assert.equal((await copies())?.state, "good");
      assert.equal((await line.run("import", "--publish", file)).code, 0);
      await database.query(
        "UPDATE changes SET at = to_char(now() AT TIME ZONE 'UTC' - interval '1 minute', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"Z\"') WHERE sequence = (SELECT max(sequence) FROM changes)",
      );
      const behind = await copies();
      assert.equal(behind?.state, "warn");
      assert.match(behind?.meaning ?? "", /as it was \d+ seconds ago/);
    } finally {
      await server.close();
    }
  });
});
