import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { mlaCitation } from "../../../src/content/citations/mla.ts";
import { citationText, type Reference } from "../../../src/content/citations/reference.ts";
import { book, other, people } from "./references.ts";

/** After the rules and examples of the MLA Handbook, as remembered; not compared with it yet. */
const EXPECTED: [Reference, string][] = [
  [
    book(["Mantel, Hilary"], "Wolf Hall", 2010, { publisher: "Picador" }),
    "Mantel, Hilary. *Wolf Hall*. Picador, 2010.",
  ],
  [
    book(["Dorris, Michael", "Erdrich, Louise"], "The Crown of Columbus", 1999, {
      publisher: "HarperCollins Publishers",
    }),
    "Dorris, Michael, and Louise Erdrich. *The Crown of Columbus*. HarperCollins Publishers, 1999.",
  ],
  [
    book(
      ["Charon, Rita", "DasGupta, Sayantani", "Hermann, Nellie"],
      "The Principles and Practice of Narrative Medicine",
      2017,
      {
        publisher: "Oxford UP",
      },
    ),
    "Charon, Rita, et al. *The Principles and Practice of Narrative Medicine*. Oxford UP, 2017.",
  ],
  [
    book(["Gleick, James"], "Chaos: Making a New Science", 1987, { publisher: "Penguin" }),
    "Gleick, James. *Chaos: Making a New Science*. Penguin, 1987.",
  ],
  [
    book(["Henley, Patricia"], "The Hummingbird House", 1999, { publisher: "MacMurray" }),
    "Henley, Patricia. *The Hummingbird House*. MacMurray, 1999.",
  ],
  [
    book(["Gillespie, Paula", "Lerner, Neal"], "The Allyn and Bacon Guide to Peer Tutoring", 2000, {
      publisher: "Allyn and Bacon",
    }),
    "Gillespie, Paula, and Neal Lerner. *The Allyn and Bacon Guide to Peer Tutoring*. Allyn and Bacon, 2000.",
  ],
  [
    book(
      ["Wysocki, Anne Frances", "B, A", "C, A", "D, A"],
      "Writing New Media: Theory and Applications for Expanding the Teaching of Composition",
      2004,
      {
        publisher: "Utah State UP",
      },
    ),
    "Wysocki, Anne Frances, et al. *Writing New Media: Theory and Applications for Expanding the Teaching of Composition*. Utah State UP, 2004.",
  ],
  [
    book(
      ["Foucault, Michel"],
      "Madness and Civilization: A History of Insanity in the Age of Reason",
      1988,
      {
        translators: people("Howard, Richard"),
        publisher: "Vintage-Random House",
      },
    ),
    "Foucault, Michel. *Madness and Civilization: A History of Insanity in the Age of Reason*. Translated by Richard Howard, Vintage-Random House, 1988.",
  ],
  [
    book(
      ["Crowley, Sharon", "Hawhee, Debra"],
      "Ancient Rhetorics for Contemporary Students",
      2004,
      {
        edition: "3rd ed.",
        publisher: "Pearson",
      },
    ),
    "Crowley, Sharon, and Debra Hawhee. *Ancient Rhetorics for Contemporary Students*. 3rd ed., Pearson, 2004.",
  ],
  [
    book([], "Beowulf", 2004, {
      translators: people("Sullivan, Alan", "Murphy, Timothy"),
      publisher: "Pearson",
    }),
    "*Beowulf*. Translated by Alan Sullivan and Timothy Murphy, Pearson, 2004.",
  ],
  [
    other("part", ["Harris, Muriel"], "Talk to Me: Engaging Reluctant Writers", {
      container: "A Tutor’s Guide: Helping Writers One to One",
      editors: people("Rafoth, Ben"),
      publisher: "Heinemann",
      date: { year: 2000 },
      pages: "24-34",
    }),
    "Harris, Muriel. “Talk to Me: Engaging Reluctant Writers.” *A Tutor’s Guide: Helping Writers One to One*, edited by Ben Rafoth, Heinemann, 2000, pp. 24-34.",
  ],
  [
    other("part", ["Burns, Robert"], "Red, Red Rose", {
      container: "100 Best-Loved Poems",
      editors: people("Smith, Philip"),
      publisher: "Dover",
      date: { year: 1995 },
      pages: "26",
    }),
    "Burns, Robert. “Red, Red Rose.” *100 Best-Loved Poems*, edited by Philip Smith, Dover, 1995, p. 26.",
  ],
  [
    other("part", ["Kincaid, Jamaica"], "Girl", {
      container: "The Vintage Book of Contemporary American Short Stories",
      editors: people("Wolff, Tobias"),
      publisher: "Vintage",
      date: { year: 1994 },
      pages: "306-07",
    }),
    "Kincaid, Jamaica. “Girl.” *The Vintage Book of Contemporary American Short Stories*, edited by Tobias Wolff, Vintage, 1994, pp. 306-07.",
  ],
  [
    other("part", ["Copeland, Edward"], "Money", {
      container: "The Cambridge Companion to Jane Austen",
      editors: people("Copeland, Edward", "McMaster, Juliet"),
      publisher: "Cambridge UP",
      date: { year: 1997 },
      pages: "131-48",
    }),
    "Copeland, Edward. “Money.” *The Cambridge Companion to Jane Austen*, edited by Edward Copeland and Juliet McMaster, Cambridge UP, 1997, pp. 131-48.",
  ],
  [
    other(
      "journal",
      ["Duvall, John N."],
      "The (Super)Marketplace of Images: Television as Unmediated Mediation in DeLillo’s White Noise",
      {
        container: "Arizona Quarterly",
        volume: "50",
        issue: "3",
        date: { year: 1994 },
        pages: "127-53",
      },
    ),
    "Duvall, John N. “The (Super)Marketplace of Images: Television as Unmediated Mediation in DeLillo’s White Noise.” *Arizona Quarterly*, vol. 50, no. 3, 1994, pp. 127-53.",
  ],
  [
    other(
      "journal",
      ["Wheelis, Mark"],
      "Investigating Disease Outbreaks Under a Protocol to the Biological and Toxin Weapons Convention",
      {
        container: "Emerging Infectious Diseases",
        volume: "6",
        issue: "6",
        date: { year: 2000 },
        pages: "595-600",
        url: "https://wwwnc.cdc.gov/eid/article/6/6/00-0607_article",
      },
    ),
    "Wheelis, Mark. “Investigating Disease Outbreaks Under a Protocol to the Biological and Toxin Weapons Convention.” *Emerging Infectious Diseases*, vol. 6, no. 6, 2000, pp. 595-600, wwwnc.cdc.gov/eid/article/6/6/00-0607_article.",
  ],
  [
    other(
      "journal",
      ["Alonso, Alvaro", "Camargo, Julio A."],
      "Toxicity of Nitrite to Three Species of Freshwater Invertebrates",
      {
        container: "Environmental Toxicology",
        volume: "21",
        issue: "1",
        date: { year: 2006, month: 2, day: 3 },
        pages: "90-94",
        site: "Wiley Online Library",
        url: "https://doi.org/10.1002/tox.20155",
      },
    ),
    "Alonso, Alvaro, and Julio A. Camargo. “Toxicity of Nitrite to Three Species of Freshwater Invertebrates.” *Environmental Toxicology*, vol. 21, no. 1, 3 Feb. 2006, pp. 90-94. *Wiley Online Library*, https://doi.org/10.1002/tox.20155.",
  ],
  [
    other("periodical", ["Poniewozik, James"], "TV Makes a Too-Close Call", {
      container: "Time",
      date: { year: 2000, month: 11, day: 20 },
      pages: "70-71",
    }),
    "Poniewozik, James. “TV Makes a Too-Close Call.” *Time*, 20 Nov. 2000, pp. 70-71.",
  ],
  [
    other("periodical", ["Buchman, Dana"], "A Special Education", {
      container: "Good Housekeeping",
      date: { year: 2006, month: 3 },
      pages: "143-48",
    }),
    "Buchman, Dana. “A Special Education.” *Good Housekeeping*, Mar. 2006, pp. 143-48.",
  ],
  [
    other(
      "periodical",
      ["Brubaker, Bill"],
      "New Health Center Targets County’s Uninsured Patients",
      {
        container: "Washington Post",
        date: { year: 2007, month: 5, day: 24 },
        pages: "LZ01",
      },
    ),
    "Brubaker, Bill. “New Health Center Targets County’s Uninsured Patients.” *Washington Post*, 24 May 2007, p. LZ01.",
  ],
  [
    other(
      "periodical",
      ["Deresiewicz, William"],
      "The Death of the Artist—and the Birth of the Creative Entrepreneur",
      {
        container: "The Atlantic",
        date: { year: 2014, month: 12, day: 28 },
        url: "https://www.theatlantic.com/magazine/archive/2015/01/the-death-of-the-artist-and-the-birth-of-the-creative-entrepreneur/383497/",
      },
    ),
    "Deresiewicz, William. “The Death of the Artist—and the Birth of the Creative Entrepreneur.” *The Atlantic*, 28 Dec. 2014, www.theatlantic.com/magazine/archive/2015/01/the-death-of-the-artist-and-the-birth-of-the-creative-entrepreneur/383497/.",
  ],
  [
    other("page", ["Lundman, Susan"], "How to Make Vegetarian Chili", {
      container: "eHow",
      url: "https://www.ehow.com/how_10727_make-vegetarian-chili.html",
    }),
    "Lundman, Susan. “How to Make Vegetarian Chili.” *eHow*, www.ehow.com/how_10727_make-vegetarian-chili.html.",
  ],
  [
    book(["Aurelius, Marcus"], "Meditations", -180, {
      place: "Book VI, ¶29",
      site: "Quotations",
      url: "https://quotations.example/a",
    }),
    "Aurelius, Marcus. *Meditations*. 180 BCE, Book VI, ¶29. *Quotations*, quotations.example/a.",
  ],
  [
    other("page", [], "Time flies", {
      description: "Quotation misattributed to Seneca",
      container: "Quotations",
    }),
    "“Time flies.” Quotation misattributed to Seneca. *Quotations*.",
  ],
];

describe("a citation in MLA style", () => {
  for (const [reference, expected] of EXPECTED) {
    it(expected.slice(0, 80), () => {
      assert.equal(
        citationText(mlaCitation(reference), (text) => `*${text}*`),
        expected,
      );
    });
  }
});
