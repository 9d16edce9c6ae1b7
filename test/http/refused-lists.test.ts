import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { parseFilters } from "../../src/content/lists/filters.ts";
import { InvalidListRequestError } from "../../src/content/lists/invalid-list-request.ts";
import { readSettings } from "../../src/content/site/settings.ts";
import { saveSite, withoutBuiltInTypes } from "../../src/content/site/site-saving.ts";
import { contentTypeSchema } from "../../src/content/types/content-type.ts";
import { siteTexts } from "../../src/texts/site/site-texts.ts";
import { NOW, openFixture } from "../support/open-fixture.ts";

const OPERATOR = { kind: "operator" } as const;
const site = await openFixture();
after(() => site.close());

/** Parameters of a wrong list, with what is said of them in English and in German. */
const WRONG: [parameters: string, english: RegExp, german: RegExp][] = [
  [
    "year_from=abc",
    /Cannot filter by "Year": "abc" does not fit; give a whole number/,
    /Nach „Jahr“ lässt sich nicht filtern: „abc“ passt nicht; geben Sie eine ganze Zahl an/,
  ],
  ["verification=sure", /use one of verified, attributed/, /möglich sind verified, attributed/],
  [
    "year_from=9&year_to=1",
    /the beginning, 9, is after the end, 1:/,
    /der Anfang, 9, liegt nach dem Ende, 1:/,
  ],
  ["verification_to=x", /give a value, not a range/, /keinen Bereich/],
  ["authors=nobody", /No author is called "nobody"/, /Nichts trägt den Namen „nobody“/],
  ["authors=/authors/x", /Nothing is published at/, /ist nichts veröffentlicht/],
  ["authors=/topics/time", /is not of the type Author/, /ist von anderer Art/],
  ["sort=colour", /is not an order of this list/, /ist keine Reihenfolge dieser Liste/],
  ["language=!", /give a language tag/, /geben Sie ein Sprachkürzel an/],
  ["count_by=colour", /Cannot count by "colour"/, /verlangt etwas, das es nicht gibt/],
];

async function mainOf(path: string): Promise<string> {
  const html = await (await site.get(path, { accept: "text/html" })).text();
  return (/<main[\s\S]*<\/main>/.exec(html)?.[0] ?? "").replaceAll("&quot;", '"');
}

describe("a list that cannot be narrowed as asked", () => {
  for (const [parameters, english, german] of WRONG) {
    it(`says why in the language of its edition: ${parameters}`, async () => {
      assert.match(await mainOf(`/search?type=quotation&${parameters}`), english);
      const main = await mainOf(`/de/search?type=quotation&${parameters}`);
      assert.match(main, german);
      assert.doesNotMatch(main, english);
    });
  }

  it("tells visitors of a range in words, and programs how to write one", async () => {
    const parameters = "type=quotation&year_from=abc";
    const english = await mainOf(`/search?${parameters}`);
    const german = await mainOf(`/de/search?${parameters}`);
    assert.match(english, /or a range from … to …/);
    assert.match(german, /oder einen Bereich von … bis …/);
    for (const main of [english, german]) assert.doesNotMatch(main, /[{}]/);
    const error = errorOf(() =>
      parseFilters(site.reading, ["quotation"], { given: { year: "abc" }, origin: "" }),
    );
    assert.match(error.message, /or a range as \{"from":…,"to":…\}/);
  });

  it("offers its filters, each to be removed or corrected", async () => {
    const main = await mainOf("/search?type=quotation&year_from=abc&verification=verified");
    assert.match(main, /href="\/search\?type=quotation&amp;verification=verified"/);
    assert.match(main, /href="\/search\?type=quotation&amp;year_from=abc"/);
    const nobody = await mainOf("/search?type=quotation&authors=nobody");
    assert.match(nobody, /href="\/search\?type=quotation"/);
    const language = await mainOf("/search?type=quotation&language=!&q=time");
    assert.match(language, /href="\/search\?q=time&amp;type=quotation"/);
  });

  it("counts what its other filters and its edition leave, as without the fault", async () => {
    const options = (main: string) =>
      [...main.matchAll(/<option value="\/authors[^<]*/g)].map(([option]) => option);
    const narrowed = "/search?type=quotation&topics=/topics/time";
    const offered = options(await mainOf(narrowed));
    assert(offered.length > 1, `${offered}`);
    for (const fault of ["sort=colour", "year_from=abc", "year_from=9&year_to=1"])
      assert.deepEqual(options(await mainOf(`${narrowed}&${fault}`)), offered, fault);
    const german = "/de/search?type=quotation";
    const offeredInGerman = options(await mainOf(german));
    assert.notDeepEqual(offeredInGerman, offered);
    assert.deepEqual(options(await mainOf(`${german}&year_from=abc`)), offeredInGerman);
  });

  it("names a type that does not exist, instead of searching all types", async () => {
    for (const address of ["/search?q=time&type=poem", "/search?type=poem"]) {
      const main = await mainOf(address);
      assert.match(main, /Cannot filter by "type": "poem" does not fit; use one of page, topic/);
      assert.doesNotMatch(main, /results? for/);
    }
    assert.match(await mainOf("/de/search?q=time&type=poem"), /„poem“ passt nicht/);
    assert.match(await mainOf("/search?q=time&type="), /results? for/);
  });

  it("names a filter that only other types have, instead of listing without it", async () => {
    const year = /Cannot filter by "Year": there is no such filter here; use one of born, died, /;
    for (const parameters of ["type=author&year_from=1900", "q=time&type=author&year=1900"]) {
      const main = await mainOf(`/search?${parameters}`);
      assert.match(main, year);
      assert.doesNotMatch(main, /href="\/authors\//);
      assert.match(main, /<ul class="chosen"[^>]*><li><a [^>]*>Year/);
      assert.match(await (await site.get(`/search.md?${parameters}`)).text(), year);
    }
    assert.match(
      await mainOf("/de/search?type=author&year_from=1900"),
      /Nach „Jahr“ lässt sich nicht filtern: diesen Filter gibt es hier nicht; möglich sind born,/,
    );
    assert.match(await mainOf("/search?type=author&year="), /href="\/authors\//);
  });

  it("says that a type has no filters", async () => {
    const { content } = site.record;
    const memo = contentTypeSchema.parse({
      name: "memo",
      label: "Memo",
      plural: "Memos",
      listPath: "/memos",
    });
    const { profile } = await readSettings(content, OPERATOR);
    const types = [...withoutBuiltInTypes(site.reading.types()), memo];
    await saveSite(content, OPERATOR, profile, types, NOW);
    const reason = /Cannot filter by "Year": this type has no filters\./;
    assert.match(await mainOf("/search?q=time&type=memo&year=1900"), reason);
    const german = await mainOf("/de/search?q=time&type=memo&year=1900");
    assert.match(german, /„Jahr“ lässt sich nicht filtern: diese Art hat keine Filter\./);
    const reasons = ["en", "de", "fr", "es", "ar", "he", "zh"].map(
      (language) => siteTexts(language).refusals.noFilters,
    );
    assert.equal(new Set(reasons).size, 7);
  });

  it("has a reason in each of the seven languages, and an English message for programs", () => {
    const error = errorOf(() =>
      parseFilters(site.reading, ["quotation"], { given: { year: "abc" }, origin: "" }),
    );
    assert.match(error.message, /^Cannot filter by "year": "abc" does not fit/);
    const reasons = ["en", "de", "fr", "es", "ar", "he", "zh"].map((language) =>
      error.reason(siteTexts(language).refusals),
    );
    assert.equal(new Set(reasons).size, 7);
    for (const reason of reasons) assert.match(reason, /year.*abc/);
  });
});

function errorOf(work: () => unknown): InvalidListRequestError {
  try {
    work();
  } catch (error) {
    if (error instanceof InvalidListRequestError) return error;
    throw error;
  }
  assert.fail("Nothing was refused");
}
