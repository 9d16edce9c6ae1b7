import assert from "node:assert/strict";
import { after, it } from "node:test";
import { changeKey } from "../../../src/access/keys/key-changes.ts";
import { receiveKeyRequest } from "../../../src/access/submissions/key-requests.ts";
import { ORIGIN } from "../../support/open-fixture.ts";
import { openPeopleSite } from "../../support/people.ts";
import { OPERATOR } from "../../support/record-store.ts";

const site = await openPeopleSite();
after(() => site[Symbol.asyncDispose]());

it("a request approved again is shown with the terms of its key, which another approval keeps", async () => {
  const { record } = site.app;
  const { now } = site.clock;
  const { id } = await receiveKeyRequest(
    site.app.apiParts.stores,
    {
      ...{ name: "Ada", email: "ada@example.org", organisation: "" },
      ...{ task: "Read", data: "", access: "read" },
    },
    { now, origin: ORIGIN, sendsMail: false },
  );
  const manager = await site.person("meg@example.org", "manager");
  const path = `/admin/requests/${id}`;
  const approve = async (terms: Record<string, string>) => {
    const { text } = await manager.send(`${path}/approve`, terms);
    const [, code = ""] = /<p class="code">([^<]+)<\/p>/.exec(text) ?? [];
    await site.browser().send("/contact/claim", { code });
    const { keyId } = (await record.keyRequests.byId(id)) ?? {};
    return await record.keys.byId(keyId ?? "");
  };
  const key = await approve({ rate: "30", expires: "2027-06-30" });
  const change = { ratePerMinute: 10 };
  await changeKey(record.keys, OPERATOR, key?.id ?? "", { change, now });

  const { text } = await manager.get(path);
  const shown = (name: string) =>
    new RegExp(` name="${name}"[^>]* value="([^"]*)"`).exec(text)?.[1] ?? "";
  const again = await approve({ rate: shown("rate"), expires: shown("expires") });
  assert.notEqual(again?.id, key?.id);
  assert.deepEqual([again?.ratePerMinute, again?.expiresAt], [10, key?.expiresAt]);
});
