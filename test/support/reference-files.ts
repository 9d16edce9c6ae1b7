import type { BibliographyFile } from "./bibliography-files.ts";

function ris(...lines: readonly string[]): string {
  return `${lines.join("\n")}\n`;
}

/** RIS as ten programs and people write it. */
export const RIS_FILES: readonly BibliographyFile[] = [
  {
    file: "zotero.ris",
    bytes: ris(
      ...[
        "TY  - BOOK",
        "TI  - Meditations",
        "AU  - Marcus Aurelius",
        "A4  - Hays, Gregory",
        "CY  - New York",
      ],
      ...[
        "DA  - 2002///",
        "PY  - 2002",
        "PB  - Modern Library",
        "SN  - 978-0-8129-6825-5",
        "ER  - ",
        "",
        "",
      ],
    ),
    works: ["Meditations"],
    authors: ["Marcus Aurelius"],
    faults: [],
  },
  {
    file: "endnote.ris",
    bytes: `\uFEFF${ris(
      ...[
        "TY  - JOUR",
        "AU  - Smith, John, Jr.",
        "AU  - O'Neill, Ann",
        "PY  - 2010",
        "ST  - Short",
      ],
      ...[
        "TI  - A Title",
        "T2  - The Journal",
        "VL  - 3",
        "IS  - 2",
        "SP  - 10",
        "EP  - 20",
        "ID  - 77",
        "ER  - ",
      ],
    ).replaceAll("\n", "\r\n")}`,
    works: ["A Title"],
    authors: ["John Smith Jr.", "Ann O'Neill"],
    faults: [],
  },
  {
    file: "mendeley.ris",
    bytes: ris(
      ...[
        "TY  - JOUR",
        "T1  - First of two",
        "A1  - Ada, B.",
        "Y1  - 1999/02//",
        "JF  - Nature",
        "ER  - ",
      ],
      ...[
        "TY  - CHAP",
        "T1  - Second of two",
        "A1  - Cid, D.",
        "Y1  - 2001",
        "T2  - The Book",
        "ER  - ",
      ],
    ),
    works: ["First of two", "Second of two"],
    authors: ["B. Ada", "D. Cid"],
    faults: [],
  },
  {
    file: "no ends.ris",
    bytes: ris("TY  - BOOK", "TI  - One", "AU  - A, B", "TY  - BOOK", "TI  - Two", "AU  - C, D"),
    works: ["One", "Two"],
    authors: ["B A", "D C"],
    faults: [],
  },
  {
    file: "broken.ris",
    bytes: ris(
      ...[
        "TI  - No beginning",
        "AU  - Lost, A.",
        "ER  - ",
        "TY  - BOOK",
        "AU  - No Title",
        "ER  - ",
      ],
      ...["TY  - BOOK", "TI  - Whole", "PY  - soon", "AU  - Kept, K.", "ER  - "],
    ),
    works: ["Whole"],
    authors: ["K. Kept"],
    faults: [1, 4],
  },
  {
    file: "wrapped.ris",
    bytes: ris(
      ...[
        "TY  - JOUR",
        "TI  - A title that goes",
        "on in the next line",
        "AB  - A text: with",
        "  two lines",
      ],
      ...["AU  - Ed, F.", "ER  -"],
    ),
    works: ["A title that goes on in the next line"],
    authors: ["F. Ed"],
    faults: [],
  },
  {
    file: "library latin1.ris",
    bytes: Buffer.from(
      ris("TY  - BOOK", "TI  - Märchen", "AU  - Brüder Grimm", "LA  - ger", "ER  - "),
      "latin1",
    ),
    works: ["Märchen"],
    authors: ["Brüder Grimm"],
    faults: [],
  },
  {
    file: "doubled.ris",
    bytes: ris(
      ...["TY  - BOOK", "ID  - x1", "TI  - Same", "AU  - A, B", "ER  - "],
      ...["TY  - BOOK", "ID  - x1", "TI  - Same", "AU  - A, B", "ER  - "],
      ...["TY  - BOOK", "ID  - x1", "TI  - Other", "AU  - A, B", "ER  - "],
    ),
    works: ["Same"],
    authors: ["B A"],
    faults: [11],
  },
  {
    file: "one space.ris",
    bytes: ris(
      "TY - NEWS",
      "TI - News of the day",
      "AU - Reporter, R.",
      "DO - https://doi.org/10.1000/182",
      "ER -",
    ),
    works: ["News of the day"],
    authors: ["R. Reporter"],
    faults: [],
  },
  {
    file: "publisher.ris",
    bytes: ris(
      ...[
        "TY  - JOUR",
        "AU  - World Health Organization",
        "TI  - Report & <advice>",
        "JO  - Bull. WHO",
      ],
      ...[
        "DO  - 10.2471/BLT.00.000000",
        "KW  - health",
        "KW  - advice",
        "UR  - https://example.org/r",
        "ER  - ",
      ],
    ),
    works: ["Report & <advice>"],
    authors: ["World Health Organization"],
    faults: [],
  },
];

/** What JSTOR, EndNote and Scopus write in their own way: headers, keywords, pages and numbers. */
export const RIS_OF_DATABASES = ris(
  ...["Provider: JSTOR http://www.jstor.org", "Content: text/plain", "", "TY  - JOUR"],
  ...["TI  - On Time", "AU  - Doe, Jane", "KW  - health", "advice", "old age", "SP  - 45-67"],
  ...["EP  - 67", "SN  - 12345678 (ISSN)", "PY  - 1914-1918", "T2  - The Journal", "ER  - ", ""],
  ...["TY  - BOOK", "TI  - A Book", "AU  - Roe, R.", "A3  - Editor, Eve", "SN  - 1234-5678"],
  ...["SN  - 9780140442106 (ISBN); 0140442103", "PY  - [1850]", "ER  - "],
  ...["TY  - JOUR", "TI  - News", "AU  - Poe, P.", "A2  - Series, Sue", "PY  - 2019", "ER  - "],
);

const ANNA = [{ family: "Example", given: "Anna" }];

/** CSL-JSON as ten programs and people write it. */
export const CSL_FILES: readonly BibliographyFile[] = [
  {
    file: "zotero.json",
    bytes: JSON.stringify(
      [
        {
          ...{
            id: "http://zotero.org/users/1/items/ABC",
            type: "book",
            title: "The <i>Nature</i> of Things",
          },
          author: [{ literal: "Lucretius" }],
          translator: [{ family: "Stallings", given: "A. E." }],
          issued: { "date-parts": [["2007"]] },
          ...{
            publisher: "Penguin",
            ISBN: "978-0-14-044796-5",
            language: "en",
            "number-of-pages": "304",
          },
        },
        {
          ...{ id: "http://zotero.org/users/1/items/DEF", type: "chapter", title: "A Chapter" },
          author: [{ family: "Berg", given: "Jan", "non-dropping-particle": "van der" }],
          issued: { "date-parts": [[2001, 5]] },
          "container-title": "The Collection",
        },
      ],
      null,
      "\t",
    ),
    works: ["The Nature of Things", "A Chapter"],
    authors: ["Lucretius", "Jan van der Berg"],
    faults: [],
  },
  {
    file: "crossref answer.json",
    bytes: JSON.stringify({
      status: "ok",
      message: {
        items: [
          {
            ...{
              type: "journal-article",
              title: ["A Paper"],
              subtitle: ["And More"],
              DOI: "10.1000/182",
            },
            author: [
              { family: "Doe", given: "Jo", sequence: "first", affiliation: [] },
              { name: "The Group" },
            ],
            issued: { "date-parts": [[2015, 1, 2]] },
            "container-title": ["Journal"],
          },
          { type: "journal-article", title: ["Undated"], issued: { "date-parts": [[null]] } },
        ],
      },
    }),
    works: ["A Paper: And More", "Undated"],
    authors: ["Jo Doe", "The Group"],
    faults: [],
  },
  {
    file: "doi answer.json",
    bytes: JSON.stringify({
      ...{ type: "article-journal", title: "Single", DOI: "10.1000/183", source: "Crossref" },
      ...{ author: ANNA, issued: { "date-parts": [[1999]] } },
    }),
    works: ["Single"],
    authors: ["Anna Example"],
    faults: [],
  },
  {
    file: "broken.json",
    bytes: raw([
      '[\n  {"id": "a", "type": "book", "title": "One", "author": [{"family": "A", "given": "B"}]},',
      '  {"id": "b" "type": "book", "title": "Two"},',
      '  {"id": "c", "type": "book", "title": "Three',
      "  },",
      '  {"id": "d", "type": "book"},',
      '  {"id": "e", "type": "book", "title": "Five"},',
    ]),
    works: ["One", "Five"],
    authors: ["B A"],
    faults: [3, 4, 6],
  },
  {
    file: "cut off.json",
    bytes: raw([
      '[{"id": 1, "type": "book", "title": "One", "author": []},',
      '{"id": 2, "type": "book", "tit',
    ]),
    works: ["One"],
    authors: [],
    faults: [2],
  },
  {
    file: "mendeley.json",
    bytes: JSON.stringify([
      {
        id: "ITEM-1",
        type: "speech",
        title: "A Speech",
        author: ANNA,
        issued: { raw: "May 2003" },
      },
    ]),
    works: ["A Speech"],
    authors: ["Anna Example"],
    faults: [],
  },
  {
    file: "pandoc.json",
    bytes: JSON.stringify([
      {
        id: "x",
        type: "webpage",
        title: "Page",
        author: [{ given: "Plato" }],
        issued: "2020-01-02",
        URL: "https://example.org/",
      },
    ]),
    works: ["Page"],
    authors: ["Plato"],
    faults: [],
  },
  {
    file: "paperpile.json",
    bytes: JSON.stringify([
      {
        id: "k1",
        "citation-key": "Doe2000",
        type: "thesis",
        title: "Thesis",
        author: ANNA,
        issued: { "date-parts": [[2000]] },
        keyword: "a, b",
      },
    ]),
    works: ["Thesis"],
    authors: ["Anna Example"],
    faults: [],
  },
  {
    file: "ancient.json",
    bytes: JSON.stringify([
      {
        id: 7,
        type: "book",
        title: "Republic",
        author: [{ literal: "Plato" }],
        issued: { "date-parts": [[-375]] },
      },
    ]),
    works: ["Republic"],
    authors: ["Plato"],
    faults: [],
  },
  {
    file: "doubled.json",
    bytes: JSON.stringify([
      { id: "x", type: "book", title: "Same", author: ANNA },
      { id: "x", type: "book", title: "Same", author: ANNA },
    ]),
    works: ["Same"],
    authors: ["Anna Example"],
    faults: [],
  },
];

function raw(lines: readonly string[]): string {
  return lines.join("\n");
}
