import { foldText } from "./folding.ts";
import { isStopWord } from "./stop-words.ts";
import type { Word } from "./words.ts";

/** The filler words of a language, all folded. */
interface FillerWords {
  /** Words that are fillers before a stop word (`find articles about`). */
  fillers: ReadonlySet<string>;
  /**
   * Verbs that are fillers only in a question: before a stop word (`what does Seneca say about time`) or
   * right after the question word (`was sagt Seneca`).
   */
  speechVerbs: ReadonlySet<string>;
  /** Words that start a question. */
  questions: ReadonlySet<string>;
  /** Nouns that are fillers only before one of `aboutWords` (`Seneca's thoughts on time`). */
  opinionNouns: ReadonlySet<string>;
  aboutWords: ReadonlySet<string>;
  /** Words that are fillers at the end of a query (`Nietzsche quotes`). */
  finalWords: ReadonlySet<string>;
  /** Words that are fillers right before a line (`who said`, `the quote that goes`). */
  lineIntroductions: ReadonlySet<string>;
  /** Words that start a remark after a line (`but I do not know the author`). */
  remarkStarts: ReadonlySet<string>;
  /**
   * Words of remarks that visitors add after a line, such as "who said that". A line itself seldom ends
   * with such words.
   */
  remarkWords: ReadonlySet<string>;
}

const FIRST_LANGUAGE = "en";

/**
 * The filler words of each language. If a query has equally many filler words of several languages, the first
 * of these languages is used.
 */
const FILLER_WORDS: Readonly<Record<string, FillerWords>> = {
  en: {
    fillers: words(
      "all also am anything article articles author authors concern concerned concerning concerns d " +
        "deal dealing deals describe described describes describing description descriptions discuss " +
        "discussed discusses discussing discussion discussions document documents don either " +
        "especially every everything examples exist existing exists famous find finding get give help " +
        "information interest interested know let like list ll look looking m mainly material need " +
        "only paper papers particular particularly please possibly provide quotation quotations quote " +
        "quoted quotes rather re read recommend reference references regarding related relating report " +
        "reports results said say saying sayings says search see show some something source studies study " +
        "tell text texts us ve want wish write written",
    ),
    speechVerbs: words(
      "believe believed said say says speak taught teach teaches think thinks thought write writes wrote",
    ),
    questions: words("did do does how what where who why"),
    opinionNouns: words("ideas opinion opinions thoughts view views"),
    aboutWords: words("about on"),
    finalWords: words("quotation quotations quote quotes sayings"),
    lineIntroductions: words(
      "goes line lines phrase proverb quotation quote reads said saying says sentence verse wrote",
    ),
    remarkStarts: words("but come comes which where who whom"),
    remarkWords: words("author come comes know recall remember said source wrote"),
  },
  de: {
    fillers: words(
      "artikel ausspruch ausspruche autor autorin autoren beruhmte finde finden gib gibt habt hast kennst " +
        "nenne nennt quelle sage sagt sagte sagten schrieb schreibt spruch spruche stammt steht suche sucht " +
        "text texte wem woher worte zeig zeige zitat zitate zitaten",
    ),
    speechVerbs: words(
      "dachte denkt gesagt geschrieben glaubt glaubte halt hielt lehrt lehrte meint meinte sage sagt " +
        "sagte schreibt schrieb spricht steht",
    ),
    questions: words("warum was welche welcher wer wie wo"),
    opinionNouns: words("ansicht ansichten gedanken meinung"),
    aboutWords: words("uber zu zum zur"),
    finalWords: words("ausspruche spruche zitat zitate"),
    lineIntroductions: words(
      "ausspruch gesagt heisst kommt lautet sagt sagte satz schrieb spruch stammt vers zeile zitat",
    ),
    remarkStarts: words("aber doch kenne weiss wem wer woher"),
    remarkWords: words("autor autorin gesagt geschrieben kenne quelle sagte schrieb stammt weiss"),
  },
  es: {
    fillers: words(
      "articulo articulos autor autora busco buscar celebres cita citas dame dice dicen dicho dichos dijo " +
        "escribio escrito frase frases fuente hay muestra proverbios quiero texto textos",
    ),
    speechVerbs: words(
      "creia cree dice dicen dijo ensena escribe escribio habla opina piensa penso",
    ),
    questions: words("como cual donde por que quien"),
    opinionNouns: words("ideas opinion opiniones pensamientos"),
    aboutWords: words("acerca sobre"),
    finalWords: words("citas frases"),
    lineIntroductions: words("cita dice dijo escribio frase proverbio verso viene"),
    remarkStarts: words("pero quien"),
    remarkWords: words("autor autora conozco dijo escribio fuente recuerdo"),
  },
  fr: {
    fillers: words(
      "article articles auteur auteurs celebres cherche chercher citation citations dire dit dites dits donne " +
        "donnez ecrit montre phrase phrases proverbes propos source texte textes trouve trouver veux",
    ),
    speechVerbs: words("a croit dire dit ecrit enseigne parle pense pensait"),
    questions: words("comment ou pourquoi que quel quelle qui quoi"),
    opinionNouns: words("avis idees opinion opinions pensees"),
    aboutWords: words("sur"),
    finalWords: words("citation citations"),
    lineIntroductions: words("citation dit ecrit phrase proverbe vers vient"),
    remarkStarts: words("mais qui"),
    remarkWords: words("auteur connais dit ecrit sais source"),
  },
};

/** A query of only stop words counts as a line if it has at least this many words. */
const LINE_WORDS_MIN = 4;
const SENTENCE_END = /[.?!;:]\s/u;

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(" ").map(foldText));
}

/**
 * Finds the filler words of a query, in the language in which the query has the most of them. At the
 * start of a sentence, a sequence of filler words and stop words is filler up to its last stop word: `I
 * am interested in articles written by` is filler, `information theory` is not. Returns no words if the
 * remaining words would be only stop words, and too few for a line.
 */
export function findFillerWords(text: string, query: readonly Word[]): ReadonlySet<Word> {
  const starts = query.flatMap(({ start }, position) =>
    position === 0 || SENTENCE_END.test(text.slice(query[position - 1]?.end, start))
      ? [position]
      : [],
  );
  const sentences = starts.map((from, sentence) => query.slice(from, starts[sentence + 1]));
  let mostFillers: ReadonlySet<Word> = NO_WORDS;
  for (const language of Object.keys(FILLER_WORDS)) {
    const found = new Set(sentences.flatMap((sentence) => fillerOf(sentence, language)));
    const leavesNothing =
      query.length - found.size < LINE_WORDS_MIN &&
      query.every((word) => found.has(word) || isStopWord(word.text, language));
    if (!leavesNothing && found.size > mostFillers.size) mostFillers = found;
  }
  return mostFillers;
}

function fillerOf(sentence: readonly Word[], language: string): Word[] {
  const fillerWords = FILLER_WORDS[language];
  if (fillerWords === undefined) return [];
  const isStop = ({ text }: Word) => isStopWord(text, language);
  const rest = sentence.slice(0, remarkStart(sentence, language, fillerWords));
  const found = [
    ...rest.slice(0, fillerCount(rest, language, fillerWords)),
    ...reportingWords(rest, language, fillerWords),
    ...sentence.slice(rest.length),
  ];
  // Counts the stop words of `language` as filler words too, because a search recognizes stop words
  // only in the site's languages.
  const isForeign = language !== FIRST_LANGUAGE && found.some((word) => !isStop(word));
  return isForeign ? [...found, ...sentence.filter(isStop)] : found;
}

/**
 * The position at which the final remark of a sentence starts; the length of the sentence if there is
 * no such remark.
 */
function remarkStart(
  sentence: readonly Word[],
  language: string,
  fillerWords: FillerWords,
): number {
  const { remarkStarts, remarkWords } = fillerWords;
  const folded = sentence.map(({ text }) => foldText(text));
  const isRemark = (word: string) =>
    remarkWords.has(word) || remarkStarts.has(word) || isStopWord(word, language);
  const from = folded.findLastIndex((word) => !isRemark(word)) + 1;
  const start = folded.findIndex((word, position) => position >= from && remarkStarts.has(word));
  const isFound = start > 0 && folded.slice(start).some((word) => remarkWords.has(word));
  return isFound ? start : sentence.length;
}

/**
 * The number of filler words at the start of a sentence. A line of stop words ends the filler: in
 * `who said to be or not to be`, only `who said` is filler.
 */
function fillerCount(
  sentence: readonly Word[],
  language: string,
  fillerWords: FillerWords,
): number {
  const { fillers, questions, lineIntroductions } = fillerWords;
  const isStop = ({ text }: Word) => isStopWord(text, language);
  const isIntroduction = ({ text }: Word) => lineIntroductions.has(foldText(text));
  const isFiller = ({ text }: Word) => fillers.has(foldText(text));
  const contentStart = sentence.findIndex(
    (word) => !isStop(word) && !isFiller(word) && !isIntroduction(word),
  );
  const run = contentStart === -1 ? sentence : sentence.slice(0, contentStart);
  const isAskingWord = (word: Word) => isFiller(word) || questions.has(foldText(word.text));
  if (!run.some(isAskingWord)) return 0;
  const lineStart = run.findLastIndex((word, position) => position > 0 && isIntroduction(word)) + 1;
  const isLine = run.length === sentence.length && run.length - lineStart >= LINE_WORDS_MIN;
  return isLine && lineStart > 0 ? lineStart : Math.max(lineStart, run.findLastIndex(isStop) + 1);
}

function reportingWords(
  sentence: readonly Word[],
  language: string,
  fillerWords: FillerWords,
): Word[] {
  const { questions, speechVerbs, opinionNouns, aboutWords, finalWords } = fillerWords;
  const isQuestion = questions.has(foldText(sentence[0]?.text ?? ""));
  return sentence.filter(({ text }, position) => {
    const next = sentence[position + 1]?.text;
    const word = foldText(text);
    if (next === undefined) return finalWords.has(word);
    return (
      (isQuestion && speechVerbs.has(word) && (position === 1 || isStopWord(next, language))) ||
      (opinionNouns.has(word) && aboutWords.has(foldText(next)))
    );
  });
}

/** Words that exclude a person if they come right before the person's name. */
const NEGATIONS = words(
  "except excluding without ausser ohne sauf excepto salvo not_by not_from other_than nicht_von pas_de no_de",
);

/**
 * The negating words right before a name, such as `not by`, which exclude the named person; empty if there
 * are none.
 */
export function findNegatingWordsBeforeName<QueryWord extends Word>(
  name: readonly Word[],
  query: readonly QueryWord[],
): readonly QueryWord[] {
  const position = query.findIndex(({ start }) => start === name[0]?.start);
  const before = [2, 1].map((count) =>
    query.slice(Math.max(0, position - count), Math.max(0, position)),
  );
  const isNegation = (candidates: readonly Word[]) =>
    NEGATIONS.has(candidates.map(({ text }) => foldText(text)).join("_"));
  return before.find(isNegation) ?? [];
}

const NO_WORDS: ReadonlySet<Word> = new Set();
