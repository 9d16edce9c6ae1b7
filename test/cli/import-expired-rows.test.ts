import assert from "node:assert/strict";
import { it } from "node:test";
import { openRecordForCommand } from "../../src/app/store.ts";
import { readConfig } from "../../src/config.ts";
import { openSiteLine } from "../support/command-line.ts";

it("A row of a table whose end has passed is kept as a draft, as its warning says", async () => {
  using line = await openSiteLine();
  const path = line.file(
    "notices.csv",
    "title,slug,text,valid until,status\nOver,over,An offer that has ended,2020-05-01,published\nOpen,open,An offer for long,2099-05-01,published\n",
  );
  const { err, out, code } = await line.run("import", path, "--type", "page", "--publish");
  assert.match(
    err,
    /notices\.csv:2: valid until: warning: says that this is no longer public: the item is kept as a draft/,
  );
  assert.match(out, /^2 created, 0 updated, 0 unchanged, 0 failed/m);
  assert.equal(code, 0);
  await using record = await openRecordForCommand(readConfig(line.environment));
  const states = ["/over", "/open"].map(async (at) => (await record.content.itemAt(at))?.status);
  assert.deepEqual(await Promise.all(states), ["draft", "published"]);
});
