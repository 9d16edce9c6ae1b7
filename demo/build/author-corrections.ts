import type { Corpus, CorpusAuthor } from "./corpus.ts";

/** Authors whom the corpus lists twice: the id to leave out, and the one to keep. */
const SAME_AUTHOR: Readonly<Record<string, string>> = { "bernard-shaw": "george-bernard-shaw" };

/** Index names that are not the last word first; by the author's id in the corpus. */
const INDEX_NAMES: Readonly<Record<string, string>> = {
  "alexander-the-great": "Alexander the Great",
  "antoine-de-saint-exupery": "Saint-Exupéry, Antoine de",
  "augustine-of-hippo": "Augustine of Hippo",
  "charles-du-bos": "Du Bos, Charles",
  "galileo-galilei": "Galileo Galilei",
  "henry-van-dyke-jr": "Van Dyke, Henry, Jr.",
  "jean-de-la-bruyere": "La Bruyère, Jean de",
  "jean-de-la-fontaine": "La Fontaine, Jean de",
  "marcus-aurelius": "Marcus Aurelius",
  "sun-tzu": "Sun Tzu",
  "thomas-aquinas": "Thomas Aquinas",
};

/** Descriptions that replace those of the corpus: misprinted, too short to help, or of somebody else. */
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  "alfred-korzybski": "Polish-American scholar",
  "aubrey-stewart": "English classical scholar",
  "augustine-of-hippo": "Bishop and theologian in Roman Africa",
  "benjamin-jowett": "English classical scholar and theologian",
  boethius: "Roman senator and philosopher",
  "charles-henry-parkhurst": "American clergyman",
  "charlotte-bronte": "English novelist",
  "eric-liddell": "Scottish athlete",
  "g-d-h-cole": "English historian and socialist",
  "george-long": "English classical scholar",
  "h-r-james": "Translator of Boethius",
  "hannah-szenes": "Hungarian Jewish poet",
  "helen-zimmern": "German-born British writer and translator",
  "james-legge": "Scottish missionary and sinologist",
  "john-acosta": "",
  "john-dryden": "English poet and playwright",
  "john-stuart-mill": "English philosopher",
  "knute-rockne": "American football coach",
  "l-a-magnus": "Translator",
  "lionel-giles": "British sinologist",
  "marcus-aurelius": "Roman emperor and Stoic philosopher",
  "martha-washington": "First Lady of the United States",
  "michel-de-montaigne": "French essayist",
  "oscar-wilde": "Irish poet and playwright",
  "sojourner-truth": "American abolitionist",
  "thomas-common": "Translator of Nietzsche",
  "w-e-b-du-bois": "American sociologist and historian",
  "william-penn": "English Quaker, founder of Pennsylvania",
};

/** The corpus with each author once, under an index name and a description that can be relied on. */
export function withCorrectedAuthors(corpus: Corpus): Corpus {
  return {
    ...corpus,
    authors: corpus.authors.filter(({ id }) => SAME_AUTHOR[id] === undefined).map(corrected),
    quotations: corpus.quotations.map((quotation) => ({
      ...quotation,
      author: SAME_AUTHOR[quotation.author] ?? quotation.author,
    })),
  };
}

function corrected(author: CorpusAuthor): CorpusAuthor {
  const { id, name, sort_name: known } = author;
  const description = DESCRIPTIONS[id] ?? author.description;
  return {
    ...author,
    sort_name: INDEX_NAMES[id] ?? (known === name ? familyNameFirst(name) : known),
    ...(description === undefined ? {} : { description }),
  };
}

function familyNameFirst(name: string): string {
  const words = name.split(" ");
  if (words.length === 1) return name;
  return `${words.at(-1)}, ${words.slice(0, -1).join(" ")}`;
}
