import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { chicagoCitation } from "../../../src/content/citations/chicago.ts";
import { citationText, type Reference } from "../../../src/content/citations/reference.ts";
import { book, other, people } from "./references.ts";

/** After the Citation Quick Guide, 18th and 17th editions, as remembered; not compared with it yet. */
const EXPECTED: [Reference, string][] = [
  [
    book(["Yu, Charles"], "Interior Chinatown", 2020, { publisher: "Pantheon Books" }),
    "Yu, Charles. *Interior Chinatown*. Pantheon Books, 2020.",
  ],
  [
    book(
      ["Binder, Amy J.", "Kidder, Jeffrey L."],
      "The Channels of Student Activism: How the Left and Right Are Winning (and Losing) in Campus Politics Today",
      2022,
      {
        publisher: "University of Chicago Press",
      },
    ),
    "Binder, Amy J., and Jeffrey L. Kidder. *The Channels of Student Activism: How the Left and Right Are Winning (and Losing) in Campus Politics Today*. University of Chicago Press, 2022.",
  ],
  [
    book(
      ["Grazer, Brian", "Fishman, Charles"],
      "A Curious Mind: The Secret to a Bigger Life",
      2015,
      {
        publisherPlace: "New York",
        publisher: "Simon & Schuster",
      },
    ),
    "Grazer, Brian, and Charles Fishman. *A Curious Mind: The Secret to a Bigger Life*. New York: Simon & Schuster, 2015.",
  ],
  [
    book(["Smith, Zadie"], "Swing Time", 2016, {
      publisherPlace: "New York",
      publisher: "Penguin Press",
    }),
    "Smith, Zadie. *Swing Time*. New York: Penguin Press, 2016.",
  ],
  [
    book(["Lahiri, Jhumpa"], "In Other Words", 2016, {
      translators: people("Goldstein, Ann"),
      publisherPlace: "New York",
      publisher: "Alfred A. Knopf",
    }),
    "Lahiri, Jhumpa. *In Other Words*. Translated by Ann Goldstein. New York: Alfred A. Knopf, 2016.",
  ],
  [
    book(["Melville, Herman"], "Moby-Dick; or, The Whale", 1851, {
      publisherPlace: "New York",
      publisher: "Harper & Brothers",
      url: "http://mel.hofstra.edu/moby-dick-the-whale-proofs.html",
    }),
    "Melville, Herman. *Moby-Dick; or, The Whale*. New York: Harper & Brothers, 1851. http://mel.hofstra.edu/moby-dick-the-whale-proofs.html.",
  ],
  [
    other("part", ["Thoreau, Henry David"], "Walking", {
      container: "The Making of the American Essay",
      editors: people("D’Agata, John"),
      pages: "167–95",
      publisherPlace: "Minneapolis",
      publisher: "Graywolf Press",
      date: { year: 2016 },
    }),
    "Thoreau, Henry David. “Walking.” In *The Making of the American Essay*, edited by John D’Agata, 167–95. Minneapolis: Graywolf Press, 2016.",
  ],
  [
    other("part", ["Doyle, Kathleen"], "The Queen Mary Psalter", {
      container: "The Book by Design: The Remarkable Story of the World’s Greatest Invention",
      editors: people("Marks, P. J. M.", "Parkin, Stephen"),
      publisher: "University of Chicago Press",
      date: { year: 2023 },
    }),
    "Doyle, Kathleen. “The Queen Mary Psalter.” In *The Book by Design: The Remarkable Story of the World’s Greatest Invention*, edited by P. J. M. Marks and Stephen Parkin. University of Chicago Press, 2023.",
  ],
  [
    other(
      "journal",
      ["Dittmar, Emily L.", "Schemske, Douglas W."],
      "Temporal Variation in Selection Influences Microgeographic Local Adaptation",
      {
        container: "American Naturalist",
        volume: "202",
        issue: "4",
        date: { year: 2023 },
        pages: "471–85",
        url: "https://doi.org/10.1086/725865",
      },
    ),
    "Dittmar, Emily L., and Douglas W. Schemske. “Temporal Variation in Selection Influences Microgeographic Local Adaptation.” *American Naturalist* 202, no. 4 (2023): 471–85. https://doi.org/10.1086/725865.",
  ],
  [
    other(
      "journal",
      ["Kwon, Hyeyoung"],
      "Inclusion Work: Children of Immigrants Claiming Membership in Everyday Life",
      {
        container: "American Journal of Sociology",
        volume: "127",
        issue: "6",
        date: { year: 2022 },
        pages: "1818–59",
        url: "https://doi.org/10.1086/720277",
      },
    ),
    "Kwon, Hyeyoung. “Inclusion Work: Children of Immigrants Claiming Membership in Everyday Life.” *American Journal of Sociology* 127, no. 6 (2022): 1818–59. https://doi.org/10.1086/720277.",
  ],
  [
    other("journal", ["Satterfield, Susan"], "Livy and the Pax Deum", {
      container: "Classical Philology",
      volume: "111",
      issue: "2",
      date: { year: 2016, month: 4 },
      pages: "165–76",
    }),
    "Satterfield, Susan. “Livy and the Pax Deum.” *Classical Philology* 111, no. 2 (April 2016): 165–76.",
  ],
  [
    other(
      "journal",
      ["Keng, Shao-Hsun", "Lin, Chun-Hung", "Orazem, Peter F."],
      "Expanding College Access in Taiwan, 1978–2014: Effects on Graduate Quality and Income Inequality",
      {
        container: "Journal of Human Capital",
        volume: "11",
        issue: "1",
        date: { year: 2017 },
        pages: "1–34",
        url: "https://doi.org/10.1086/690235",
      },
    ),
    "Keng, Shao-Hsun, Chun-Hung Lin, and Peter F. Orazem. “Expanding College Access in Taiwan, 1978–2014: Effects on Graduate Quality and Income Inequality.” *Journal of Human Capital* 11, no. 1 (2017): 1–34. https://doi.org/10.1086/690235.",
  ],
  [
    other(
      "periodical",
      ["Manjoo, Farhad"],
      "Snap Makes a Bet on the Cultural Supremacy of the Camera",
      {
        container: "New York Times",
        date: { year: 2017, month: 3, day: 8 },
        url: "https://www.nytimes.com/2017/03/08/technology/snap-makes-a-bet-on-the-cultural-supremacy-of-the-camera.html",
      },
    ),
    "Manjoo, Farhad. “Snap Makes a Bet on the Cultural Supremacy of the Camera.” *New York Times*, March 8, 2017. https://www.nytimes.com/2017/03/08/technology/snap-makes-a-bet-on-the-cultural-supremacy-of-the-camera.html.",
  ],
  [
    other("periodical", ["Blum, Dani"], "Are Flax Seeds All That?", {
      container: "New York Times",
      date: { year: 2023, month: 12, day: 13 },
      url: "https://www.nytimes.com/2023/12/13/well/eat/flax-seeds-benefits.html",
    }),
    "Blum, Dani. “Are Flax Seeds All That?” *New York Times*, December 13, 2023. https://www.nytimes.com/2023/12/13/well/eat/flax-seeds-benefits.html.",
  ],
  [
    other("periodical", ["Mead, Rebecca"], "The Prophet of Dystopia", {
      container: "New Yorker",
      date: { year: 2017, month: 4, day: 17 },
    }),
    "Mead, Rebecca. “The Prophet of Dystopia.” *New Yorker*, April 17, 2017.",
  ],
  [
    other("periodical", ["Pai, Tanya"], "The Squishy, Sugary History of Peeps", {
      container: "Vox",
      date: { year: 2017, month: 4, day: 11 },
      url: "http://www.vox.com/culture/2017/4/11/15209084/peeps-easter",
    }),
    "Pai, Tanya. “The Squishy, Sugary History of Peeps.” *Vox*, April 11, 2017. http://www.vox.com/culture/2017/4/11/15209084/peeps-easter.",
  ],
  [
    other("page", ["Google"], "Privacy Policy", {
      container: "Privacy & Terms",
      date: { year: 2017, month: 4, day: 17 },
      url: "https://www.google.com/policies/privacy/",
    }),
    "Google. “Privacy Policy.” Privacy & Terms. April 17, 2017. https://www.google.com/policies/privacy/.",
  ],
  [
    {
      kind: "whole",
      authors: [],
      editors: people("D’Agata, John"),
      title: "The Making of the American Essay",
      publisherPlace: "Minneapolis",
      publisher: "Graywolf Press",
      date: { year: 2016 },
    },
    "D’Agata, John, ed. *The Making of the American Essay*. Minneapolis: Graywolf Press, 2016.",
  ],
  [
    book(["Aurelius, Marcus"], "Meditations", -180, {
      place: "Book VI, ¶29",
      site: "Quotations",
      url: "https://quotations.example/a",
    }),
    "Aurelius, Marcus. *Meditations*. Book VI, ¶29. 180 BCE. Quotations. https://quotations.example/a.",
  ],
  [
    other("page", [], "Time flies", {
      description: "Quotation misattributed to Seneca",
      container: "Quotations",
    }),
    "“Time flies.” Quotation misattributed to Seneca. Quotations.",
  ],
];

describe("a citation in Chicago style", () => {
  for (const [reference, expected] of EXPECTED) {
    it(expected.slice(0, 80), () => {
      assert.equal(
        citationText(chicagoCitation(reference), (text) => `*${text}*`),
        expected,
      );
    });
  }

  it("names the first three of more than six authors", () => {
    const authors = Array.from({ length: 7 }, (_, n) => `Name${n + 1}, Ann`);
    const text = citationText(chicagoCitation(book(authors, "Many", 2020)), (title) => title);
    assert.equal(text, "Name1, Ann, Ann Name2, Ann Name3, et al. Many. 2020.");
  });
});
