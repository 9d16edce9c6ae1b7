import assert from "node:assert/strict";
import { after, it } from "node:test";
import { authenticate, issueKey } from "../../../src/access/keys/keys.ts";
import { startDraft } from "../../../src/content/drafts/saving.ts";
import { openPeopleSite } from "../../support/people.ts";

const site = await openPeopleSite();
after(() => site[Symbol.asyncDispose]());

it("names people and keys where a draft says who saved it", async () => {
  const { stores } = site.app.apiParts;
  const { now } = site.clock;
  const input = { name: "Weekly import", scopes: ["content:read", "content:write"] } as const;
  const { key } = await issueKey(stores.keys, { kind: "operator" }, input, now);
  const actor = await authenticate(stores.keys, `Bearer ${key}`, { now, address: "" });
  const changes = { title: "Brought in" };
  const { draft } = await startDraft(stores, actor, { type: "page" }, { changes, now });
  const path = `/admin/drafts/${draft.id}`;
  const [anna, bert] = [
    await site.person("anna@example.org"),
    await site.person("bert@example.org"),
  ];
  assert.match((await anna.get(path)).text, /by Weekly import</);

  await bert.send(path, { version: "1", title: "Brought in, and checked" });
  const late = await anna.send(`${path}/publish`, { version: "1" });
  assert.equal(late.status, 422);
  assert.equal(
    late.fault,
    "The draft was saved in the meantime (Weekly import, bert). Look at the changes below, then go on.",
  );
});
