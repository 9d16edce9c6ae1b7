import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import type { SearchPage, SearchQuery } from "../../src/content/library.ts";
import { AppError } from "../../src/errors.ts";
import { openReadingCopy } from "../../src/storage/reading/open.ts";
import { anyCharacter } from "../support/any-character.ts";
import { openReading, type ReadingStore, renderFirst } from "../support/reading-store.ts";
import { rehash } from "../support/rehash.ts";

function search(
  store: ReadingStore,
  text: string,
  query: Partial<SearchQuery> = {},
): Promise<SearchPage> {
  const whole = { types: [], filters: [], links: [], limit: 10, offset: 0 };
  return store.reading.search({ ...whole, ...query, text });
}

async function found(store: ReadingStore, text: string, query: Partial<SearchQuery> = {}) {
  return (await search(store, text, query)).hits.map(({ path }) => path);
}

function withQuotations(): ReadingStore {
  const store = openReading();
  store.put("author", "/authors/seneca", {
    title: "Seneca",
    fields: { aliases: ["Lucius Annaeus"] },
  });
  store.put("author", "/authors/montaigne", { title: "Michel de Montaigne" });
  store.put("topic", "/topics/friendship", { title: "Friendship" });
  store.put("quotation", "/quotations/life", {
    title: "On life",
    body: "It is not that we have a short time to live, but that we waste a lot of it.",
    fields: { year: 49, verification: "verified" },
    relations: { authors: ["/authors/seneca"] },
  });
  store.put("quotation", "/quotations/friend", {
    title: "On friends",
    body: "Because it was he, because it was I. In true friendship I give myself to my friend.",
    fields: { year: 1580 },
    relations: { authors: ["/authors/montaigne"], topics: ["/topics/friendship"] },
  });
  store.put("quotation", "/quotations/ende", {
    title: "Vom Ende",
    body: "Die Zeit heilt nicht alle Wunden. Straße, Ärger, Œuvre.",
    language: "de",
  });
  return store;
}

describe("search", () => {
  it("finds any of the words in any of their forms, accents and case folded", async () => {
    using store = withQuotations();
    assert.deepEqual(await found(store, "wasted LIVES unheardofword"), ["/quotations/life"]);
    assert.deepEqual(await found(store, "strasse arger oeuvre"), ["/quotations/ende"]);
  });

  it("lists an item once that has several words of a query that consists of stop words", async () => {
    using store = openReading();
    store.put("page", "/sea", { title: "Home", body: "By the sea we sat, with a book" });
    const { hits, total } = await search(store, "with the");
    assert.deepEqual([hits.map(({ path }) => path), total], [["/sea"], 1]);
  });

  it("finds a text that has a word any number of times, and no other", async () => {
    using store = openReading();
    for (const times of [1, 127, 128, 255, 256, 40_000]) {
      await renderFirst("bell ".repeat(times));
      store.put("page", `/${times}`, { title: "Page", body: "bell ".repeat(times) });
      store.put("page", `/beside-${times}`, { title: "Page", body: "silence" });
    }
    assert.deepEqual((await found(store, "bell")).sort(), [
      "/1",
      "/127",
      "/128",
      "/255",
      "/256",
      "/40000",
    ]);
  });

  it("finds a text without a space, however long", async () => {
    using store = openReading();
    const body = "道可非常名".repeat(60_000);
    await renderFirst(body);
    store.put("page", "/way", { title: "Way", body, language: "zh" });
    assert.deepEqual(await found(store, "非常名"), ["/way"]);
  });

  it("narrows by language, however many languages there are", async () => {
    using store = openReading();
    store.transaction(() =>
      store.db.exec(
        `INSERT INTO reading_kind (type, language, hash)
         WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 65533)
         SELECT 'page', 'x-' || n, 0 FROM numbers`,
      ),
    );
    rehash(store.db, "reading_kind");
    for (const language of ["de", "fr", "it"]) {
      store.put("page", `/${language}`, { title: "Bell", language });
    }
    for (const language of ["de", "fr", "it"]) {
      assert.deepEqual(await found(store, "bell", { language }), [`/${language}`]);
    }
  });

  it("finds items by the names of what they are related to, as these change", async () => {
    using store = withQuotations();
    assert.equal((await found(store, "seneca on wasting time"))[0], "/quotations/life");
    store.put("author", "/authors/seneca", { title: "Lucius Seneca minor" });
    assert.deepEqual((await found(store, "minor")).toSorted(), [
      "/authors/seneca",
      "/quotations/life",
    ]);
    store.retire("/authors/seneca", false);
    assert.deepEqual(await found(store, "minor"), []);
    assert.deepEqual(await found(store, "annaeus"), []);
  });

  it("ranks a match in the title over one in the text", async () => {
    using store = openReading();
    store.put("page", "/body", { title: "Other", body: "A word about courage and so on" });
    store.put("page", "/title", { title: "Courage", body: "A word about things and so on" });
    assert.deepEqual(await found(store, "courage"), ["/title", "/body"]);
  });

  it("puts first what shares more with the best matches, and an item asked for by its title", async () => {
    using store = openReading();
    store.transaction(() => {
      for (let n = 0; n < 30; n++)
        store.put("page", `/other${n}`, { body: `Number ${n} is nothing` });
      for (let n = 0; n < 6; n++) {
        store.put("page", `/harvest${n}`, {
          title: "Bread",
          body: "Bread of wheat, from the oven",
        });
      }
      store.put("page", "/alone", { title: "On it", body: "Bread and stone sand" });
      store.put("page", "/oven", { title: "On it", body: "Bread wheat oven sand" });
    });
    const paths = await found(store, "bread", { limit: 25 });
    assert(paths.indexOf("/oven") < paths.indexOf("/alone"), paths.join());
    assert.deepEqual(await found(store, "bread", { limit: 3, offset: 5 }), paths.slice(5, 8));
    store.put("page", "/bread-alone", { title: "Stone bread", body: "Nothing else" });
    assert.equal((await found(store, "stone bread"))[0], "/bread-alone");
  });

  it("requires phrases and exclusions but not words", async () => {
    using store = withQuotations();
    assert.deepEqual(await found(store, '"short time" friendship'), ["/quotations/life"]);
    assert.deepEqual(await found(store, '"time short"'), []);
    assert.deepEqual(await found(store, "time friendship -friend -seneca"), ["/topics/friendship"]);
    assert.deepEqual(await found(store, 'friendship -"my friend"'), ["/topics/friendship"]);
    assert.deepEqual(await found(store, "time friendship -frien*"), ["/quotations/life"]);
    assert.deepEqual((await found(store, "frien*")).toSorted(), [
      "/quotations/friend",
      "/topics/friendship",
    ]);
  });

  it("searches the words of phrases that no item has, if other words are asked, and says so", async () => {
    using store = withQuotations();
    const page = await search(store, 'friendship "time short"');
    assert.equal(page.correctedText, "friendship time short");
    assert.equal(page.hits.length, 3);
    assert.equal((await search(store, '"time short"')).total, 0);
    assert.equal((await search(store, 'friendship "time short" -seneca')).total, 0);
  });

  it("looks for frequent words only when nothing else is asked", async () => {
    using store = withQuotations();
    assert.deepEqual(await found(store, "the time of it"), ["/quotations/life"]);
    assert.deepEqual((await found(store, "it was he")).length > 0, true);
    assert.deepEqual(await found(store, '"because it was he"'), ["/quotations/friend"]);
  });

  it("narrows by type, field, link and language", async () => {
    using store = withQuotations();
    assert.deepEqual(await found(store, "friendship", { types: ["topic"] }), [
      "/topics/friendship",
    ]);
    const old = [{ field: "year", operator: "to", value: 100 } as const];
    assert.deepEqual(await found(store, "time friendship", { filters: old }), ["/quotations/life"]);
    const links = [
      { direction: "in", relation: "authors", anchors: ["/authors/montaigne"] } as const,
    ];
    assert.deepEqual(await found(store, "time friendship", { links }), ["/quotations/friend"]);
    assert.deepEqual(await found(store, "zeit time", { language: "de" }), ["/quotations/ende"]);
    store.put("page", "/neu", { title: "Neue Zeit", language: "de" });
    assert.deepEqual((await found(store, "zeit", { language: "de" })).toSorted(), [
      "/neu",
      "/quotations/ende",
    ]);
  });

  it("shows the match in plain text between marks, at most 300 characters", async () => {
    using store = openReading();
    const filler = "Of this and that and nothing at all. ".repeat(60);
    store.put("page", "/long", { body: `${filler}Here *patience* is named, patience. ${filler}` });
    const [hit] = (await search(store, "patience")).hits;
    assert(hit !== undefined);
    assert(hit.snippet.includes("Here \u0002patience\u0003 is named, \u0002patience\u0003."));
    assert(hit.snippet.length <= 300);
    assert(hit.snippet.startsWith("…") && hit.snippet.endsWith("…"));
    for (const text of ["of this and that", '"of this"']) {
      const [first] = (await search(store, text)).hits;
      assert(first?.snippet.startsWith("\u0002Of\u0003 \u0002this\u0003"));
    }
  });

  it("corrects a word that finds nothing, searches the correction and says so", async () => {
    using store = withQuotations();
    for (const misspelled of ["freindship", "frindship", "friendhsip", "friiendship"]) {
      const page = await search(store, `On ${misspelled}!`, { types: ["topic"] });
      assert.equal(page.correctedText, "On friendship!");
      assert.equal(page.hits[0]?.path, "/topics/friendship");
    }
    assert.equal((await search(store, "friendship")).correctedText, null);
    const onlyGerman = await search(store, "freindship", { language: "de" });
    assert.deepEqual([onlyGerman.total, onlyGerman.correctedText], [0, null]);
    assert.equal((await search(store, "whay is freindship")).correctedText, "what is friendship");
    assert.equal((await search(store, "xylophonist")).correctedText, null);
    store.put("page", "/lamps", { body: "Lanterns of all kinds" });
    assert.equal((await search(store, "lanten")).correctedText, "lanterns");
    store.put("page", "/drunk", { body: "A man who is drunk could not teach" });
    store.put("page", "/drums", { body: "Drugs, drugs and drums, a drug for each drum" });
    const drunk = await search(store, "man who is druk could");
    assert.equal(drunk.correctedText, "man who is drunk could");
    assert.equal((await search(store, '"freindship"')).total, 0);
  });

  it("searches what was typed when asked to", async () => {
    using store = withQuotations();
    const typed = await search(store, "freindship", { isVerbatim: true });
    assert.deepEqual([typed.total, typed.correctedText], [0, null]);
  });

  it("counts the matches of each type, also those beyond the page", async () => {
    using store = withQuotations();
    const all = await search(store, "friendship seneca", { limit: 1 });
    assert.deepEqual(all.counts, { quotation: 2, topic: 1, author: 1 });
    const topics = await search(store, "friendship seneca", { types: ["topic"] });
    assert.deepEqual(topics.counts, { topic: 1 });
    const old = [{ field: "year", operator: "to", value: 100 } as const];
    const early = await search(store, "friendship seneca", { filters: old });
    assert.deepEqual(early.counts, { quotation: 1 });
  });

  it("does not correct towards words that are no longer published", async () => {
    using store = withQuotations();
    store.put("page", "/rare", { body: "Perspicacity" });
    store.retire("/rare", true);
    assert.equal((await search(store, "perspicasity")).correctedText, null);
  });

  it("counts exactly up to a thousand, pages on and finds an edit at once", async () => {
    using store = openReading();
    store.transaction(() => {
      for (let n = 0; n < 1000; n++) store.put("page", `/p${n}`, { body: "common" });
    });
    const exact = await search(store, "common", { limit: 10, offset: 990 });
    assert.deepEqual([exact.total, exact.totalIsExact, exact.hasMore], [1000, true, false]);
    assert.equal(exact.hits.length, 10);
    store.put("page", "/one-more", { body: "common" });
    const more = await search(store, "common");
    assert.deepEqual([more.total, more.totalIsExact, more.hasMore], [1000, false, true]);
    store.put("page", "/one-more", { body: "special" });
    assert.deepEqual(await found(store, "special"), ["/one-more"]);
    assert.equal((await search(store, "common")).totalIsExact, true);
  });

  it("answers any text with results or a clear refusal", async () => {
    using store = withQuotations();
    const pieces = fc.constantFrom(
      ...['"', "-", "*", "(", ")", ":", "^", "+", "{", "}", "\0", "\u0002", "AND", "OR", "NOT"],
      ...["NEAR(", "title:", "body", "rowid", "--", ";", "'", "\\", "%", "🙂", "שלום", "\u202e"],
      ...["\ud800", "时间", "ﬁ", "İ", "time", "friend", " ", " ", " "],
    );
    const hostile = fc.oneof(
      fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join("")),
      fc.string({ unit: anyCharacter, maxLength: 310 }),
      fc.constantFrom(
        '"'.repeat(1_000_000),
        "word ".repeat(10_000),
        '"'.repeat(300),
        "-".repeat(300),
      ),
    );
    await fc.assert(
      fc.asyncProperty(hostile, async (text) => {
        try {
          const page = await search(store, text);
          assert(page.hits.length <= page.total);
        } catch (error) {
          assert(error instanceof AppError, `${error}`);
          assert.equal(error.code, "invalid");
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe("a search that takes too long", () => {
  it("is aborted with advice, and the next one answered", async () => {
    using store = openReading();
    store.transaction(() => {
      for (let number = 0; number < 100; number++) {
        store.put("topic", `/topics/t${number}`, { title: `Patience ${number}` });
      }
      store.put("topic", "/topics/rare", { title: "Zeal" });
    });
    using hurried = openReadingCopy({ file: store.file, searchMillisecondsMax: 0 });
    const ask = (text: string) =>
      hurried.search({ text, types: [], filters: [], links: [], limit: 5, offset: 0 });
    await assert.rejects(ask("patience"), {
      code: "unavailable",
      message:
        "The search took longer than 0 seconds: ask for fewer or rarer words, or fewer types",
    });
    assert.equal((await ask("zeal")).hits[0]?.path, "/topics/rare");
    assert.equal((await search(store, "patience")).total, 100);
  });
});

describe("a suggestion", () => {
  it("is found for misspelled paths and names, whatever the section", () => {
    using store = withQuotations();
    const meant = (text: string) =>
      store.reading.similar(text, { limit: 3 }).map(({ path }) => path)[0];
    assert.equal(meant("/topics/freindship"), "/topics/friendship");
    assert.equal(meant("/topic/friendship.md"), "/topics/friendship");
    assert.equal(meant("/author/senecca"), "/authors/seneca");
    assert.equal(meant("montagne"), "/authors/montaigne");
    assert.equal(meant("/authors/michel-montaigne/"), "/authors/montaigne");
    assert.equal(meant("/wp-login.php"), undefined);
    for (const text of ["", "/", '"*"', "\0", "🙂🙂🙂", "x".repeat(5000)]) {
      assert.deepEqual(store.reading.similar(text, { limit: 3 }), []);
    }
  });

  it("is found among many that are alike", async () => {
    using store = openReading();
    const syllables = ["ba", "der", "fi", "gol", "hu", "ken", "li", "mar", "no", "per"];
    const names = syllables.flatMap((a) =>
      syllables.flatMap((b) => ["son", "ster", "tha"].map((end) => a + b + end)),
    );
    store.transaction(() => {
      for (const name of names) store.put("topic", `/topics/${name}`, { body: `About ${name}` });
      store.put("topic", "/topics/perseverance", { body: "Perseverance" });
    });
    assert.equal(
      store.reading.similar("/topics/pesreverance", { limit: 1 })[0]?.title,
      "perseverance",
    );
    assert.equal((await search(store, "pesreverance")).correctedText, "perseverance");
    assert.equal(store.reading.similar("/topics/bafsion", { limit: 1 })[0]?.title, "bafison");
  });

  it("is found among the names of its type, however many others are as much alike", () => {
    using store = openReading();
    store.transaction(() => {
      for (let number = 0; number < 150; number++) {
        const title = `Wisdom ${number}`;
        store.put("quotation", `/quotations/wisdom-${number}`, { title, body: "Wisdom" });
      }
      store.put("topic", "/topics/wisdom", { title: "Wisdom" });
    });
    const [first] = store.reading.similar("wisdmo", { type: "topic", limit: 3 });
    assert.equal(first?.path, "/topics/wisdom");
  });

  it("is found by the start of a title or alias, exactly when wanted", () => {
    using store = withQuotations();
    store.put("author", "/authors/zeno", {
      title: "Zénon d’Élée",
      fields: { sort_name: "Elea, Z." },
    });
    const named = (text: string, isExact: boolean) =>
      store.reading
        .itemsByName(text, { type: "author", isExact, limit: 5 })
        .map(({ path }) => path);
    assert.deepEqual(named("zenon D'elee", true), ["/authors/zeno"]);
    assert.deepEqual(named("ZENO", false), ["/authors/zeno"]);
    assert.deepEqual(named("ZENO", true), []);
    assert.deepEqual(named("lucius", false), ["/authors/seneca"]);
    assert.deepEqual(named("elea", false), ["/authors/zeno"]);
    assert.deepEqual(named("friendship", true), []);
    assert.equal(named("", false).length, 3);
  });
});
