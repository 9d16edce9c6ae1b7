import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { chicagoCitation } from "../../../src/content/citations/chicago.ts";
import { renderCitationText } from "../../../src/content/citations/reference.ts";
import { book, type Examples, other, people, testExamples } from "./references.ts";

const EXAMPLES: Examples[] = [
  {
    page: "chicagomanualofstyle.org/tools_citationguide/citation-guide-1.html, 18th edition",
    examples: [
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
        book(["Borel, Brooke"], "The Chicago Guide to Fact-Checking", 2023, {
          edition: "2nd ed.",
          publisher: "University of Chicago Press",
        }),
        "Borel, Brooke. *The Chicago Guide to Fact-Checking*. 2nd ed. University of Chicago Press, 2023.",
      ],
      [
        book([], "The Founders’ Constitution", 1987, {
          editors: people("Kurland, Philip B.", "Lerner, Ralph"),
          publisher: "University of Chicago Press",
          url: "https://press-pubs.uchicago.edu/founders/",
        }),
        "Kurland, Philip B., and Ralph Lerner, eds. *The Founders’ Constitution*. University of Chicago Press, 1987. https://press-pubs.uchicago.edu/founders/.",
      ],
      [
        other(
          "journal",
          [
            "Snyder, Carl D.",
            "Bedrossian, Manuel",
            "Barr, Casey",
            "D, A.",
            "E, A.",
            "F, A.",
            "G, A.",
          ],
          "Extant Life Detection Using Label-Free Video Microscopy in Analog Aquatic Environments",
          {
            container: "PLOS ONE",
            volume: "20",
            issue: "3",
            date: { year: 2025 },
            pages: "e0318239",
            url: "https://doi.org/10.1371/journal.pone.0318239",
          },
        ),
        "Snyder, Carl D., Manuel Bedrossian, Casey Barr, et al. “Extant Life Detection Using Label-Free Video Microscopy in Analog Aquatic Environments.” *PLOS ONE* 20, no. 3 (2025): e0318239. https://doi.org/10.1371/journal.pone.0318239.",
      ],
    ],
  },
  {
    page: "The same page, 17th and 16th editions, with places of publication",
    examples: [
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
        other("journal", ["Satterfield, Susan"], "Livy and the Pax Deum", {
          container: "Classical Philology",
          volume: "111",
          issue: "2",
          date: { year: 2016, month: 4 },
          pages: "165–76",
          url: "https://doi.org/10.1086/686236",
        }),
        "Satterfield, Susan. “Livy and the Pax Deum.” *Classical Philology* 111, no. 2 (April 2016): 165–76. https://doi.org/10.1086/686236.",
      ],
      [
        other(
          "part",
          ["Kelly, John D."],
          "Seeing Red: Mao Fetishism, Pax Americana, and the Moral Economy of War",
          {
            container: "Anthropology and Global Counterinsurgency",
            editors: people(
              "Kelly, John D.",
              "Jauregui, Beatrice",
              "Mitchell, Sean T.",
              "Walton, Jeremy",
            ),
            pages: "67–83",
            publisherPlace: "Chicago",
            publisher: "University of Chicago Press",
            date: { year: 2010 },
          },
        ),
        "Kelly, John D. “Seeing Red: Mao Fetishism, Pax Americana, and the Moral Economy of War.” In *Anthropology and Global Counterinsurgency*, edited by John D. Kelly, Beatrice Jauregui, Sean T. Mitchell, and Jeremy Walton, 67–83. Chicago: University of Chicago Press, 2010.",
      ],
      [
        other("journal", ["Weinstein, Joshua I."], "The Market in Plato’s Republic", {
          container: "Classical Philology",
          volume: "104",
          date: { year: 2009 },
          pages: "439–58",
          url: "https://doi.org/10.1086/650405",
        }),
        "Weinstein, Joshua I. “The Market in Plato’s Republic.” *Classical Philology* 104 (2009): 439–58. https://doi.org/10.1086/650405.",
      ],
      [
        other("page", ["Google"], "Privacy Policy", {
          container: "Privacy & Terms",
          date: { year: 2018, month: 5, day: 25 },
          url: "https://policies.google.com/privacy",
        }),
        "Google. “Privacy Policy.” Privacy & Terms. May 25, 2018. https://policies.google.com/privacy.",
      ],
    ],
  },
  {
    page: "none: no published example was found to compare with",
    examples: [
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
    ],
  },
];

describe("a citation in Chicago style", () => {
  testExamples(chicagoCitation, EXAMPLES);

  it("names the first three of more than six authors", () => {
    const authors = Array.from({ length: 7 }, (_, n) => `Name${n + 1}, Ann`);
    const text = renderCitationText(chicagoCitation(book(authors, "Many", 2020)), (title) => title);
    assert.equal(text, "Name1, Ann, Ann Name2, Ann Name3, et al. Many. 2020.");
  });
});
