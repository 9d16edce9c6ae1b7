import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { SearchQuery } from "../../src/content/library.ts";
import { openReading, type ReadingStore } from "../support/reading-store.ts";

const LINES = {
  "to-be": "To be, or not to be, that is the question: whether 'tis nobler in the mind to suffer.",
  waste: "It is not that we have a short time to live, but that we waste a lot of it.",
  live: "Live a short life, and a short time is all the time you have to waste on life.",
  want: "You cannot have what you do not want.",
  wanting: "What you want is not what you have, and what you have you do not know.",
  opinion: "Hold no opinion of what is said; the opinion that you want is the one you lack.",
  time: "Time is the longest distance between two places, and time waits for no one.",
};

async function found(store: ReadingStore, text: string, query: Partial<SearchQuery> = {}) {
  const whole = { types: [], filters: [], links: [], limit: 10, offset: 0 };
  const { hits } = await store.reading.search({ ...whole, ...query, text });
  return hits.map(({ path }) => path.slice(1));
}

function withLines(): ReadingStore {
  const store = openReading();
  store.transaction(() => {
    for (const [path, body] of Object.entries(LINES)) store.put("page", `/${path}`, { body });
    for (let n = 0; n < 40; n++) {
      store.put("page", `/other${n}`, { body: `You do what you do, and time is what it is ${n}.` });
    }
  });
  return store;
}

describe("a line half remembered", () => {
  it("is found by small words alone, in their order", async () => {
    using store = withLines();
    assert.equal((await found(store, "to be or not to be"))[0], "to-be");
    assert.equal((await found(store, "or not to be that is"))[0], "to-be");
    assert.equal((await found(store, "have what you do not"))[0], "want");
  });

  it("is found by words in a row, though others have them more often", async () => {
    using store = withLines();
    assert.equal((await found(store, "have a short time to live"))[0], "waste");
    assert.equal((await found(store, "is the opinion that you want"))[0], "opinion");
  });

  it("is found with words forgotten, swapped for others or misspelled", async () => {
    using store = withLines();
    assert.equal((await found(store, "not that we have time but waste lot"))[0], "waste");
    assert.equal((await found(store, "we have so short a time to live but waste it"))[0], "waste");
    assert.equal((await found(store, "the longest distence between two places"))[0], "time");
  });

  it("is corrected by the item that holds it, though the words as typed exist", async () => {
    using store = withLines();
    const whole = { types: [], filters: [], links: [], limit: 10, offset: 0 };
    const answer = async (text: string, query: Partial<SearchQuery> = {}) => {
      const page = await store.reading.search({ ...whole, ...query, text });
      return [page.hits[0]?.path, page.correctedText, page.closeness];
    };
    store.put("page", "/tide", { body: "The tide rises, and the tide falls." });
    store.put("page", "/zh", { language: "zh", body: "我们希望证书的有效期不会太长。" });
    const asked = "that we have a short tide to live";
    const meant = "that we have a short time to live";
    assert.deepEqual(await answer(asked), ["/waste", meant, "close"]);
    assert.deepEqual(await answer(asked, { isVerbatim: true }), ["/waste", null, "distant"]);
    assert.deepEqual(await answer("证书的有校期不会"), ["/zh", "证书的有效期不会", "close"]);
  });

  it("is found though one word is another, which other items have", async () => {
    using store = withLines();
    store.transaction(() => {
      for (let n = 0; n < 20; n++) store.put("page", `/wealth${n}`, { title: "Wealth" });
    });
    assert.equal((await found(store, "wealth is not that we have a"))[0], "waste");
    assert.equal((await found(store, "wealth that it is"))[0]?.slice(0, 6), "wealth");
  });

  it("is another line if more of its words are others", async () => {
    using store = withLines();
    store.put("page", "/tide", { body: "The tide rises." });
    store.put("page", "/shore", { body: "The shore is far." });
    const whole = { types: [], filters: [], links: [], limit: 10, offset: 0 };
    const text = "have a shore tide to live";
    const { correctedText, closeness } = await store.reading.search({ ...whole, text });
    assert.deepEqual([correctedText, closeness], [null, "distant"]);
  });

  it("is found by words that otherwise only ask", async () => {
    using store = withLines();
    assert.equal((await found(store, "you cannot have what you do not want"))[0], "want");
  });

  it("is close when a question in one of four languages is around it", async () => {
    using store = withLines();
    store.put("page", "/ruler", { body: "Who knows the author? He stretched the line on it." });
    store.put("page", "/de", { language: "de", body: "Es irrt der Mensch, solang er strebt." });
    store.put("page", "/fr", { language: "fr", body: "Le cœur a ses raisons, dit-on aux sages." });
    store.put("page", "/es", { language: "es", body: "La vida es sueño, y los sueños son." });
    const whole = { types: [], filters: [], links: [], limit: 10, offset: 0 };
    for (const [path, text] of [
      ["/waste", "I am looking for the line have a short time to live but do not know the author"],
      ["/waste", "can you find the quote that goes we have a short time to live"],
      ["/time", "where does the longest distance between two places come from"],
      ["/time", "what is the source of the longest distance between two places"],
      ["/time", "the longest distance between two places, who said it?"],
      ["/to-be", "who said to be or not to be"],
      ["/de", "Von wem stammt der Satz: es irrt der Mensch solang er strebt?"],
      ["/de", "Woher kommt „es irrt der Mensch solang er strebt“?"],
      ["/de", "es irrt der Mensch solang er strebt, wer hat das gesagt?"],
      ["/fr", "Qui a dit que le cœur a ses raisons, dit-on aux sages ?"],
      ["/fr", "d’où vient la phrase le cœur a ses raisons"],
      ["/es", "¿Quién dijo que la vida es sueño y los sueños son?"],
      ["/es", "de dónde viene la frase la vida es sueño y los sueños son"],
    ] as const) {
      const { hits, closeness } = await store.reading.search({ ...whole, text });
      assert.deepEqual([hits[0]?.path, closeness], [path, "close"], text);
    }
  });

  it("precedes a name that has no more than its telling word", async () => {
    using store = withLines();
    for (const title of ["Opinion", "Lack"]) store.put("topic", `/topics/${title}`, { title });
    assert.equal((await found(store, "the opinion that you want is the"))[0], "opinion");
    assert.equal((await found(store, "is the one you lack"))[0], "opinion");
    assert.equal((await found(store, "opinion"))[0], "topics/Opinion");
  });

  it("keeps one order over the pages", async () => {
    using store = withLines();
    const all = await found(store, "what you do is time", { limit: 40 });
    const pages = [0, 10, 20, 30].map((offset) => found(store, "what you do is time", { offset }));
    assert.deepEqual((await Promise.all(pages)).flat(), all);
  });
});

describe("a phrase", () => {
  it("has its words together and in order within one column", async () => {
    using store = withLines();
    store.put("page", "/columns", { title: "Short", body: "Time to live." });
    assert.deepEqual(await found(store, '"short time to live"'), ["waste"]);
    assert.deepEqual(await found(store, '"time short"'), []);
    assert.deepEqual(await found(store, '"be or not to be"'), ["to-be"]);
    assert.deepEqual(await found(store, '"short time" -"to live"'), ["live"]);
    assert.deepEqual(await found(store, '"tis nobler" "not to be"'), ["to-be"]);
  });

  it("is the line that a long question asks for, also misquoted", async () => {
    using store = withLines();
    const whole = { types: [], filters: [], links: [], limit: 10, offset: 0 };
    const story = (line: string) =>
      `My aunt leaves the choir after years of singing, and wants the card to say “${line}”, but ` +
      "nobody remembers the author, so please find out what is the book and the page it is from.";
    for (const line of [
      "is the longest distance between two places",
      "is the longest way between two places",
      "is longest distance between the places",
    ]) {
      const { hits, closeness } = await store.reading.search({ ...whole, text: story(line) });
      assert.deepEqual([hits[0]?.path, closeness], ["/time", "close"], line);
    }
    const foreign = story("zebrafish embryos were kept in tanks");
    const { closeness } = await store.reading.search({ ...whole, text: foreign });
    assert.equal(closeness, "distant");
  });

  it("is searched as words if it is a line that no item has as quoted", async () => {
    using store = withLines();
    const whole = { types: [], filters: [], links: [], limit: 10, offset: 0 };
    const text = "“the longest way between two places”";
    const page = await store.reading.search({ ...whole, text });
    const words = "the longest way between two places";
    assert.deepEqual([page.hits[0]?.path, page.correctedText], ["/time", words]);
    assert.equal((await store.reading.search({ ...whole, text, isVerbatim: true })).total, 0);
  });

  it("may be a single small word, and repeat words", async () => {
    using store = openReading();
    store.put("page", "/one", { body: "Again and again and gain" });
    store.put("page", "/two", { body: "Again and gain" });
    assert.deepEqual(await found(store, '"again and again and gain"'), ["one"]);
    assert.deepEqual((await found(store, '"and"')).toSorted(), ["one", "two"]);
    assert.deepEqual((await found(store, "and")).toSorted(), ["one", "two"]);
  });
});
