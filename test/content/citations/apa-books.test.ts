import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { apaCitation } from "../../../src/content/citations/apa.ts";
import { renderCitationText } from "../../../src/content/citations/reference.ts";
import { book, type Examples, other, people, testExamples } from "./references.ts";

const EXAMPLES: Examples[] = [
  {
    page: "apastyle.apa.org/style-grammar-guidelines/references/examples/book-references",
    examples: [
      [
        book(
          ["Jackson, L. M."],
          "The psychology of prejudice: From attitudes to social action",
          2019,
          {
            edition: "2nd ed.",
            publisher: "American Psychological Association",
            url: "https://doi.org/10.1037/0000168-000",
          },
        ),
        "Jackson, L. M. (2019). *The psychology of prejudice: From attitudes to social action* (2nd ed.). American Psychological Association. https://doi.org/10.1037/0000168-000",
      ],
      [
        book(["Sapolsky, R. M."], "Behave: The biology of humans at our best and worst", 2017, {
          publisher: "Penguin Books",
        }),
        "Sapolsky, R. M. (2017). *Behave: The biology of humans at our best and worst*. Penguin Books.",
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
        {
          ...book([], "Nanotechnology based approaches for tuberculosis treatment", 2020, {
            publisher: "Academic Press",
          }),
          editors: people("Kesharwani, P."),
        },
        "Kesharwani, P. (Ed.). (2020). *Nanotechnology based approaches for tuberculosis treatment*. Academic Press.",
      ],
      [
        book(
          ["Watson, J. B.", "Rayner, R."],
          "Conditioned emotional reactions: The case of Little Albert",
          2013,
          {
            editors: people("Webb, D."),
            publisher: "CreateSpace Independent Publishing Platform",
            originalYear: 1920,
            url: "https://a.co/06Se6Na",
          },
        ),
        "Watson, J. B., & Rayner, R. (2013). *Conditioned emotional reactions: The case of Little Albert* (D. Webb, Ed.). CreateSpace Independent Publishing Platform. https://a.co/06Se6Na (Original work published 1920)",
      ],
      [
        book([], "APA educational psychology handbook", 2012, {
          editors: people("Harris, K. R.", "Graham, S.", "Urdan, T."),
          volume: "1–3",
          publisher: "American Psychological Association",
        }),
        "Harris, K. R., Graham, S., & Urdan, T. (Eds.). (2012). *APA educational psychology handbook* (Vols. 1–3). American Psychological Association.",
      ],
    ],
  },
  {
    page: "Publication Manual, 7th edition, section 10.2",
    examples: [
      [
        book(["Brown, L. S."], "Feminist therapy", 2018, {
          edition: "2nd ed.",
          publisher: "American Psychological Association",
          url: "https://doi.org/10.1037/0000092-000",
        }),
        "Brown, L. S. (2018). *Feminist therapy* (2nd ed.). American Psychological Association. https://doi.org/10.1037/0000092-000",
      ],
      [
        book(["Meadows, D. H."], "Thinking in systems: A primer", 2008, {
          editors: people("Wright, D."),
          publisher: "Chelsea Green Publishing",
        }),
        "Meadows, D. H. (2008). *Thinking in systems: A primer* (D. Wright, Ed.). Chelsea Green Publishing.",
      ],
      [
        book(
          [],
          "Military veteran psychological health and social care: Contemporary approaches",
          2017,
          { editors: people("Hacker Hughes, J."), publisher: "Routledge" },
        ),
        "Hacker Hughes, J. (Ed.). (2017). *Military veteran psychological health and social care: Contemporary approaches*. Routledge.",
      ],
      [
        book(
          [],
          "Entrenchment and the psychology of language learning: How we reorganize and adapt linguistic knowledge",
          2017,
          {
            editors: people("Schmid, Hans-Jörg"),
            publisher: "American Psychological Association; De Gruyter Mouton",
            url: "https://doi.org/10.1037/15969-000",
          },
        ),
        "Schmid, H.-J. (Ed.). (2017). *Entrenchment and the psychology of language learning: How we reorganize and adapt linguistic knowledge*. American Psychological Association; De Gruyter Mouton. https://doi.org/10.1037/15969-000",
      ],
      [
        book(
          ["Freud, S."],
          "The interpretation of dreams: The complete and definitive text",
          2010,
          {
            editors: people("Strachey, J."),
            translators: people("Strachey, J."),
            publisher: "Basic Books",
            originalYear: 1900,
          },
        ),
        "Freud, S. (2010). *The interpretation of dreams: The complete and definitive text* (J. Strachey, Ed. & Trans.). Basic Books. (Original work published 1900)",
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
        book([], "Handbook of social psychology", 2010, {
          editors: people("Fiske, S. T.", "Gilbert, D. T.", "Lindzey, G."),
          edition: "5th ed.",
          volume: "1",
          publisher: "John Wiley & Sons",
          url: "https://doi.org/10.1002/9780470561119",
        }),
        "Fiske, S. T., Gilbert, D. T., & Lindzey, G. (Eds.). (2010). *Handbook of social psychology* (5th ed., Vol. 1). John Wiley & Sons. https://doi.org/10.1002/9780470561119",
      ],
      [
        book(
          ["World Health Organization"],
          "International statistical classification of diseases and related health problems",
          2019,
          {
            edition: "11th ed.",
            publisher: "World Health Organization",
            url: "https://icd.who.int/",
          },
        ),
        "World Health Organization. (2019). *International statistical classification of diseases and related health problems* (11th ed.). https://icd.who.int/",
      ],
      [
        book([], "The Stanford encyclopedia of philosophy", 2019, {
          editors: people("Zalta, E. N."),
          edition: "Summer 2019 ed.",
          publisher: "Stanford University",
          url: "https://plato.stanford.edu/archives/sum2019/",
        }),
        "Zalta, E. N. (Ed.). (2019). *The Stanford encyclopedia of philosophy* (Summer 2019 ed.). Stanford University. https://plato.stanford.edu/archives/sum2019/",
      ],
    ],
  },
  {
    page: "apastyle.apa.org: religious-work-references, and the blog on classical works",
    examples: [
      [
        book([], "King James Bible", 2017, {
          publisher: "King James Bible Online",
          originalYear: 1769,
          url: "https://www.kingjamesbibleonline.org/",
        }),
        "*King James Bible*. (2017). King James Bible Online. https://www.kingjamesbibleonline.org/ (Original work published 1769)",
      ],
      [
        book(["Alighieri, D."], "The divine comedy", 2001, {
          translators: people("Cary, H. F."),
          publisher: "Bartleby",
          originalYear: 1909,
          url: "https://www.bartleby.com/20/",
        }),
        "Alighieri, D. (2001). *The divine comedy* (H. F. Cary, Trans.). Bartleby. https://www.bartleby.com/20/ (Original work published 1909)",
      ],
    ],
  },
  {
    page: "Publication Manual, section 10.3, and the pages on chapters and entries",
    examples: [
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
          "part",
          ["Tafoya, N.", "Del Vecchio, A."],
          "Back to the future: An examination of the Native American Holocaust experience",
          {
            date: { year: 2005 },
            editors: people("McGoldrick, M.", "Giordano, J.", "Garcia-Preto, N."),
            container: "Ethnicity and family therapy",
            edition: "3rd ed.",
            pages: "55–63",
            publisher: "Guilford Press",
            url: "http://a.co/36xRhBT",
          },
        ),
        "Tafoya, N., & Del Vecchio, A. (2005). Back to the future: An examination of the Native American Holocaust experience. In M. McGoldrick, J. Giordano, & N. Garcia-Preto (Eds.), *Ethnicity and family therapy* (3rd ed., pp. 55–63). Guilford Press. http://a.co/36xRhBT",
      ],
      [
        other("part", ["Lewin, K."], "Group decision and social change", {
          date: { year: 1999 },
          editors: people("Gold, M."),
          container: "The complete social scientist: A Kurt Lewin reader",
          pages: "265–284",
          publisher: "American Psychological Association",
          originalYear: 1948,
          url: "https://doi.org/10.1037/10319-010",
        }),
        "Lewin, K. (1999). Group decision and social change. In M. Gold (Ed.), *The complete social scientist: A Kurt Lewin reader* (pp. 265–284). American Psychological Association. https://doi.org/10.1037/10319-010 (Original work published 1948)",
      ],
      [
        other("part", ["Graham, G."], "Behaviorism", {
          date: { year: 2019 },
          editors: people("Zalta, E. N."),
          container: "The Stanford encyclopedia of philosophy",
          edition: "Summer 2019 ed.",
          publisher: "Stanford University",
          url: "https://plato.stanford.edu/archives/sum2019/entries/behaviorism/",
        }),
        "Graham, G. (2019). Behaviorism. In E. N. Zalta (Ed.), *The Stanford encyclopedia of philosophy* (Summer 2019 ed.). Stanford University. https://plato.stanford.edu/archives/sum2019/entries/behaviorism/",
      ],
      [
        other("part", [], "List of oldest companies", {
          date: { year: 2019, month: 1, day: 13 },
          container: "Wikipedia",
          url: "https://en.wikipedia.org/wiki/List_of_oldest_companies",
        }),
        "List of oldest companies. (2019, January 13). In *Wikipedia*. https://en.wikipedia.org/wiki/List_of_oldest_companies",
      ],
    ],
  },
  {
    page: "none: no published example was found to compare with",
    examples: [
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
        book([], "The Qur’an", 2004, {
          translators: people("Abdel Haleem, M. A. S."),
          publisher: "Oxford University Press",
        }),
        "*The Qur’an* (M. A. S. Abdel Haleem, Trans.). (2004). Oxford University Press.",
      ],
      [
        book(["Aurelius, Marcus"], "Meditations", -180, {
          place: "Book VI, ¶29",
          site: "Quotations",
        }),
        "Aurelius, M. (180 B.C.E.). *Meditations* (Book VI, ¶29). Quotations.",
      ],
    ],
  },
];

describe("a citation in APA style, of books and their parts", () => {
  testExamples(apaCitation, EXAMPLES);

  it("keeps particles in lower case out of the initials", () => {
    const names = [
      "Goethe, Johann Wolfgang von",
      "Khwārizmī, Muhammad ibn Mūsā al-",
      "hooks, bell",
    ];
    const text = renderCitationText(
      apaCitation(
        book(names, "Many", 2020, { translators: people("Alembert, Jean-Baptiste le Rond d’") }),
      ),
      (title) => title,
    );
    assert.equal(
      text,
      "Goethe, J. W. von, Khwārizmī, M. ibn M. al-, & hooks, B. (2020). Many (J.-B. le R. d’Alembert, Trans.).",
    );
  });

  it("names nineteen of more than twenty authors, and the last", () => {
    const authors = Array.from({ length: 22 }, (_, n) => `Name${n + 1}, A.`);
    const text = renderCitationText(apaCitation(book(authors, "Many", 2020)), (title) => title);
    assert.match(text, /^Name1, A\., .*Name19, A\., \. \. \. Name22, A\. \(2020\)\. Many\.$/);
    assert.doesNotMatch(text, /Name20/);
  });
});
