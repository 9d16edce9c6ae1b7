import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { changeSettings } from "../../../src/content/site/settings.ts";
import { NOW } from "../../support/open-fixture.ts";
import { openPeopleSite } from "../../support/people.ts";
import { OPERATOR } from "../../support/record-store.ts";

const site = await openPeopleSite();
after(() => site[Symbol.asyncDispose]());

const PATH = "/admin/home";

async function publicHome(path = "/"): Promise<string> {
  return await (await site.app.get(path, { Accept: "text/html" })).text();
}

/** The kinds of the parts in the form of an edition, in order. */
function kindsIn(form: string, language = "en"): string[] {
  const kinds = form.matchAll(new RegExp(`name="${language}\\.\\d+\\.show" value="(\\w+)"`, "g"));
  return [...kinds].map(([, kind = ""]) => kind);
}

/** The fields of parts without details, as the form sends them. */
function parts(...kinds: string[]): Record<string, string> {
  return Object.fromEntries(kinds.map((kind, at) => [`en.${at}.show`, kind]));
}

const USUAL = ["quotation_of_the_day", "introduction", "search", "samples", "purpose"];

describe("the Home page screen", () => {
  it("shows the usual parts until an editor orders others, which visitors see at once", async () => {
    const olga = await site.person("olga@example.org", "owner");
    assert.deepEqual(kindsIn((await olga.get(PATH)).text), USUAL);
    const saved = await olga.send(PATH, {
      ...{ "en.own": "yes", ...parts("text", "items", "best", "search") },
      ...{ "en.0.markdown": "**Welcome** to us", "en.1.title": "Begin here" },
      ...{ "a.en.1.paths": "/about\nTime", "en.2.type": "quotation", "en.2.items": "1" },
    });
    assert.equal(saved.location, `${PATH}?saved=true`, saved.text);
    const home = await publicHome();
    assert.match(home, /<strong>Welcome<\/strong> to us[\s\S]*Begin here[\s\S]*href="\/about"/);
    const { text } = await olga.get(PATH);
    assert.deepEqual(kindsIn(text), ["text", "items", "best", "search"]);
    assert.match(text, /name="r\.en\.1\.paths" value="\/about" checked/);
    assert.match(text, /name="r\.en\.1\.paths" value="\/topics\/time" checked/);
    await olga.send(PATH, { "en.own": "" });
    assert.deepEqual(kindsIn((await olga.get(PATH)).text), USUAL);
    assert.doesNotMatch(await publicHome(), /Begin here/);
  });

  it("moves, removes and adds parts by buttons, and saves nothing by that", async () => {
    const olga = await site.person("olga2@example.org", "owner");
    const before = await publicHome();
    const after = async (move: string, more: Readonly<Record<string, string>> = {}) => {
      const fields = { ...parts("search", "text", "samples"), "en.1.markdown": "Typed text", move };
      const { status, text } = await olga.send(PATH, { ...fields, ...more });
      assert.equal(status, 200, move);
      assert.match(text, /Not saved yet/);
      assert.match(text, /name="en\.own" value="yes" checked/);
      if (move !== "en:1:remove") assert.match(text, /Typed text/);
      return kindsIn(text);
    };
    assert.deepEqual(await after("en:1:up"), ["text", "search", "samples"]);
    assert.deepEqual(await after("en:1:down"), ["search", "samples", "text"]);
    assert.deepEqual(await after("en:1:remove"), ["search", "samples"]);
    for (const move of ["en:0:up", "en:2:down", "en:99:remove", "xx:0:up"]) {
      assert.deepEqual(await after(move, { "en.own": "yes" }), ["search", "text", "samples"], move);
    }
    const added = await after("en:0:add", { "en.add": "newest" });
    assert.deepEqual(added, ["search", "text", "samples", "newest"]);
    assert.equal(await publicHome(), before);
  });

  it("says in which part a mistake is, and keeps what was typed", async () => {
    const olga = await site.person("olga3@example.org", "owner");
    for (const [fields, reason] of [
      [{ "en.0.show": "text", "en.0.markdown": " " }, /Part 1, Text: is empty/],
      [
        { ...parts("search", "items"), "en.1.title": "", "a.en.1.paths": "/about" },
        /Part 2, Heading: is empty/,
      ],
      [{ ...parts("items"), "en.0.title": "Typed" }, /Part 1, Pages: is empty/],
      [{ ...parts("items"), "en.0.title": "Typed", "a.en.0.paths": "Nowhere" }, /Nowhere/],
      [
        { ...parts("best"), "en.0.type": "quotation", "en.0.items": "99" },
        /Part 1, How many: must be at most 24/,
      ],
    ] as const) {
      const refused = await olga.send(PATH, { "en.own": "yes", ...fields });
      assert.equal(refused.status, 400);
      assert.match(refused.text, reason);
      if ("en.0.title" in fields) assert.match(refused.text, /value="Typed"/);
    }
  });

  it("keeps all parts, as typed, where the session has ended", async () => {
    const olga = await site.person("olga5@example.org", "owner");
    const refused = await olga.send(PATH, {
      ...{ token: "of-the-ended-session", "en.own": "yes", ...parts("search", "text", "items") },
      ...{ "en.1.markdown": "Typed text", "en.2.title": "Typed title", "r.en.2.paths": "/about" },
    });
    assert.equal(refused.status, 403);
    assert.match(refused.fault, /another session/);
    assert.deepEqual(kindsIn(refused.text), ["search", "text", "items"]);
    assert.match(refused.text, /name="en\.own" value="yes" checked/);
    assert.match(refused.text, /Typed text<\/textarea>[\s\S]*value="Typed title"/);
    assert.match(refused.text, /name="r\.en\.2\.paths" value="\/about" checked/);
  });

  it("orders the home page of each language, and keeps its other texts", async () => {
    const olga = await site.person("olga4@example.org", "owner");
    const patch = { languages: ["de"], translations: { de: { name: "Unser Verein" } } };
    await site.app.record.atomically(({ content }) =>
      changeSettings(content, OPERATOR, patch, { now: NOW }),
    );
    assert.deepEqual(kindsIn((await olga.get(PATH)).text, "de"), USUAL);
    const sent = { "de.own": "yes", "de.0.show": "text", "de.0.markdown": "Grüß Gott" };
    assert.equal((await olga.send(PATH, sent)).location, `${PATH}?saved=true`);
    assert.match(await publicHome("/de"), /Unser Verein[\s\S]*Grüß Gott/);
    assert.doesNotMatch(await publicHome(), /Grüß Gott/);
    await olga.send("/admin/languages/remove", { language: "de" });
    await olga.send(PATH, { "en.own": "yes", ...parts("search") });
    await olga.send("/admin/languages/add", { added: "de" });
    assert.match(await publicHome("/de"), /Unser Verein[\s\S]*Grüß Gott/);
  });
});
