import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { openPeopleSite } from "../../support/people.ts";

const site = await openPeopleSite();
after(() => site[Symbol.asyncDispose]());

const PATH = "/admin/appearance";

async function publicPage(path: string): Promise<string> {
  return await (await site.app.get(path, { Accept: "text/html" })).text();
}

describe("the Appearance screen", () => {
  it("changes the look and the editors' own texts, which show at once", async () => {
    const olga = await site.person("olga@example.org", "owner");
    const values = {
      name: "archive",
      "own-accent": "yes",
      accent: "#004466",
      paper: "#ff0000",
      "slot-header": "We **move** in May.",
      "slot-quotation": "[Write to us](/contact) if you know better.",
      "slot-footer": "![logo](https://elsewhere.example/x.png)",
    };
    assert.equal((await olga.send(PATH, values)).location, `${PATH}?saved=true`);
    const home = await publicPage("/");
    assert.match(home, /<aside class="site-note"><p>We <strong>move<\/strong> in May\./);
    assert.match(
      home,
      /<a href="https:\/\/elsewhere\.example\/x\.png" rel="external"><span class="elsewhere">logo/,
    );
    assert.doesNotMatch(home, /<img/);
    const style = /<link rel="stylesheet" href="([^"]+)"/.exec(home)?.[1] ?? "";
    assert.match(await publicPage(style), /--paper:#f1ede2[^}]*--accent:#004466/);
    const quotation =
      /href="(\/quotations\/[^"]+)"/.exec(await publicPage("/quotations"))?.[1] ?? "";
    assert.match(await publicPage(quotation), /<a href="\/contact">Write to us<\/a> if you know/);
    assert.match(await publicPage(`${quotation}.md`), /if you know better/);
    assert.match((await olga.get(PATH)).text, /value="archive" checked>/);
  });

  it("stores the line ends that browsers send as those of a text", async () => {
    const olga = await site.person("olga4@example.org", "owner");
    await olga.send(PATH, { name: "classic", "slot-footer": "One\r\n\r\nTwo", css: "a{}\r\nb{}" });
    const { look } = (await site.app.record.content.site()) ?? {};
    assert.equal(look?.slots.footer, "One\n\nTwo");
    assert.equal(look?.css, "a{}\nb{}");
    await olga.send("/admin/home", {
      ...{ "en.own": "yes", "en.0.show": "text", "en.0.markdown": "One\r\nTwo" },
    });
    const { home } = (await site.app.record.content.site()) ?? {};
    assert.deepEqual(home, [{ show: "text", markdown: "One\nTwo" }]);
  });

  it("keeps what was entered when a colour is too pale", async () => {
    const olga = await site.person("olga2@example.org", "owner");
    const values = {
      name: "modern",
      "own-accent": "yes",
      accent: "#ffd700",
      "slot-home": "Kept text",
    };
    const refused = await olga.send(PATH, values);
    assert.equal(refused.status, 400);
    assert.match(refused.text, /role="alert">[^<]*Accent: #ffd700 on the light paper/);
    assert.match(refused.text, /Kept text/);
    const shown = await olga.send(`${PATH}/preview`, values);
    assert.equal(shown.status, 400);
    assert.match(shown.text, /The nearest that passes is/);
  });

  it("previews a look without saving it, in a page that runs nothing", async () => {
    const olga = await site.person("olga3@example.org", "owner");
    const shown = await olga.send(`${PATH}/preview`, {
      name: "broadsheet",
      "slot-header": "Tried",
      "slot-home": "Last on the home page",
    });
    assert.equal(shown.status, 200);
    assert.match(shown.text, /<style>[^<]*Playfair/);
    assert.match(shown.text, /<body inert>[\s\S]*Tried[\s\S]*Last on the home page/);
    const policy = shown.headers.get("content-security-policy") ?? "";
    assert.match(
      policy,
      /default-src 'none'; style-src 'sha256-[^;]+; [^;]+; [^;]+; [^;]+; form-action 'none'; frame-ancestors 'self'$/,
    );
    assert.doesNotMatch(await publicPage("/"), /Tried/);
  });
});
