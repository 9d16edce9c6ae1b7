import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import fc from "fast-check";
import { anyCharacter } from "../support/any-character.ts";
import { openFixture } from "../support/open-fixture.ts";

const site = await openFixture();
after(() => site.close());

async function ask(parameters: Record<string, string>): Promise<{ status: number; text: string }> {
  const response = await site.get(`/search?${new URLSearchParams(parameters)}`, {
    accept: "text/markdown",
  });
  return { status: response.status, text: await response.text() };
}

/** The addresses of the hits. */
async function found(parameters: Record<string, string>): Promise<string[]> {
  const { status, text } = await ask(parameters);
  assert.equal(status, 200, text);
  return [...text.matchAll(/^[-*\d.]+ \[[^\]]*\]\(([^)]+)\)/gm)].map(([, address = ""]) => address);
}

describe("the search page", () => {
  it("finds and shows the match", async () => {
    const { text } = await ask({ q: "time" });
    assert.match(text, /results? for “time”\./);
    assert((await found({ q: "time" })).length > 0, text);
  });

  it("narrows by every filter of lists", async () => {
    const everything = await found({ q: "time", type: "quotation" });
    const narrowed = await found({ q: "time", type: "quotation", authors: "Epictetus" });
    assert(narrowed.length > 0 && narrowed.length < everything.length, `${narrowed}`);
    const absolute = "https://quotations.example/authors/epictetus";
    assert.deepEqual(await found({ q: "time", type: "quotation", authors: absolute }), narrowed);
    assert.deepEqual(await found({ q: "time", type: "quotation", language: "de" }), []);
    assert.deepEqual(await found({ q: "time", type: "quotation", year_from: "9000" }), []);
  });

  it("has further pages of results of all types", async () => {
    const html = async (address: string) => {
      const response = await site.get(address, { accept: "text/html" });
      return await response.text();
    };
    const first = await html("/search?q=the+time&language=en&page=1");
    assert.match(first, /results? for “the time”/);
    const second = await html("/search?q=the+time&language=en&page=2");
    assert.doesNotMatch(second, /Cannot filter/);
  });

  it("takes over the lists that are asked to narrow or sort", async () => {
    const location = async (address: string) => {
      const response = await site.get(address, { accept: "text/markdown" });
      return response.status === 307 ? response.headers.get("location") : response.status;
    };
    assert.equal(
      await location("/quotations?authors=Epictetus&page=2"),
      "/search?authors=Epictetus&type=quotation",
    );
    assert.equal(
      await location("/topics/time.md?topics=/topics/none&sort=year&utm_source=x"),
      "/search.md?topics=%2Ftopics%2Ftime&sort=year&type=quotation",
    );
    const narrowed = await site.get("/search?topics=%2Ftopics%2Ftime&sort=year&type=quotation");
    assert.equal(narrowed.status, 200);
    for (const address of ["/topics/time?x=1", "/topics/time?sort=", "/?authors=Epictetus"]) {
      assert.equal(await location(address), 200, address);
    }
  });

  it("says in words what is wrong with a filter", async () => {
    const refusals: [Record<string, string>, RegExp][] = [
      [{ type: "quotation", verification: "sure" }, /"sure" does not fit; use one of verified/],
      [{ type: "quotation", topics: "/topics/none" }, /Nothing is published at \/topics\/none/],
      [{ type: "quotation", year: "x" }, /Cannot filter by "Year": "x" does not fit/],
      [{ language: "?" }, /give a language tag/],
    ];
    for (const [filter, message] of refusals) {
      const { status, text } = await ask({ q: "time", ...filter });
      assert.equal(status, 200);
      assert.match(text, message);
    }
  });

  it("says what was searched instead, and of what nothing was found", async () => {
    const one = (await ask({ q: "firendship" })).text;
    assert.match(one, /for “friendship”\. Nothing was found for “firendship”\./);
    const some = (await ask({ q: "firendship time" })).text;
    assert.match(
      some,
      /for “friendship time”\. Nothing was found for a part of “firendship time”\./,
    );
  });

  it("leads back to exactly what was typed", async () => {
    const { text } = await ask({ q: "firendship" });
    const back = /\[Search for exactly that\]\(([^)]+)\)/.exec(text)?.[1] ?? "";
    assert.match(back, /\/search(?:\.md)?\?q=firendship&verbatim=1$/);
    assert.match(
      (await ask({ q: "firendship", verbatim: "1" })).text,
      /^Nothing was found for “firendship”/m,
    );
  });

  it("shows the best match, then each kind with its number", async () => {
    const { text } = await ask({ q: "courage" });
    assert.match(text, /By kind: \[Quotations \(\d+\)\]\([^)]*type=quotation\), /);
    const headings = [...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
    assert.equal(headings[0], "Best match");
    assert(headings.includes("Quotations"), headings.join());
    const quotations = (await ask({ q: "courage", type: "quotation" })).text;
    assert.doesNotMatch(quotations, /^## /m);
  });

  it("says when nothing comes close, and when a question was shortened", async () => {
    const distant = await ask({ q: "friendship of supersonic wings and boundary layers" });
    assert.match(distant.text, /^No line matches exactly; these come closest\.$/m);
    assert.match(distant.text, /^## Nearest$/m);
    assert.doesNotMatch(distant.text, /Best match/);
    assert.doesNotMatch((await ask({ q: "friendship" })).text, /No line matches/);
    const long = await ask({ q: `friendship ${"time and life ".repeat(300)}` });
    assert.match(long.text, /Only the most telling words were searched, not all of them\./);
  });

  it("says of an address that it cannot be read", async () => {
    for (const authors of ["http://", "https://x/%"]) {
      const { status, text } = await ask({ q: "time", authors });
      assert.equal(status, 200);
      assert.match(text, /as an address|is not on this site/, authors);
    }
  });

  it("answers any question and any filter, never with an internal error", async () => {
    const names = fc.constantFrom(
      ...[
        "q",
        "type",
        "page",
        "language",
        "topics",
        "authors",
        "year",
        "year_from",
        "verification",
      ],
      ...["work", "kind", "year_to", "works", "other"],
    );
    const values = fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 30 }),
      fc.string({ unit: anyCharacter, maxLength: 40 }),
      fc.constantFrom(
        ...['"', '"a', "-", "*", "a*", "NEAR(a b)", "title:a", "\0", "🙂", "שלום", "\u202e", "//x"],
        ...["//", "/", "http://", "https://x/%", "time", "/topics/time", "quotation", "1e9", "-1"],
        ...['"'.repeat(300), "word ".repeat(1000), "constructor", "__proto__", "东京", "a:b"],
      ),
    );
    await fc.assert(
      fc.asyncProperty(fc.dictionary(names, values, { maxKeys: 5 }), async (parameters) => {
        const { status, text } = await ask(parameters);
        assert([200, 400, 414].includes(status), `${status} ${text}`);
      }),
      { numRuns: 200 },
    );
    const { status } = await ask({ q: '"'.repeat(1_000_000) });
    assert.equal(status, 414);
  });
});
