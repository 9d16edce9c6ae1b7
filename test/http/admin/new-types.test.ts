import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { openPeopleSite } from "../../support/people.ts";

const site = await openPeopleSite();
after(() => site[Symbol.asyncDispose]());

describe("a new content type", () => {
  it("has a name of its own also where its label has no Latin letters", async () => {
    const olga = await site.person("olga@example.org", "owner");
    for (const [label, name] of [
      ["Событие", "type"],
      ["活动", "type_2"],
      ["Rezept", "rezept"],
      ["فعالية", "type_3"],
    ] as const) {
      const added = await olga.send("/admin/types", { label, plural: `${label}…`, kind: "event" });
      assert.equal(added.location, `/admin/types/${name}?saved=true`, added.fault);
      assert.match((await olga.get(`/admin/types/${name}`)).text, new RegExp(`value="${label}"`));
    }
    const again = { label: "Rezept", plural: "Rezepte", kind: "plain" };
    assert.match((await olga.send("/admin/types", again)).fault, /declared twice/);
  });
});
