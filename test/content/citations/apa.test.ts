import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { apaCitation } from "../../../src/content/citations/apa.ts";
import { citationText, type Reference } from "../../../src/content/citations/reference.ts";
import { book, other, people } from "./references.ts";

/** After the rules and examples of the Publication Manual, 7th edition, as remembered; not compared with it yet. */
const EXPECTED: [Reference, string][] = [
  [
    book(["Jackson, L. M."], "The psychology of prejudice: From attitudes to social action", 2019, {
      edition: "2nd ed.",
      publisher: "American Psychological Association",
      url: "https://doi.org/10.1037/0000168-000",
    }),
    "Jackson, L. M. (2019). *The psychology of prejudice: From attitudes to social action* (2nd ed.). American Psychological Association. https://doi.org/10.1037/0000168-000",
  ],
  [
    book(["Sapolsky, R. M."], "Behave: The biology of humans at our best and worst", 2017, {
      publisher: "Penguin Books",
    }),
    "Sapolsky, R. M. (2017). *Behave: The biology of humans at our best and worst*. Penguin Books.",
  ],
  [
    book(["Brown, Lisa S."], "Feminist theory and the psychology of women", 2018, {
      publisher: "Open Press",
    }),
    "Brown, L. S. (2018). *Feminist theory and the psychology of women*. Open Press.",
  ],
  [
    book(
      ["Svendsen, S.", "Løber, L."],
      "The big picture/Academic writing: The one-hour guide",
      2020,
      {
        edition: "3rd digital ed.",
        publisher: "Hans Reitzel Forlag",
        url: "https://thebigpicture-academicwriting.digi.hansreitzel.dk/",
      },
    ),
    "Svendsen, S., & Løber, L. (2020). *The big picture/Academic writing: The one-hour guide* (3rd digital ed.). Hans Reitzel Forlag. https://thebigpicture-academicwriting.digi.hansreitzel.dk/",
  ],
  [
    {
      kind: "whole",
      authors: [],
      editors: people(
        "Torino, G. C.",
        "Rivera, D. P.",
        "Capodilupo, C. M.",
        "Nadal, K. L.",
        "Sue, D. W.",
      ),
      title: "Microaggression theory: Influence and implications",
      date: { year: 2019 },
      publisher: "John Wiley & Sons",
      url: "https://doi.org/10.1002/9781119466642",
    },
    "Torino, G. C., Rivera, D. P., Capodilupo, C. M., Nadal, K. L., & Sue, D. W. (Eds.). (2019). *Microaggression theory: Influence and implications*. John Wiley & Sons. https://doi.org/10.1002/9781119466642",
  ],
  [
    {
      kind: "whole",
      authors: [],
      editors: people("Hygum, E.", "Pedersen, P. M."),
      title: "Early childhood education: Values and practices in Denmark",
      date: { year: 2010 },
      publisher: "Hans Reitzels Forlag",
      url: "https://earlychildhoodeducation.digi.hansreitzel.dk/",
    },
    "Hygum, E., & Pedersen, P. M. (Eds.). (2010). *Early childhood education: Values and practices in Denmark*. Hans Reitzels Forlag. https://earlychildhoodeducation.digi.hansreitzel.dk/",
  ],
  [
    book(["Piaget, J.", "Inhelder, B."], "The psychology of the child", 1969, {
      translators: people("Weaver, H."),
      edition: "2nd ed.",
      publisher: "Basic Books",
      originalYear: 1966,
    }),
    "Piaget, J., & Inhelder, B. (1969). *The psychology of the child* (H. Weaver, Trans.; 2nd ed.). Basic Books. (Original work published 1966)",
  ],
  [
    book(["Aristotle"], "Poetics", 1994, {
      translators: people("Butcher, S. H."),
      publisher: "The Internet Classics Archive",
      originalYear: -350,
      url: "http://classics.mit.edu/Aristotle/poetics.html",
    }),
    "Aristotle. (1994). *Poetics* (S. H. Butcher, Trans.). The Internet Classics Archive. http://classics.mit.edu/Aristotle/poetics.html (Original work published ca. 350 B.C.E.)",
  ],
  [
    book(["Shakespeare, W."], "Much ado about nothing", 1995, {
      editors: people("Mowat, B. A.", "Werstine, P."),
      publisher: "Washington Square Press",
      originalYear: 1623,
    }),
    "Shakespeare, W. (1995). *Much ado about nothing* (B. A. Mowat & P. Werstine, Eds.). Washington Square Press. (Original work published 1623)",
  ],
  [
    book([], "King James Bible", 2017, {
      publisher: "King James Bible Online",
      originalYear: 1769,
      url: "https://www.kingjamesbibleonline.org/",
    }),
    "*King James Bible*. (2017). King James Bible Online. https://www.kingjamesbibleonline.org/ (Original work published 1769)",
  ],
  [
    book([], "The Qur’an", 2004, {
      translators: people("Abdel Haleem, M. A. S."),
      publisher: "Oxford University Press",
    }),
    "*The Qur’an* (M. A. S. Abdel Haleem, Trans.). (2004). Oxford University Press.",
  ],
  [
    other(
      "part",
      ["Aron, L.", "Botella, M.", "Lubart, T."],
      "Culinary arts: Talent and their development",
      {
        date: { year: 2019 },
        editors: people("Subotnik, R. F.", "Olszewski-Kubilius, P.", "Worrell, F. C."),
        container:
          "The psychology of high performance: Developing human potential into domain-specific talent",
        pages: "345–359",
        publisher: "American Psychological Association",
        url: "https://doi.org/10.1037/0000120-016",
      },
    ),
    "Aron, L., Botella, M., & Lubart, T. (2019). Culinary arts: Talent and their development. In R. F. Subotnik, P. Olszewski-Kubilius, & F. C. Worrell (Eds.), *The psychology of high performance: Developing human potential into domain-specific talent* (pp. 345–359). American Psychological Association. https://doi.org/10.1037/0000120-016",
  ],
  [
    other("part", ["Dillard, J. P."], "Currents in the study of persuasion", {
      date: { year: 2020 },
      editors: people("Oliver, M. B.", "Raney, A. A.", "Bryant, J."),
      container: "Media effects: Advances in theory and research",
      edition: "4th ed.",
      pages: "115–129",
      publisher: "Routledge",
    }),
    "Dillard, J. P. (2020). Currents in the study of persuasion. In M. B. Oliver, A. A. Raney, & J. Bryant (Eds.), *Media effects: Advances in theory and research* (4th ed., pp. 115–129). Routledge.",
  ],
  [
    other(
      "journal",
      ["Grady, J. S.", "Her, M.", "Moreno, G.", "Perez, C.", "Yelinek, J."],
      "Emotions in storybooks: A comparison of storybooks that represent ethnic and racial groups in the United States",
      {
        date: { year: 2019 },
        container: "Psychology of Popular Media Culture",
        volume: "8",
        issue: "3",
        pages: "207–217",
        url: "https://doi.org/10.1037/ppm0000185",
      },
    ),
    "Grady, J. S., Her, M., Moreno, G., Perez, C., & Yelinek, J. (2019). Emotions in storybooks: A comparison of storybooks that represent ethnic and racial groups in the United States. *Psychology of Popular Media Culture*, *8*(3), 207–217. https://doi.org/10.1037/ppm0000185",
  ],
  [
    other(
      "journal",
      [
        "Jerrentrup, A.",
        "Mueller, T.",
        "Glowalla, U.",
        "Herder, M.",
        "Henrichs, N.",
        "Neubauer, A.",
        "Schaefer, J. R.",
      ],
      "Teaching medicine with the help of “Dr. House.”",
      {
        date: { year: 2018 },
        container: "PLoS ONE",
        volume: "13",
        issue: "3",
        pages: "Article e0193972",
        url: "https://doi.org/10.1371/journal.pone.0193972",
      },
    ),
    "Jerrentrup, A., Mueller, T., Glowalla, U., Herder, M., Henrichs, N., Neubauer, A., & Schaefer, J. R. (2018). Teaching medicine with the help of “Dr. House.” *PLoS ONE*, *13*(3), Article e0193972. https://doi.org/10.1371/journal.pone.0193972",
  ],
  [
    other("periodical", ["Carey, B."], "Can we get better at forgetting?", {
      date: { year: 2019, month: 3, day: 22 },
      container: "The New York Times",
      url: "https://www.nytimes.com/2019/03/22/health/memory-forgetting-psychology.html",
    }),
    "Carey, B. (2019, March 22). Can we get better at forgetting? *The New York Times*. https://www.nytimes.com/2019/03/22/health/memory-forgetting-psychology.html",
  ],
  [
    other(
      "periodical",
      ["Harlan, C."],
      "North Korea vows to restart shuttered reactor that can make bomb-grade plutonium",
      {
        date: { year: 2013, month: 4, day: 2 },
        container: "The Washington Post",
        pages: "A1, A4",
      },
    ),
    "Harlan, C. (2013, April 2). North Korea vows to restart shuttered reactor that can make bomb-grade plutonium. *The Washington Post*, A1, A4.",
  ],
  [
    other("periodical", ["Bergeson, S."], "Really cool neutral plasmas", {
      date: { year: 2019, month: 1, day: 4 },
      container: "Science",
      volume: "363",
      issue: "6422",
      pages: "33–34",
      url: "https://doi.org/10.1126/science.aau7988",
    }),
    "Bergeson, S. (2019, January 4). Really cool neutral plasmas. *Science*, *363*(6422), 33–34. https://doi.org/10.1126/science.aau7988",
  ],
  [
    other("page", ["Bologna, C."], "Why some people with anxiety love watching horror movies", {
      date: { year: 2019, month: 10, day: 31 },
      container: "HuffPost",
      url: "https://www.huffpost.com/entry/anxiety-love-watching-horror-movies_l_5d277587e4b02a5a5d57b59e",
    }),
    "Bologna, C. (2019, October 31). *Why some people with anxiety love watching horror movies*. HuffPost. https://www.huffpost.com/entry/anxiety-love-watching-horror-movies_l_5d277587e4b02a5a5d57b59e",
  ],
  [
    other(
      "page",
      ["Avramova, N."],
      "The secret to a long, happy, healthy life? Think age-positive",
      {
        date: { year: 2019, month: 1, day: 3 },
        container: "CNN",
        url: "https://www.cnn.com/2019/01/03/health/respect-toward-elderly-leads-to-long-life-intl/index.html",
      },
    ),
    "Avramova, N. (2019, January 3). *The secret to a long, happy, healthy life? Think age-positive*. CNN. https://www.cnn.com/2019/01/03/health/respect-toward-elderly-leads-to-long-life-intl/index.html",
  ],
  [
    other("page", ["World Health Organization"], "The top 10 causes of death", {
      date: { year: 2018, month: 5, day: 24 },
      container: "World Health Organization",
      url: "https://www.who.int/news-room/fact-sheets/detail/the-top-10-causes-of-death",
    }),
    "World Health Organization. (2018, May 24). *The top 10 causes of death*. https://www.who.int/news-room/fact-sheets/detail/the-top-10-causes-of-death",
  ],
  [
    other("page", ["Giovanetti, F."], "Why we are so obsessed with personality types", {
      date: { year: 2019, month: 11, day: 16 },
      container: "Medium",
      url: "https://medium.com/the-business-of-wellness/why-we-are-so-obsessed-with-personality-types-577450f9aee9",
    }),
    "Giovanetti, F. (2019, November 16). *Why we are so obsessed with personality types*. Medium. https://medium.com/the-business-of-wellness/why-we-are-so-obsessed-with-personality-types-577450f9aee9",
  ],
  [
    book(["Aurelius, Marcus"], "Meditations", -180, { place: "Book VI, ¶29", site: "Quotations" }),
    "Aurelius, M. (180 B.C.E.). *Meditations* (Book VI, ¶29). Quotations.",
  ],
  [
    other("page", [], "Time flies", {
      description: "Quotation misattributed to Seneca",
      container: "Quotations",
    }),
    "*Time flies* [Quotation misattributed to Seneca]. (n.d.). Quotations.",
  ],
];

describe("a citation in APA style", () => {
  for (const [reference, expected] of EXPECTED) {
    it(expected.slice(0, 80), () => {
      assert.equal(
        citationText(apaCitation(reference), (text) => `*${text}*`),
        expected,
      );
    });
  }

  it("names nineteen of more than twenty authors, and the last", () => {
    const authors = Array.from({ length: 22 }, (_, n) => `Name${n + 1}, A.`);
    const text = citationText(apaCitation(book(authors, "Many", 2020)), (title) => title);
    assert.match(text, /^Name1, A\., .*Name19, A\., \. \. \. Name22, A\. \(2020\)\. Many\.$/);
    assert.doesNotMatch(text, /Name20/);
  });
});
