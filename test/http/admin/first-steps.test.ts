import assert from "node:assert/strict";
import { it } from "node:test";
import { saveItem } from "../../../src/content/editing/editing.ts";
import { itemInputSchema } from "../../../src/content/items/item.ts";
import { changeSettings } from "../../../src/content/site/settings.ts";
import { PLACEHOLDER_EMAIL } from "../../../src/content/site/starter-site.ts";
import { ENGLISH_STARTER } from "../../../src/texts/starter/english.ts";
import { NOW } from "../../support/open-fixture.ts";
import { openPeopleSite } from "../../support/people.ts";
import { OPERATOR } from "../../support/record-store.ts";

it("the desk of a new site leads through its first steps, until they are done", async () => {
  await using site = await openPeopleSite();
  const empty = await site.browser().get("/admin/sign-in");
  assert.match(empty.text, /href="\/admin\/setup"/, "without an account");
  const olga = await site.person("olga@example.org", "owner");
  const starter = {
    type: "page",
    path: "/",
    status: "published",
    ...ENGLISH_STARTER.home,
    body: `\n${ENGLISH_STARTER.withSiteName.home("Us")}\n`,
  } as const;
  await site.app.record.atomically(async ({ content }) => {
    await saveItem(content, OPERATOR, itemInputSchema.parse(starter), NOW);
    const fresh = { timeZone: "UTC", contact: { email: PLACEHOLDER_EMAIL }, hidden: true };
    await changeSettings(content, OPERATOR, fresh, { now: NOW });
  });
  const steps = async (person = olga) => {
    const { text } = await person.get("/admin/desk");
    const [, list = ""] = /<h2>First steps<\/h2>\s*<ol[^>]*>([\s\S]*?)<\/ol>/.exec(text) ?? [];
    return [...list.matchAll(/<li>(?:<a href="([^"]*)">)?([\s\S]*?)<\/li>/g)].map(
      ([, path, rest = ""]) => path ?? (rest.includes("<form") ? "form" : "done"),
    );
  };
  const [name, zone, look, home, invite, open] = await steps();
  assert.deepEqual(
    [name, zone, look, home, invite, open],
    ["/admin/settings", "form", "/admin/appearance", "form", "/admin/people", "/admin/settings"],
  );
  const { text: desk } = await olga.get("/admin/desk");
  const [, edit = ""] =
    /Write the home page<\/strong><\/p>\s*<p class="hint">Visitors read [^<]*<\/p>\s*<form[^>]* action="([^"]*)"/.exec(
      desk,
    ) ?? [];
  const { location: editor } = await olga.send(edit);
  assert.match(
    (await olga.get(editor ?? "")).text,
    /<textarea id="body"/,
    "straight to the editor",
  );
  const vera = await site.person("vera@example.org", "viewer");
  assert.doesNotMatch((await vera.get("/admin/desk")).text, /First steps/);
  site.clock.now = new Date(NOW.getTime() + 20 * 60_000);
  assert.equal((await olga.get("/admin/desk")).status, 200, "the desk asks for no password again");
  site.clock.now = NOW;
  const edith = await site.person("edith@example.org", "editor");
  assert.deepEqual(await steps(edith), ["form"]);
  assert.equal((await steps())[4], "done", "others were invited");
  const nowhere = await olga.send("/admin/settings/time-zone", { timeZone: "Lindenhof" });
  assert.match(nowhere.fault, /Time zone/);
  const { location } = await olga.send("/admin/settings/time-zone", { timeZone: "Europe/Berlin" });
  assert.equal(location, "/admin/desk");
  assert.equal((await steps())[1], "done", "by one press");
  const settings = {
    ...{ name: "Us", description: "What we do.", language: "en", timeZone: "Europe/Vienna" },
    ...{ email: "us@example.org", whenToUse: "know us", messageDays: "365", statisticsDays: "90" },
  };
  assert.doesNotMatch((await site.browser().get("/admin/sign-in")).text, /admin\/setup/);
  const foreign = await olga.send("/admin/settings", { ...settings, language: "klingonisch" });
  assert.match(foreign.fault, /is not a language tag/);
  assert.equal(
    (await olga.send("/admin/settings", settings)).location,
    "/admin/settings?saved=true",
  );
  await olga.send("/admin/settings/visibility", { hidden: "no" });
  assert.deepEqual(await steps(), ["done", "done", "/admin/appearance", "form", "done", "done"]);
  await site.app.record.atomically(async ({ content }) => {
    const written = itemInputSchema.parse({ ...starter, body: "We read aloud." });
    await saveItem(content, OPERATOR, written, NOW);
  });
  assert.deepEqual(await steps(), []);
});
