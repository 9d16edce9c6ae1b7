import { foldText } from "./folding.ts";
import { isStopWord } from "./stop-words.ts";
import type { Word } from "./words.ts";

/** Question phrases of a language; all words folded. */
interface Asking {
  /** Filler words in front of a stop word (`find articles about`). */
  fillers: ReadonlySet<string>;
  /**
   * Words that are fillers in a question only: in front of a stop word (`what does Seneca say about
   * time`) or after the question word (`was sagt Seneca`).
   */
  saying: ReadonlySet<string>;
  questions: ReadonlySet<string>;
  /** Words that are fillers only in front of one of `on` (`Seneca's thoughts on time`). */
  views: ReadonlySet<string>;
  on: ReadonlySet<string>;
  /** Filler words at the end (`Nietzsche quotes`). */
  ends: ReadonlySet<string>;
}

const FIRST_LANGUAGE = "en";

/** By language; the first is preferred where several fit equally. */
const QUESTION_WORDS: Readonly<Record<string, Asking>> = {
  en: {
    fillers: words(
      "all also am anything article articles author authors concern concerned concerning concerns d " +
        "deal dealing deals describe described describes describing description descriptions discuss " +
        "discussed discusses discussing discussion discussions document documents don either " +
        "especially every everything examples exist existing exists famous find finding get give help " +
        "information interest interested know let like list ll look looking m mainly material need " +
        "only paper papers particular particularly please possibly provide quotation quotations quote " +
        "quoted quotes rather re read recommend reference references regarding related relating report " +
        "reports results said say saying sayings says search see show some something studies study " +
        "tell text texts us ve want wish write written",
    ),
    saying: words(
      "believe believed said say says speak taught teach teaches think thinks thought write writes wrote",
    ),
    questions: words("did do does how what where who why"),
    views: words("ideas opinion opinions thoughts view views"),
    on: words("about on"),
    ends: words("quotation quotations quote quotes sayings"),
  },
  de: {
    fillers: words(
      "artikel ausspruch ausspruche autor autorin autoren beruhmte finde finden gib gibt habt hast kennst " +
        "nenne nennt sage sagt sagte sagten schrieb schreibt spruch spruche stammt steht suche sucht " +
        "text texte worte zeig zeige zitat zitate zitaten",
    ),
    saying: words(
      "dachte denkt gesagt geschrieben glaubt glaubte halt hielt lehrt lehrte meint meinte sage sagt " +
        "sagte schreibt schrieb spricht steht",
    ),
    questions: words("warum was welche welcher wer wie wo"),
    views: words("ansicht ansichten gedanken meinung"),
    on: words("uber zu zum zur"),
    ends: words("ausspruche spruche zitat zitate"),
  },
  es: {
    fillers: words(
      "articulo articulos autor autora busco buscar celebres cita citas dame dice dicen dicho dichos dijo " +
        "escribio escrito frase frases hay muestra proverbios quiero texto textos",
    ),
    saying: words("creia cree dice dicen dijo ensena escribe escribio habla opina piensa penso"),
    questions: words("como cual donde por que quien"),
    views: words("ideas opinion opiniones pensamientos"),
    on: words("acerca sobre"),
    ends: words("citas frases"),
  },
  fr: {
    fillers: words(
      "article articles auteur auteurs celebres cherche chercher citation citations dire dit dites dits donne " +
        "donnez ecrit montre phrase phrases proverbes propos texte textes trouve trouver veux",
    ),
    saying: words("a croit dire dit ecrit enseigne parle pense pensait"),
    questions: words("comment ou pourquoi que quel quelle qui quoi"),
    views: words("avis idees opinion opinions pensees"),
    on: words("sur"),
    ends: words("citation citations"),
  },
};

const SENTENCE_END = /[.?!;:]\s/u;

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(" ").map(foldText));
}

/**
 * The filler words of a query. A sentence may begin with a run of filler and stop words, which is filler
 * up to its last stop word: `I am interested in articles written by` is filler, `information theory` is
 * not. Of all languages, the one with the most filler words counts; empty if only stop words would be
 * left.
 */
export function fillerIn(text: string, asked: readonly Word[]): ReadonlySet<Word> {
  const starts = asked.flatMap(({ start }, place) =>
    place === 0 || SENTENCE_END.test(text.slice(asked[place - 1]?.end, start)) ? [place] : [],
  );
  const sentences = starts.map((from, sentence) => asked.slice(from, starts[sentence + 1]));
  let most: ReadonlySet<Word> = NO_WORDS;
  for (const language of Object.keys(QUESTION_WORDS)) {
    const found = new Set(sentences.flatMap((sentence) => fillerOf(sentence, language)));
    const isAllAsking = asked.every((word) => found.has(word) || isStopWord(word.text, language));
    if (!isAllAsking && found.size > most.size) most = found;
  }
  return most;
}

function fillerOf(sentence: readonly Word[], language: string): Word[] {
  const asking = QUESTION_WORDS[language];
  if (asking === undefined) return [];
  const isSmall = ({ text }: Word) => isStopWord(text, language);
  const found = [
    ...sentence.slice(0, fillerCount(sentence, language, asking)),
    ...sayingIn(sentence, language, asking),
  ];
  // A search knows the stop words of the site's languages only, so those of this language count as
  // filler.
  const isOther = language !== FIRST_LANGUAGE && found.some((word) => !isSmall(word));
  return isOther ? [...found, ...sentence.filter(isSmall)] : found;
}

/** Number of filler words at the start. */
function fillerCount(sentence: readonly Word[], language: string, asking: Asking): number {
  const { fillers, questions } = asking;
  const said = sentence.findIndex(
    ({ text }) => !isStopWord(text, language) && !fillers.has(foldText(text)),
  );
  const run = said === -1 ? sentence : sentence.slice(0, said);
  const isAsking = (folded: string) => fillers.has(folded) || questions.has(folded);
  if (!run.some(({ text }) => isAsking(foldText(text)))) return 0;
  return run.findLastIndex(({ text }) => isStopWord(text, language)) + 1;
}

function sayingIn(sentence: readonly Word[], language: string, asking: Asking): Word[] {
  const { questions, saying, views, on, ends } = asking;
  const isQuestion = questions.has(foldText(sentence[0]?.text ?? ""));
  return sentence.filter(({ text }, place) => {
    const next = sentence[place + 1]?.text;
    const word = foldText(text);
    if (next === undefined) return ends.has(word);
    return (
      (isQuestion && saying.has(word) && (place === 1 || isStopWord(next, language))) ||
      (views.has(word) && on.has(foldText(next)))
    );
  });
}

const NO_WORDS: ReadonlySet<Word> = new Set();
