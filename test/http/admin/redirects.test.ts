import assert from "node:assert/strict";
import { after, it } from "node:test";
import { openPeopleSite } from "../../support/people.ts";

const site = await openPeopleSite();
after(() => site[Symbol.asyncDispose]());

const PATH = "/admin/redirects";

it("the Redirects screen takes a pasted list and says what became of each line", async () => {
  const olga = await site.person("olga@example.org", "owner");
  assert.match((await olga.get(PATH)).text, /<textarea id="list" name="list"/);
  const list =
    "/old,/about\r\n/shop,https://shop.example/\r\n/none,/nowhere\r\n/about/,/topics\r\n/a/*,/b/:splat";
  const added = await olga.send(`${PATH}/list`, { list });
  assert.equal(added.status, 200, added.text);
  assert.match(added.text, /3 added, 0 already there, 1 not needed, 1 failed\./);
  assert.match(added.text, /<li>Line 3: nothing is at &quot;\/nowhere&quot;<\/li>/);
  assert.match(added.text, /<li>Line 4: the page &quot;[^<]*&quot; is there<\/li>/);
  const again = await olga.send(`${PATH}/list`, { list: "Redirect 301 /old /about\n/x" });
  assert.match(again.text, /1 added, 1 already there, 0 not needed, 0 failed\./);
  const shown = (await olga.get(PATH)).text;
  assert.match(shown, /<strong>\/a\/\*<\/strong> → \/b\/:splat\n/);
  assert.match(shown, /<strong>\/shop<\/strong> → <a href="https:\/\/shop\.example\/">/);
  assert.equal((await site.app.get("/shop")).headers.get("location"), "https://shop.example/");
  const long = await olga.send(`${PATH}/list`, { list: "/a,/b\n".repeat(1001) });
  assert.equal(long.status, 400);
  const viewer = await site.person("vera@example.org", "viewer");
  assert.doesNotMatch((await viewer.get(PATH)).text, /<textarea/);
  assert.equal((await viewer.send(`${PATH}/list`, { list })).status, 403);
});

it("the Redirects screen keeps an address without a target as gone", async () => {
  const olga = await site.person("otto@example.org", "owner");
  const added = await olga.send(PATH, { from: "/closed", to: "" });
  assert.equal(added.status, 303, added.text);
  assert.equal((await site.app.get("/closed")).status, 410);
  assert.match((await olga.get(PATH)).text, /<strong>\/closed<\/strong> → gone for good\n/);
});
