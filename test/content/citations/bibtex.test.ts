import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { bibtexEntry } from "../../../src/content/citations/bibtex.ts";
import type { CitedReference } from "../../../src/content/citations/reference.ts";
import { parseBibtexEntries } from "../../../src/content/import/references/bibtex.ts";

const SPECIAL = String.raw`50 % of {A_B} & C#1 for $2 ~ x^2 \ } “q” – ¶`;

const REFERENCE: CitedReference = {
  kind: "whole",
  title: "On the Nature of Things",
  authors: [{ family: "Müller, der Ältere", given: "Jörg" }, { literal: "孔子 and others" }],
  translators: [{ literal: "George Long" }],
  date: { year: -350 },
  publisher: "Smith & Sons",
  place: "Book VI, ¶29",
  description: "Attributed quotation",
  url: "https://example.org/a_b~c%20d",
};

describe("a BibTeX entry", () => {
  it("has each part of the reference in its field", () => {
    assert.equal(
      bibtexEntry("nature", REFERENCE),
      `@book{nature,
	author = {{Müller, der Ältere}, Jörg and {孔子 and others}},
	translator = {{George Long}},
	title = {{On the Nature of Things}},
	year = {350 BCE},
	publisher = {Smith \\& Sons},
	note = {Book VI, ¶29; Attributed quotation},
	url = {https://example.org/a_b~c%20d},
}`,
    );
  });

  for (const [kind, type, field] of [
    ["part", "incollection", "booktitle"],
    ["journal", "article", "journal"],
    ["periodical", "article", "journal"],
    ["page", "misc", "howpublished"],
  ] as const) {
    it(`of a ${kind} names what holds it`, () => {
      const entry = bibtexEntry("key", { kind, title: "Title", authors: [], container: "A & B" });
      assert.equal(entry, `@${type}{key,\n\ttitle = {{Title}},\n\t${field} = {A \\& B},\n}`);
    });
  }

  for (const [family, given, written] of [
    ["Goethe", "Johann Wolfgang von", "von Goethe, Johann Wolfgang"],
    ["Cruz", "Juana Inés de la", "de la Cruz, Juana Inés"],
    ["Alembert", "Jean le Rond d’", "d’Alembert, Jean le Rond"],
    ["Khwārizmī", "Muhammad ibn Mūsā al-", "al-Khwārizmī, Muhammad ibn Mūsā"],
    ["hooks", "bell", "hooks, bell"],
    ["Müller, der Ältere", "Jörg von", "von {Müller, der Ältere}, Jörg"],
  ] as const) {
    it(`has the particles of a name before the family name: ${written}`, () => {
      const reference = { ...REFERENCE, authors: [{ family, given }] };
      assert(bibtexEntry("key", reference).includes(`author = {${written}}`));
    });
  }

  for (const title of ["الحكمة في القديم", "論語", "Ἠθικὰ Νικομάχεια", "Война и мир", SPECIAL]) {
    it(`is read back as it was: ${title}`, () => {
      const reference = { ...REFERENCE, title, authors: [{ literal: title }], publisher: title };
      const [read] = [...parseBibtexEntries(bibtexEntry("key", reference))].filter(
        (each) => each !== null,
      );
      assert(read !== undefined && !("fault" in read), JSON.stringify(read));
      assert.equal(read.title, title);
      assert.deepEqual(read.authors, [{ literal: title }]);
      assert.equal(read.date?.year, -350);
      assert.equal(read.details.publisher, title);
      assert.equal(read.details.url, REFERENCE.url);
      assert.deepEqual(read.problems, []);
    });
  }
});
