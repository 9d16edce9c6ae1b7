import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { HtmlValidate } from "html-validate";
import { openFixture } from "../support/open-fixture.ts";

const site = await openFixture();
after(() => site.close());

async function htmlAt(path: string): Promise<string> {
  const response = await site.get(path, { accept: "text/html" });
  assert.equal(response.status, 200, path);
  return await response.text();
}

/** The `href` of each filter in force. */
function removals(html: string): string[] {
  const [list = ""] = /<ul class="chosen".*?<\/ul>/s.exec(html) ?? [];
  return [...list.matchAll(/href="([^"]+)"/g)].map(([, to = ""]) => to.replaceAll("&amp;", "&"));
}

function countAt(html: string): number {
  return Number(/<p>(?:\d+ to \d+ of )?(\d+) quotations?\./.exec(html)?.[1]);
}

it("a list of several types counts items", async () => {
  assert.match(await htmlAt("/search?topics=/topics/time"), /<p>[\d ofto]+ items\./);
});

it("results of all types name their filters, each with a way back", async () => {
  const html = await htmlAt("/search?q=time&language=de");
  assert.match(html, /<ul class="chosen"[^>]*><li><a [^>]*>Language: Deutsch</);
  assert.deepEqual(removals(html), ["/search?q=time"]);
  assert.doesNotMatch(html, /<form class="filters"/);
});

it("a language is understood by its name, and named as by its tag", async () => {
  const chosen = (html: string) => /<ul class="chosen".*?<\/ul>/s.exec(html)?.[0] ?? "";
  for (const named of ["german", "Deutsch", "de"]) {
    const html = await htmlAt(`/search?type=quotation&language=${named}`);
    assert.match(chosen(html), /Language: Deutsch</, named);
    assert.match(html, /<input type="hidden" name="language" value="de">/);
  }
  assert.match(await htmlAt("/search?language=klingonish"), /give a language tag/);
});

describe("a list of one type", () => {
  it("can be narrowed by what it holds, with counts that hold", async () => {
    const html = await htmlAt("/search?type=quotation");
    const option = /<option value="([^"]+)">Epictetus \((\d+)\)<\/option>/.exec(html);
    assert(option !== null);
    const narrowed = await htmlAt(`/search?type=quotation&authors=${option[1]}&topics=&year_from=`);
    assert.equal(countAt(narrowed), Number(option[2]));
    assert(countAt(narrowed) < countAt(html));
  });

  it("gives every filter a way back, and the forms keep the others", async () => {
    const path = "/search?type=quotation&authors=%2Fauthors%2Fepictetus&verification=verified";
    const html = await htmlAt(path);
    assert.match(html, /Verification: Verified</);
    const back = removals(html);
    assert.equal(back.length, 2);
    for (const to of back) assert(countAt(await htmlAt(to)) >= countAt(html), to);
    assert(back.some((to) => !to.includes("authors=") && to.includes("verification=verified")));
    const kept = html.match(/<input type="hidden" name="authors" value="\/authors\/epictetus">/g);
    assert.equal(kept?.length, 2, "in the search and in the filters");
    assert.match(html, /<meta name="robots" content="noindex">/);
  });

  it("is sorted as asked, with and without scripts, and says what is wrong", async () => {
    const first = (html: string) => /<figcaption>.*?href="(\/quotations\/[^"]+)"/s.exec(html)?.[1];
    const best = first(await htmlAt("/search?type=quotation&topics=/topics/time"));
    const added = first(await htmlAt("/search?type=quotation&topics=/topics/time&sort=added"));
    assert.equal(added, "/quotations/abactor");
    assert.notEqual(best, added);
    assert.match(
      await htmlAt("/search?type=quotation&sort=colour"),
      /is not an order of this list/,
    );
  });

  it("narrows a search too, in valid HTML, and in Markdown by parameters", async () => {
    const html = await htmlAt("/search?q=man&type=quotation");
    assert.match(html, /<form class="filters".*<input type="hidden" name="q" value="man">/s);
    const validator = new HtmlValidate({
      extends: ["html-validate:standard"],
      elements: ["html5"],
    });
    const { results } = await validator.validateString(html);
    assert.deepEqual(
      results.flatMap(({ messages }) => messages.map(({ ruleId, line }) => `${line}: ${ruleId}`)),
      [],
    );
    const markdown = await (await site.get("/search.md?type=quotation")).text();
    assert.match(markdown, /\n- Authors \(`authors=`\): .*Epictetus \(\d+\)/);
  });

  it("is linked from lists and topics that fill more than a page", async () => {
    assert.match(await htmlAt("/quotations"), /href="\/search\?type=quotation">Filter and sort</);
  });
});
