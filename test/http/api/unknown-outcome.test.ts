import assert from "node:assert/strict";
import { it } from "node:test";
import { openApiClient } from "../../support/api-client.ts";
import { createMigratedDatabase, onPostgres } from "../../support/postgres-store.ts";
import { openWay } from "../../support/way-to-database.ts";

onPostgres("a commit whose outcome is unknown, repeated with its Idempotency-Key", () => {
  for (const [place, delay, when] of [
    ["near", 0, "before"],
    ["far", 25, "after"],
  ] as const) {
    it(`has one effect when the connection ends ${when} it, ${place}`, async () => {
      await using database = await createMigratedDatabase();
      await using way = await openWay(database.url);
      await using api = await openApiClient({ config: { databaseUrl: way.url } });
      const { record } = api.app;
      const issue = async () =>
        await api.request("POST", "/keys", {
          body: { name: "Repeated", scopes: ["mcp:read"] },
          headers: { "Idempotency-Key": "repeated" },
        });
      way.delay(delay);
      for (let answers = 0; answers < 64; answers += 1) await record.content.itemAt("/");
      const [lost] = await Promise.all([issue(), way.cutCommit(when, "kept_answers")]);
      assert.equal(lost.status, 503, lost.text);
      assert.match(lost.body.detail, /may have been kept or not/);
      const again = await issue();
      assert.equal(again.status, 201, again.text);
      const wasKept = when === "after";
      assert.equal(again.headers.get("idempotency-replayed"), wasKept ? "true" : null);
      const keys = await record.keys.page({ after: null, limit: 100 });
      const issued = keys.filter(({ name }) => name === "Repeated");
      assert.equal(issued.length, 1);
      const { status } = await api.request("GET", "/", { key: again.body.key });
      assert.equal(status, 403, "the key that was answered is the one that is kept");
    });
  }
});
