import assert from "node:assert/strict";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { findPage } from "../../src/content/pages/find-page.ts";
import type { Quote } from "../../src/content/pages/view.ts";
import { wordsOf } from "../../src/search/language/words.ts";
import { demoItems, openDemoReading } from "../support/demo-reading.ts";
import { dice } from "../support/dice.ts";
import { readCollection } from "./collection.ts";

const items = demoItems();
const store = openDemoReading(items);
after(() => store[Symbol.dispose]());

/** Variants, other languages, old spellings and slips; each with the title that should come first. */
const VARIANTS: readonly (readonly [asked: string, title: string])[] = [
  ["Epiktet", "Epictetus"],
  ["Lao Tse", "Laozi"],
  ["Lao Tzu", "Laozi"],
  ["lao-tzu", "Laozi"],
  ["Tolstoi", "Leo Tolstoy"],
  ["Tolstoj", "Leo Tolstoy"],
  ["Nietsche", "Friedrich Nietzsche"],
  ["Nietzche", "Friedrich Nietzsche"],
  ["Konfuzius", "Confucius"],
  ["Confuscius", "Confucius"],
  ["Sokrates", "Socrates"],
  ["Platon", "Plato"],
  ["Aristoteles", "Aristotle"],
  ["Mark Aurel", "Marcus Aurelius"],
  ["Marcus Aurelias", "Marcus Aurelius"],
  ["Aurelius", "Marcus Aurelius"],
  ["Senneca", "Seneca"],
  ["Sénèque", "Seneca"],
  ["Montagne", "Michel de Montaigne"],
  ["Tchekhov", "Anton Chekhov"],
  ["Tschechow", "Anton Chekhov"],
  ["Shakespear", "William Shakespeare"],
  ["Shakspere", "William Shakespeare"],
  ["Goethe", "Johann Wolfgang von Goethe"],
  ["Göthe", "Johann Wolfgang von Goethe"],
  ["Emmerson", "Ralph Waldo Emerson"],
  ["Thorau", "Henry David Thoreau"],
  ["Kirkegaard", "Søren Kierkegaard"],
  ["Schopenhaur", "Arthur Schopenhauer"],
  ["Machiaveli", "Niccolò Machiavelli"],
  ["Moliere", "Molière"],
  ["Voltair", "Voltaire"],
  ["Rouseau", "Jean-Jacques Rousseau"],
  ["Russel", "Bertrand Russell"],
  ["Twain", "Mark Twain"],
  ["Mark Twane", "Mark Twain"],
  ["Ralf Waldo Emmerson", "Ralph Waldo Emerson"],
  ["Samuel Clemens", "Mark Twain"],
  ["Charles Dodgson", "Lewis Carroll"],
  ["Teddy Roosevelt", "Theodore Roosevelt"],
  ["FDR", "Franklin D. Roosevelt"],
  ["Araminta Ross", "Harriet Tubman"],
  ["Bronte, Charlotte", "Charlotte Brontë"],
  ["Devils Dictionary", "The Devil’s Dictionary"],
  ["Meditation", "Meditations"],
  ["Art of War", "The Art of War"],
  ["Beyond Good and Evel", "Beyond Good and Evil"],
  ["Thus Spoke Zarathustra", "Thus Spake Zarathustra"],
  ["Vindication of the rights of women", "A Vindication of the Rights of Woman"],
  ["Tao Teh Ching", "Tao Te Ching"],
  ["Tao Te King", "Tao Te Ching"],
  ["frendship", "Friendship"],
  ["Эпиктет", "Epictetus"],
  ["Επίκτητος", "Epictetus"],
  ["孔子", "Confucius"],
  ["老子", "Laozi"],
  ["سينيكا", "Seneca"],
  ["Толстой", "Leo Tolstoy"],
  ["selfreliance", "Self-Reliance"],
  ["selfrelience", "Self-Reliance"],
  ["self reliance", "Self-Reliance"],
  ["hapiness", "Happiness"],
];

async function search(text: string) {
  const whole = { types: [], filters: [], links: [], limit: 5, offset: 0 };
  return await store.reading.search({ ...whole, text });
}

describe("a name", () => {
  it("comes first by its exact title: every work, and every third topic and author", async () => {
    const named = items.filter(
      ({ type }, place) => type === "work" || (type !== "quotation" && place % 3 === 0),
    );
    const missed: string[] = [];
    for (const { title } of named) {
      const { hits, closeness } = await search(title);
      if (hits[0]?.title !== title || closeness !== "named") missed.push(title);
    }
    assert.deepEqual(missed, []);
    assert(named.length > 140);
  });

  it(`comes first in other languages, older spellings and misspelled (${VARIANTS.length})`, async () => {
    const missed: string[] = [];
    for (const [asked, title] of VARIANTS) {
      const first = (await search(asked)).hits[0]?.title;
      if (first !== title) missed.push(`${asked}: ${first}`);
    }
    assert(missed.length <= VARIANTS.length / 20, missed.join("\n"));
  });

  it("comes first by initials, by its address, and asked for in four languages", async () => {
    for (const [asked, title] of [
      ["J. S. Mill", "John Stuart Mill"],
      ["JS Mill", "John Stuart Mill"],
      ["H.D. Thoreau", "Henry David Thoreau"],
      ["https://quotations.example/authors/seneca", "Seneca"],
      ["/works/henry-david-thoreau-walden.md?page=2", "Walden"],
      ["Oscar Wilde quotes", "Oscar Wilde"],
      ["who wrote Walden", "Walden"],
      ["Wer schrieb Walden?", "Walden"],
      ["Zitate von Seneca", "Seneca"],
      ["Ich suche Zitate von Nietzsche", "Friedrich Nietzsche"],
      ["je cherche des citations de Montaigne", "Michel de Montaigne"],
      ["frases célebres de Platón", "Plato"],
    ] as const) {
      const { hits, closeness } = await search(asked);
      assert.deepEqual([hits[0]?.title, closeness], [title, "named"], asked);
    }
    const { correctedText, hits } = await search("Was sagt Seneca über die Zeit?");
    assert.equal(correctedText, null);
    assert.equal(hits[0]?.links["authors"]?.[0]?.title, "Seneca");
  });

  it("is not wanted where the query says so, in four languages", async () => {
    for (const [asked, meant] of [
      ["quotes about time not by Seneca", 'quotes about time -"Seneca"'],
      ["Zitate über die Zeit, nicht von Seneca", 'Zitate über die Zeit, -"Seneca"'],
      ["citations sur le temps sauf Sénèque", 'citations sur le temps -"Seneca"'],
      ["citas sobre el tiempo excepto Lao Tse", 'citas sobre el tiempo -"Laozi"'],
    ] as const) {
      const { hits, correctedText } = await search(asked);
      assert.equal(correctedText ?? meant, meant, asked);
      const authors = hits.flatMap(({ links }) => links["authors"] ?? []);
      assert(!authors.some(({ title }) => meant.includes(title)), asked);
    }
    assert.match(String((await search("time except Seneca")).hits[0]?.title), /./);
    await assert.rejects(search("not by Seneca"), /only excludes words: add a word/);
  });

  it("narrows softly what else is asked", async () => {
    const authorOf = async (text: string) => {
      const [first] = (await search(text)).hits;
      return first?.links["authors"]?.[0]?.title;
    };
    assert.equal(await authorOf("quote about time being short by Seneca"), "Seneca");
    assert.equal(await authorOf("what does Epiktet say about freedom"), "Epictetus");
    assert.equal(await authorOf("Lao Tse on water"), "Laozi");
    const { hits } = await search("Meditations book 4");
    assert(hits.every(({ fields }) => String(fields["locator"]).startsWith("Book IV")));
  });

  it("lends its words to related items only where the query names it", async () => {
    const texts = new Map(items.map(({ path, title, body }) => [path, `${title} ${body}`]));
    const { hits } = await search("time short");
    assert(hits.length > 0);
    for (const { path } of hits) assert.match(texts.get(path) ?? "", /\bshort/i, path);
    const named = await search("essays on friendship");
    assert.equal(named.hits[0]?.links["work"]?.[0]?.title, "Essays");
  });

  it("is preferred where a word is corrected, and written as in its title", async () => {
    for (const [asked, corrected] of [
      ["kirkegard", "Kierkegaard"],
      ["goethee on nature", "Goethe on nature"],
      ["Frendship", "Friendship"],
      ["frendship", "friendship"],
    ] as const) {
      assert.equal((await search(asked)).correctedText, corrected);
    }
  });

  it("is reported where a query holds it, and replaced by the title where that says something else", async () => {
    const { named, correctedText } = await search("Lao Tse on water");
    assert.deepEqual(
      named.map(({ title, type }) => [title, type]),
      [["Laozi", "author"]],
    );
    assert.equal(correctedText, "Laozi on water");
    assert.deepEqual((await search("Twain on truth")).correctedText, null);
  });
});

/** Questions on what the demo says nothing about. */
const FOREIGN = [
  "how long are certificates valid",
  "rate limits for new registrations",
  "heat transfer to slender wings at supersonic speed",
  "boundary layer on a flat plate with suction",
  "compiler for a language with recursive procedures",
  "sorting large files on magnetic tape",
  "vitamin D deficiency and fracture risk in women",
  "gene expression of breast cancer stem cells",
  "open source code of public administrations",
  "quotes about zebrafish embryos",
  "renew a wildcard certificate by DNS challenge",
  "who wrote the specification of TCP",
];

const roll = dice(30);
const quotations = items.filter(({ type, body }) => type === "quotation" && body.length > 80);

function part(text: string, count: number): string[] {
  const words = wordsOf(text).map((word) => word.text);
  const from = roll(Math.max(1, words.length - count));
  return words.slice(from, from + count);
}

function drawn(count: number, question: (body: string, path: string) => string): string[] {
  return Array.from({ length: count }, () => quotations[roll(quotations.length)]).flatMap((one) =>
    one === undefined ? [] : [question(one.body, one.path)],
  );
}

function withoutSome(words: readonly string[]): string {
  return words.filter((_, place) => place !== 2 && place !== 5).join(" ");
}

async function shareOf(texts: readonly string[], isRight: (closeness: string) => boolean) {
  const wrong: string[] = [];
  for (const text of texts) if (!isRight((await search(text)).closeness)) wrong.push(text);
  return { share: 1 - wrong.length / texts.length, wrong: wrong.join("\n") };
}

describe("whether anything comes close", () => {
  it("is said for lines, names and questions that the demo answers", async () => {
    const asked = [
      ...drawn(25, (body) => part(body, 6).join(" ")),
      ...drawn(15, (body) => withoutSome(part(body, 9))),
      ...VARIANTS.slice(0, 10).map(([name]) => name),
      ...["quotes about friendship", "What is virtue?", "sayings on anger", "Seneca on anger"],
      ...["what does Nietzsche say about truth", "Plato on the soul", "Emerson friendship"],
      ...["Thoreau on solitude", "Rousseau general will", "Marcus Aurelius on death"],
    ];
    const { share, wrong } = await shareOf(asked, (closeness) => closeness !== "distant");
    assert(share >= 0.95, wrong);
  });

  it("is denied for lines of another book and questions from other fields", async () => {
    const { documents } = readCollection(join(import.meta.dirname, "nave-5k"));
    const verses = documents.filter(({ text }) => wordsOf(text).length > 12);
    const lines = Array.from({ length: 48 }, (_, n) => {
      const verse = verses[roll(verses.length)]?.text ?? "";
      return part(verse, n % 2 === 0 ? 8 : 12).join(" ");
    });
    const { share, wrong } = await shareOf([...lines, ...FOREIGN], (c) => c === "distant");
    assert(share >= 0.95, wrong);
  });
});

describe("an author's family name and two words of a line", () => {
  it("find one of the author's quotations that has both", async () => {
    const authors = new Map(items.map((item) => [item.path, item]));
    let right = 0;
    const wrong: string[] = [];
    for (let n = 0; n < 60; n++) {
      const { body = "", relations } = quotations[roll(quotations.length)] ?? {};
      const path = String(relations?.["authors"]?.[0]);
      const author = authors.get(path);
      const family = String(author?.fields["sort_name"]).split(",")[0] ?? "";
      const words = [...new Set(body.toLowerCase().match(/[a-z]{5,}/g))];
      const [one = "", other = ""] = [words[roll(words.length)], words[roll(words.length)]];
      const [hit] = (await search(`${family} ${one} ${other}`)).hits;
      const text = hit?.text.toLowerCase() ?? "";
      const isRight =
        text.includes(one) &&
        text.includes(other) &&
        hit?.links["authors"]?.some((link) => link.path === path);
      if (isRight === true) right += 1;
      else wrong.push(`${family} ${one} ${other}: ${hit?.title}`);
    }
    assert(right >= 57, wrong.join("\n"));
  });
});

/** Here, because opening the demo takes seconds. */
describe("the lists of the demo", () => {
  /** A page of the quotations that a topic or an author has. */
  async function quotesAt(path: string, page = 1): Promise<readonly Quote[]> {
    const parameter = (name: string) => (name === "page" && page > 1 ? String(page) : undefined);
    const answer = await findPage(store.reading, path, { parameter });
    if (answer.kind !== "page") return [];
    return answer.view.blocks.flatMap((block) => (block.kind === "quotes" ? block.quotes : []));
  }

  /** The texts in the lists of these authors, by the quotation's own page. */
  async function shownTexts(authors: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const texts = new Map<string, string>();
    for (const author of authors) {
      for (let page = 1; ; page += 1) {
        const quotes = await quotesAt(author, page);
        if (quotes.length === 0) break;
        for (const quote of quotes) texts.set(quote.page?.to ?? "", textOf(quote));
      }
    }
    return texts;
  }

  const textOf = ({ text }: Quote) => (typeof text === "string" ? text : text.markdown);
  const quotations = items.filter(({ type }) => type === "quotation");
  const targets = ({ relations }: (typeof items)[number], name: string) =>
    (relations[name] ?? []).map((link) => (typeof link === "string" ? link : link.to));

  it("show at most three quotations of one author among the first ten of the biggest topics", async () => {
    const counts = new Map<string, number>();
    for (const topic of quotations.flatMap((item) => targets(item, "topics"))) {
      counts.set(topic, (counts.get(topic) ?? 0) + 1);
    }
    const biggest = [...counts].sort(([, a], [, b]) => b - a).slice(0, 20);
    const authorsOf = new Map(quotations.map((item) => [item.path, targets(item, "authors")[0]]));
    for (const [topic] of biggest) {
      const authors = (await quotesAt(topic))
        .slice(0, 10)
        .map(({ page }) => authorsOf.get(page?.to ?? ""));
      assert.equal(authors.length, 10, topic);
      const most = Math.max(
        ...Object.values(Object.groupBy(authors, String)).map((of) => of?.length ?? 0),
      );
      assert(most <= 3, `${topic}: ${most} by one author`);
    }
  });

  it("keep the lines of verse", async () => {
    const verse = quotations.filter(({ body }) => / {2}\n|\\\n/.test(body));
    assert.equal(verse.length, 306);
    const authors = new Set(verse.flatMap((item) => targets(item, "authors")));
    const shown = await shownTexts([...authors]);
    for (const { path, body } of verse) {
      const lines = linesIn(body);
      // A long text is cut.
      const listed = linesIn(shown.get(path) ?? "").slice(0, -1);
      assert(listed.length > 0, path);
      assert.deepEqual(listed, lines.slice(0, listed.length), path);
    }
  });
});

/** The words of each line. Lists leave out the numbers of a numbered list. */
function linesIn(text: string): string[] {
  return text
    .split("\n")
    .map(
      (line) =>
        line
          .replace(/^\d+\. /, "")
          .match(/[\p{L}\p{N}]+/gu)
          ?.join(" ") ?? "",
    )
    .filter((line) => line !== "");
}
