import { describe } from "node:test";
import { mlaCitation } from "../../../src/content/citations/mla.ts";
import { book, type Examples, other, people, testExamples } from "./references.ts";

const EXAMPLES: Examples[] = [
  {
    page: "style.mla.org",
    examples: [
      [
        book(["Lodge, David"], "Changing Places: A Tale of Two Campuses", 1979, {
          edition: "2nd ed.",
          publisher: "Penguin Books",
        }),
        "Lodge, David. *Changing Places: A Tale of Two Campuses*. 2nd ed., Penguin Books, 1979.",
      ],
      [
        book(["Dorris, Michael", "Erdrich, Louise"], "The Crown of Columbus", 1999, {
          publisher: "HarperCollins Publishers",
        }),
        "Dorris, Michael, and Louise Erdrich. *The Crown of Columbus*. HarperCollins Publishers, 1999.",
      ],
      [
        book(
          ["Burdick, Anne", "Drucker, Johanna", "Lunenfeld, Peter"],
          "Digital_Humanities",
          2012,
          { publisher: "MIT P" },
        ),
        "Burdick, Anne, et al. *Digital_Humanities*. MIT P, 2012.",
      ],
      [
        book(["Modern Language Association of America"], "MLA Handbook", 2021, {
          edition: "9th ed.",
          publisher: "Modern Language Association of America",
        }),
        "*MLA Handbook*. 9th ed., Modern Language Association of America, 2021.",
      ],
      [
        other("journal", ["Berman, Russell"], "The Necessity of Language Learning", {
          container: "ADFL Bulletin",
          volume: "43",
          issue: "2",
          date: { year: 2015 },
          pages: "11–14",
          url: "https://doi.org/10.1632/adfl.43.2.11",
        }),
        "Berman, Russell. “The Necessity of Language Learning.” *ADFL Bulletin*, vol. 43, no. 2, 2015, pp. 11–14, https://doi.org/10.1632/adfl.43.2.11.",
      ],
      [
        other(
          "journal",
          ["Boyd, James W.", "Nishimura, Tetsuya"],
          "Shinto Perspectives in Miyazaki’s Anime Film Spirited Away",
          {
            container: "Journal of Religion and Film",
            volume: "8",
            issue: "3",
            date: { year: 2004, month: 10 },
          },
        ),
        "Boyd, James W., and Tetsuya Nishimura. “Shinto Perspectives in Miyazaki’s Anime Film Spirited Away.” *Journal of Religion and Film*, vol. 8, no. 3, Oct. 2004.",
      ],
      [
        other(
          "page",
          ["Burns, Shauntee"],
          "Finding Wonder Women at the Library: Online Biographies and Encyclopedias",
          {
            container: "New York Public Library",
            date: { year: 2016, month: 3, day: 2 },
            url: "https://www.nypl.org/blog/2016/03/02/biographies-women-history",
          },
        ),
        "Burns, Shauntee. “Finding Wonder Women at the Library: Online Biographies and Encyclopedias.” *New York Public Library*, 2 Mar. 2016, www.nypl.org/blog/2016/03/02/biographies-women-history.",
      ],
      [
        other("page", ["New York Public Library"], "Education", {
          container: "New York Public Library",
          date: { year: 2018 },
          url: "https://www.nypl.org/education",
        }),
        "“Education.” *New York Public Library*, 2018, www.nypl.org/education.",
      ],
      [
        other("page", [], "English Language Arts Standards", {
          container: "Common Core State Standards Initiative",
          date: { year: 2017 },
          url: "http://www.corestandards.org/ELA-Literacy/",
        }),
        "“English Language Arts Standards.” *Common Core State Standards Initiative*, 2017, www.corestandards.org/ELA-Literacy/.",
      ],
    ],
  },
  {
    page: "Purdue OWL: MLA Works Cited Page: Books",
    examples: [
      [
        book(["Gleick, James"], "Chaos: Making a New Science", 1987, { publisher: "Penguin" }),
        "Gleick, James. *Chaos: Making a New Science*. Penguin, 1987.",
      ],
      [
        book(
          ["Gillespie, Paula", "Lerner, Neal"],
          "The Allyn and Bacon Guide to Peer Tutoring",
          2000,
          {
            publisher: "Allyn and Bacon",
          },
        ),
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
        book(["American Allergy Association"], "Allergies in Children", 1998, {
          publisher: "Random House",
        }),
        "American Allergy Association. *Allergies in Children*. Random House, 1998.",
      ],
      [
        book([], "Encyclopedia of Indiana", 1993, { publisher: "Somerset" }),
        "*Encyclopedia of Indiana*. Somerset, 1993.",
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
        book(["Brontë, Charlotte"], "Jane Eyre", 1998, {
          editors: people("Smith, Margaret"),
          publisher: "Oxford UP",
        }),
        "Brontë, Charlotte. *Jane Eyre*. Edited by Margaret Smith, Oxford UP, 1998.",
      ],
      [
        book(["Erdrich, Louise"], "Love Medicine", 1993, {
          originalYear: 1984,
          publisher: "Perennial-Harper",
        }),
        "Erdrich, Louise. *Love Medicine*. 1984. Perennial-Harper, 1993.",
      ],
      [
        book(["Quintilian"], "Institutio Oratoria", 1980, {
          translators: people("Butler, H. E."),
          volume: "2",
          publisher: "Loeb-Harvard UP",
        }),
        "Quintilian. *Institutio Oratoria*. Translated by H. E. Butler, vol. 2, Loeb-Harvard UP, 1980.",
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
        other(
          "part",
          ["Wysocki, Anne Frances"],
          "The Multiple Media of Texts: How Onscreen and Paper Texts Incorporate Words, Images, and Other Media",
          {
            container: "What Writing Does and How It Does It",
            editors: people("Bazerman, Charles", "Prior, Paul"),
            publisher: "Lawrence Erlbaum",
            date: { year: 2004 },
            pages: "123-63",
          },
        ),
        "Wysocki, Anne Frances. “The Multiple Media of Texts: How Onscreen and Paper Texts Incorporate Words, Images, and Other Media.” *What Writing Does and How It Does It*, edited by Charles Bazerman and Paul Prior, Lawrence Erlbaum, 2004, pp. 123-63.",
      ],
    ],
  },
  {
    page: "Purdue OWL: MLA Works Cited Page: Periodicals",
    examples: [
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
          ["Bagchi, Alaknanda"],
          "Conflicting Nationalisms: The Voice of the Subaltern in Mahasweta Devi’s Bashai Tudu",
          {
            container: "Tulsa Studies in Women’s Literature",
            volume: "15",
            issue: "1",
            date: { year: 1996 },
            pages: "41-50",
          },
        ),
        "Bagchi, Alaknanda. “Conflicting Nationalisms: The Voice of the Subaltern in Mahasweta Devi’s Bashai Tudu.” *Tulsa Studies in Women’s Literature*, vol. 15, no. 1, 1996, pp. 41-50.",
      ],
    ],
  },
  {
    page: "Purdue OWL: MLA Works Cited: Electronic Sources",
    examples: [
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
        other("page", ["Lundman, Susan"], "How to Make Vegetarian Chili", {
          container: "eHow",
          url: "https://www.ehow.com/how_10727_make-vegetarian-chili.html",
        }),
        "Lundman, Susan. “How to Make Vegetarian Chili.” *eHow*, www.ehow.com/how_10727_make-vegetarian-chili.html.",
      ],
    ],
  },
  {
    page: "none: no published example was found to compare with",
    examples: [
      [
        book(["Mantel, Hilary"], "Wolf Hall", 2010, { publisher: "Picador" }),
        "Mantel, Hilary. *Wolf Hall*. Picador, 2010.",
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
        book(["Henley, Patricia"], "The Hummingbird House", 1999, { publisher: "MacMurray" }),
        "Henley, Patricia. *The Hummingbird House*. MacMurray, 1999.",
      ],
      [
        book([], "Beowulf", 2004, {
          translators: people("Sullivan, Alan", "Murphy, Timothy"),
          publisher: "Pearson",
        }),
        "*Beowulf*. Translated by Alan Sullivan and Timothy Murphy, Pearson, 2004.",
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
      [
        book(["Edmundson, Mark"], "Why Read?", 2004, { publisher: "Bloomsbury" }),
        "Edmundson, Mark. *Why Read?* Bloomsbury, 2004.",
      ],
    ],
  },
];

describe("a citation in MLA style", () => {
  testExamples(mlaCitation, EXAMPLES);
});
