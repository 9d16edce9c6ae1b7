import assert from "node:assert/strict";
import { it } from "node:test";
import { openPeopleSite } from "../../support/people.ts";

it("names the events of webhooks and deliveries in words", async () => {
  await using site = await openPeopleSite();
  const olga = await site.person("olga@example.org", "owner");
  const input = { url: "https://93.184.215.14/on", events: "content.* key.issue" };
  assert.equal((await olga.send("/admin/webhooks", input)).status, 200);
  const german = { "Accept-Language": "de" };
  const list = await olga.get("/admin/webhooks", german);
  assert.match(list.text, /Alles zu Inhalten, Schlüssel ausgestellt/);
  const [, path = ""] = /href="(\/admin\/webhooks\/[^"]+)"/.exec(list.text) ?? [];
  assert.equal((await olga.send(`${path}/test`)).status, 303);
  assert.match((await olga.get(path, german)).text, /<strong>Test<\/strong>/);
});
