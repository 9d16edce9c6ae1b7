import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { demoItems, openDemoReading } from "../support/demo-reading.ts";

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
  ["Samuel Clemens", "Mark Twain"],
  ["Bronte, Charlotte", "Charlotte Brontë"],
  ["Devils Dictionary", "The Devil’s Dictionary"],
  ["Meditation", "Meditations"],
  ["Art of War", "The Art of War"],
  ["Beyond Good and Evel", "Beyond Good and Evil"],
  ["Thus Spoke Zarathustra", "Thus Spake Zarathustra"],
  ["Vindication of the rights of women", "A Vindication of the Rights of Woman"],
  ["Tao Teh Ching", "Tao Te Ching"],
  ["frendship", "Friendship"],
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
