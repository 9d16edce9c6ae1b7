/** A bibliography as a program writes it, and the expected result of reading it. */
export interface BibliographyFile {
  file: string;
  bytes: string | Buffer;
  /** Titles of the works, in the order of the file. */
  works: readonly string[];
  /** Names of authors in natural order. */
  authors: readonly string[];
  /** Lines of entries that cannot be read. */
  faults: readonly number[];
}

const raw = String.raw;

/** BibTeX and BibLaTeX as ten programs and people write it. */
export const BIBTEX_FILES: readonly BibliographyFile[] = [
  {
    file: "zotero.bib",
    bytes: raw`
@book{seneca_letters_1969,
	address = {London},
	series = {Penguin {Classics}},
	title = {Letters from a {Stoic}},
	isbn = {978-0-14-044210-6},
	publisher = {Penguin},
	author = {{Seneca}},
	translator = {Campbell, Robin},
	year = {1969},
	keywords = {stoicism, ethics},
	file = {Full Text:/home/me/Zotero/storage/ABC/letters.pdf:application/pdf},
}

@article{hadot_1995,
	title = {Spiritual exercises — {\textquotedblleft}now{\textquotedblright}},
	volume = {12},
	url = {https://example.org/a_b?x=1\&y=2},
	doi = {10.1000/182},
	number = {3},
	journal = {Journal of {Ancient} Philosophy},
	author = {Hadot, Pierre and Davidson, Arnold I.},
	month = feb,
	year = {1995},
	pages = {45--67},
}`,
    works: ["Letters from a Stoic", "Spiritual exercises — “now”"],
    authors: ["Seneca", "Pierre Hadot", "Arnold I. Davidson"],
    faults: [],
  },
  {
    file: "mendeley.bib",
    bytes: raw`@book{Goethe1808,
abstract = {Ein Gelehrter
schlie{\ss}t einen Pakt.},
author = {von Goethe, Johann Wolfgang},
mendeley-groups = {Klassik},
publisher = {Cotta},
title = {{Faust. Eine Trag{\"{o}}die}},
year = {1808}
}
@article{Garcia2001,
author = {Garc{\'{i}}a M{\'{a}}rquez, Gabriel and {\v{Z}}i{\v{z}}ek, Slavoj and {\O}rsted, {\AA}se},
title = {{Sobre el a{\~{n}}o y el {\c{c}}edilla}},
year = {2001}
}`,
    works: ["Faust. Eine Tragödie", "Sobre el año y el çedilla"],
    authors: ["Johann Wolfgang von Goethe", "Gabriel García Márquez", "Slavoj Žižek", "Åse Ørsted"],
    faults: [],
  },
  {
    file: "jabref latin1.bib",
    bytes: Buffer.from(
      raw`% Encoding: ISO8859_1
@String{beck = {C. H. Beck}}
@Book{Kant1781,
  author    = {Immanuel Kant and others},
  title     = {Über die Vernunft},
  date      = {1781/1787},
  publisher = beck # { Verlag},
  owner     = {me},
  timestamp = {2020-01-01},
}

@Comment{jabref-meta: databaseType:bibtex;}

@Comment{jabref-meta: grouping:
0 AllEntriesGroup:;
@article{notanentry, title={x}};
}
`.replaceAll("\n", "\r\n"),
      "latin1",
    ),
    works: ["Über die Vernunft"],
    authors: ["Immanuel Kant"],
    faults: [],
  },
  {
    file: "scholar.bib",
    bytes: raw`@article{einstein1905elektrodynamik,
  title={Zur Elektrodynamik bewegter K{\"o}rper},
  author={Einstein, Albert},
  journal={Annalen der physik},
  volume={322},
  number={10},
  pages={891--921},
  year={1905},
  publisher={Wiley Online Library}
}
`,
    works: ["Zur Elektrodynamik bewegter Körper"],
    authors: ["Albert Einstein"],
    faults: [],
  },
  {
    file: "crossref.bib",
    bytes: raw` @article{Watson_1953, title={Molecular Structure of Nucleic Acids: A Structure for Deoxyribose Nucleic Acid}, volume={171}, ISSN={1476-4687}, url={http://dx.doi.org/10.1038/171737a0}, DOI={10.1038/171737a0}, number={4356}, journal={Nature}, publisher={Springer Science and Business Media LLC}, author={WATSON, J. D. and CRICK, F. H. C.}, year={1953}, month=Apr, pages={737–738} }`,
    works: ["Molecular Structure of Nucleic Acids: A Structure for Deoxyribose Nucleic Acid"],
    authors: ["J. D. WATSON", "F. H. C. CRICK"],
    faults: [],
  },
  {
    file: "biblatex.bib",
    bytes: raw`@inbook{chapter, crossref = {Whole}, title = {On Time}, author = {family=Berg, given=Jan, prefix=van der}, pages = {1-9}}
@online{site, title = {A Page}, subtitle = {With More}, author = {{World Health Organization}}, url = {https://example.org/page}, urldate = {2020-01-02}, date = {2019-05}, langid = {ngerman}}
@book{whole, title = {The Whole}, editor = {King, Jr., Martin Luther}, date = {-0043}, location = {Rome}}
`,
    works: ["On Time", "A Page: With More", "The Whole"],
    authors: ["Jan van der Berg", "World Health Organization"],
    faults: [],
  },
  {
    file: "endnote.bib",
    bytes: raw`@book{RN12,
   author = {Arendt, Hannah},
   title = {The Human Condition},
   publisher = {University of Chicago Press},
   year = {1958},
   type = {Book}
}

@book{RN12,
   author = {Arendt, Hannah},
   title = {The Human Condition},
   publisher = {University of Chicago Press},
   year = {1958},
   type = {Book}
}

@book{RN12,
   author = {Arendt, Hannah},
   title = {On Revolution},
   year = {1963}
}
`,
    works: ["The Human Condition"],
    authors: ["Hannah Arendt"],
    faults: [17],
  },
  {
    file: "broken.bib",
    bytes: raw`@book{first, title = {First}, author = {Ann One}}
@book{second, title = {Second, author = {Ben Two}

@book{third, title = {Third} author = {Cia Three}, year = 2000}
@book{fourth, title = "Fourth, author = {Dan Four}}
@book{fifth, author = {Eva Five}}
@book{, title = {Sixth}, author = {Fay Six}}
@book{seventh, title = {Seventh}, author = {Gil Seven}
`,
    works: ["First", "Third", "Sixth"],
    authors: ["Ann One", "Cia Three", "Fay Six"],
    faults: [2, 5, 6, 8],
  },
  {
    file: "by hand.bib",
    bytes:
      raw`Some notes by me@example.org, not an entry.
@PREAMBLE{ "\newcommand{\noopsort}[1]{}" }
@string( acm = "Association for Computing Machinery" )
@Misc(knuth:84,
  Author = "Donald~E. Knuth",
  Title = {The {\TeX book}: $\alpha$ and H$_2$O, 50\% {--} ` +
      "``quoted''" +
      raw`},
  HowPublished = acm, Year = 1984 )
@unpublished{tolkien, title = {\emph{Of} \enquote{Elves}}, author = "J.R.R. Tolkien and C. S. Lewis", year = "n.d."}
`,
    works: ["The TeXbook: α and H₂O, 50% – “quoted”", "Of “Elves”"],
    authors: ["Donald E. Knuth", "J.R.R. Tolkien", "C. S. Lewis"],
    faults: [],
  },
  {
    file: "arxiv.bib",
    bytes: raw`@misc{vaswani2023attentionneed,
      title={Attention Is All You Need},
      author={Ashish Vaswani and Łukasz Kaiser},
      year={2023},
      eprint={1706.03762},
      archivePrefix={arXiv},
      primaryClass={cs.CL},
      url={https://arxiv.org/abs/1706.03762},
}`,
    works: ["Attention Is All You Need"],
    authors: ["Ashish Vaswani", "Łukasz Kaiser"],
    faults: [],
  },
];

/** What databases and programs write in their own way; the last entry is cut off. */
export const BIBTEX_OF_DATABASES = raw`Scopus
EXPORT DATE: 01 January 2020

@ARTICLE{Doe20201,
author={Doe, J. and others},
title={{T}he {\it best} of all {\&} more},
year={2020}, note={cited By 0}, document_type={Article}, source={Scopus},
}

@ARTICLE{2016PhRvL.116f1102A,
   author = {{Abbott}, B.~P. and {LIGO Collaboration}},
    title = "{Observation of Waves}",
     year = 2016, month = feb, adsurl = {https://example.org/abs}
}

@article{ WOS:0003,
Author = {Smith, John A.},
Title = {{A Title of the Paper
   Continued Here}},
Year = {{in press}}, Month = {{JAN-FEB}}, Unique-ID = {{WOS:0003}},
}

@article {MR1, AUTHOR = {G\"{o}del, Kurt}, TITLE = {\"{U}ber {S}\"atze}, JOURNAL = {Monatsh. Math.}, VOLUME = {38}, YEAR = {1931}, PAGES = {173--198}}
@comment{BibDesk Static Groups{
<?xml version="1.0"?><plist><dict/></plist>
}}
@diary{war, title = {War diaries}, date = {1914-07-28/1918-11-11}}
@book{Open:2020,
  title = {Cut off in the mid
`;
