import { describe } from "node:test";
import { apaCitation } from "../../../src/content/citations/apa.ts";
import { type Examples, other, testExamples } from "./references.ts";

const EXAMPLES: Examples[] = [
  {
    page: "apastyle.apa.org/style-grammar-guidelines/references/examples/journal-article-references",
    examples: [
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
        other(
          "journal",
          ["Sanchiz, M.", "Chevalier, A.", "Amadieu, F."],
          "How do older and young adults start searching for information? Impact of age, domain knowledge and problem complexity on the different steps of information searching",
          {
            date: { year: 2017 },
            container: "Computers in Human Behavior",
            volume: "72",
            pages: "67–78",
            url: "https://doi.org/10.1016/j.chb.2017.02.038",
          },
        ),
        "Sanchiz, M., Chevalier, A., & Amadieu, F. (2017). How do older and young adults start searching for information? Impact of age, domain knowledge and problem complexity on the different steps of information searching. *Computers in Human Behavior*, *72*, 67–78. https://doi.org/10.1016/j.chb.2017.02.038",
      ],
      [
        other(
          "journal",
          ["Butler, J."],
          "Where access meets multimodality: The case of ASL music videos",
          {
            date: { year: 2017 },
            container: "Kairos: A Journal of Rhetoric, Technology, and Pedagogy",
            volume: "21",
            issue: "1",
            url: "http://technorhetoric.net/21.1/topoi/butler/index.html",
          },
        ),
        "Butler, J. (2017). Where access meets multimodality: The case of ASL music videos. *Kairos: A Journal of Rhetoric, Technology, and Pedagogy*, *21*(1). http://technorhetoric.net/21.1/topoi/butler/index.html",
      ],
      [
        other(
          "journal",
          ["The Editors of the Lancet"],
          "Retraction—Ileal-lymphoid-nodular hyperplasia, non-specific colitis, and pervasive developmental disorder in children",
          {
            date: { year: 2010 },
            container: "The Lancet",
            volume: "375",
            issue: "9713",
            pages: "445",
            url: "https://doi.org/10.1016/S0140-6736(10)60175-4",
          },
        ),
        "The Editors of the Lancet. (2010). Retraction—Ileal-lymphoid-nodular hyperplasia, non-specific colitis, and pervasive developmental disorder in children. *The Lancet*, *375*(9713), 445. https://doi.org/10.1016/S0140-6736(10)60175-4",
      ],
    ],
  },
  {
    page: "Publication Manual, 7th edition, section 10.1",
    examples: [
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
        other(
          "periodical",
          ["Guarino, B."],
          "How will humanity react to alien life? Psychologists have some predictions",
          {
            date: { year: 2017, month: 12, day: 4 },
            container: "The Washington Post",
            url: "https://www.washingtonpost.com/news/speaking-of-science/wp/2017/12/04/how-will-humanity-react-to-alien-life-psychologists-have-some-predictions",
          },
        ),
        "Guarino, B. (2017, December 4). How will humanity react to alien life? Psychologists have some predictions. *The Washington Post*. https://www.washingtonpost.com/news/speaking-of-science/wp/2017/12/04/how-will-humanity-react-to-alien-life-psychologists-have-some-predictions",
      ],
      [
        other("periodical", ["Hess, A."], "Cats who take direction", {
          date: { year: 2019, month: 1, day: 3 },
          container: "The New York Times",
          pages: "C1",
        }),
        "Hess, A. (2019, January 3). Cats who take direction. *The New York Times*, C1.",
      ],
      [
        other("periodical", ["Weir, K."], "Forgiveness can improve mental and physical health", {
          date: { year: 2017, month: 1 },
          container: "Monitor on Psychology",
          volume: "48",
          issue: "1",
          pages: "30",
        }),
        "Weir, K. (2017, January). Forgiveness can improve mental and physical health. *Monitor on Psychology*, *48*(1), 30.",
      ],
      [
        other(
          "journal",
          ["McCauley, S. M.", "Christiansen, M. H."],
          "Language learning as language use: A cross-linguistic model of child language development",
          {
            date: { year: 2019 },
            container: "Psychological Review",
            volume: "126",
            issue: "1",
            pages: "1–51",
            url: "https://doi.org/10.1037/rev0000126",
          },
        ),
        "McCauley, S. M., & Christiansen, M. H. (2019). Language learning as language use: A cross-linguistic model of child language development. *Psychological Review*, *126*(1), 1–51. https://doi.org/10.1037/rev0000126",
      ],
      [
        other("journal", ["Anderson, M."], "Getting consistent with consequences", {
          date: { year: 2018 },
          container: "Educational Leadership",
          volume: "76",
          issue: "1",
          pages: "26–33",
        }),
        "Anderson, M. (2018). Getting consistent with consequences. *Educational Leadership*, *76*(1), 26–33.",
      ],
      [
        other("journal", ["Cuellar, N. G."], "Study abroad programs", {
          date: { year: 2016 },
          description: "Editorial",
          container: "Journal of Transcultural Nursing",
          volume: "27",
          issue: "3",
          pages: "209",
          url: "https://doi.org/10.1177/1043659616638722",
        }),
        "Cuellar, N. G. (2016). Study abroad programs [Editorial]. *Journal of Transcultural Nursing*, *27*(3), 209. https://doi.org/10.1177/1043659616638722",
      ],
    ],
  },
  {
    page: "apastyle.apa.org: newspaper-article-references",
    examples: [
      [
        other("periodical", ["Carey, B."], "Can we get better at forgetting?", {
          date: { year: 2019, month: 3, day: 22 },
          container: "The New York Times",
          url: "https://www.nytimes.com/2019/03/22/health/memory-forgetting-psychology.html",
        }),
        "Carey, B. (2019, March 22). Can we get better at forgetting? *The New York Times*. https://www.nytimes.com/2019/03/22/health/memory-forgetting-psychology.html",
      ],
    ],
  },
  {
    page: "Publication Manual, section 10.16, and the page on webpages",
    examples: [
      [
        other(
          "page",
          ["Bologna, C."],
          "What happens to your mind and body when you feel homesick?",
          {
            date: { year: 2018, month: 6, day: 27 },
            container: "HuffPost",
            url: "https://www.huffpost.com/entry/what-happens-mind-body-homesick_n_5b201ebde4b09d7a3d77eee1",
          },
        ),
        "Bologna, C. (2018, June 27). *What happens to your mind and body when you feel homesick?* HuffPost. https://www.huffpost.com/entry/what-happens-mind-body-homesick_n_5b201ebde4b09d7a3d77eee1",
      ],
      [
        other(
          "page",
          ["Centers for Disease Control and Prevention"],
          "People at high risk of developing flu-related complications",
          {
            date: { year: 2018, month: 1, day: 23 },
            container: "Centers for Disease Control and Prevention",
            url: "https://www.cdc.gov/flu/highrisk/index.htm",
          },
        ),
        "Centers for Disease Control and Prevention. (2018, January 23). *People at high risk of developing flu-related complications*. https://www.cdc.gov/flu/highrisk/index.htm",
      ],
      [
        other("page", ["World Health Organization"], "The top 10 causes of death", {
          date: { year: 2018, month: 5, day: 24 },
          container: "World Health Organization",
          url: "https://www.who.int/news-room/fact-sheets/detail/the-top-10-causes-of-death",
        }),
        "World Health Organization. (2018, May 24). *The top 10 causes of death*. https://www.who.int/news-room/fact-sheets/detail/the-top-10-causes-of-death",
      ],
    ],
  },
  {
    page: "none: no published example was found to compare with",
    examples: [
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
        other("page", ["Giovanetti, F."], "Why we are so obsessed with personality types", {
          date: { year: 2019, month: 11, day: 16 },
          container: "Medium",
          url: "https://medium.com/the-business-of-wellness/why-we-are-so-obsessed-with-personality-types-577450f9aee9",
        }),
        "Giovanetti, F. (2019, November 16). *Why we are so obsessed with personality types*. Medium. https://medium.com/the-business-of-wellness/why-we-are-so-obsessed-with-personality-types-577450f9aee9",
      ],
      [
        other("page", [], "Time flies", {
          description: "Quotation misattributed to Seneca",
          container: "Quotations",
        }),
        "*Time flies* [Quotation misattributed to Seneca]. (n.d.). Quotations.",
      ],
    ],
  },
];

describe("a citation in APA style, of articles and pages", () => {
  testExamples(apaCitation, EXAMPLES);
});
