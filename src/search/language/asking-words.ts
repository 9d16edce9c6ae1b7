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
  /** Filler words right in front of a line (`who said`, `the quote that goes`). */
  leads: ReadonlySet<string>;
  /** The first words of a remark at the end (`but I do not know the author`). */
  turns: ReadonlySet<string>;
  /** Words that such a remark has, but the end of a line seldom. */
  remarks: ReadonlySet<string>;
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
        "reports results said say saying sayings says search see show some something source studies study " +
        "tell text texts us ve want wish write written",
    ),
    saying: words(
      "believe believed said say says speak taught teach teaches think thinks thought write writes wrote",
    ),
    questions: words("did do does how what where who why"),
    views: words("ideas opinion opinions thoughts view views"),
    on: words("about on"),
    ends: words("quotation quotations quote quotes sayings"),
    leads: words(
      "goes line lines phrase proverb quotation quote reads said saying says sentence verse wrote",
    ),
    turns: words("but come comes which where who whom"),
    remarks: words("author come comes know recall remember said source wrote"),
  },
  de: {
    fillers: words(
      "artikel ausspruch ausspruche autor autorin autoren beruhmte finde finden gib gibt habt hast kennst " +
        "nenne nennt quelle sage sagt sagte sagten schrieb schreibt spruch spruche stammt steht suche sucht " +
        "text texte wem woher worte zeig zeige zitat zitate zitaten",
    ),
    saying: words(
      "dachte denkt gesagt geschrieben glaubt glaubte halt hielt lehrt lehrte meint meinte sage sagt " +
        "sagte schreibt schrieb spricht steht",
    ),
    questions: words("warum was welche welcher wer wie wo"),
    views: words("ansicht ansichten gedanken meinung"),
    on: words("uber zu zum zur"),
    ends: words("ausspruche spruche zitat zitate"),
    leads: words(
      "ausspruch gesagt heisst kommt lautet sagt sagte satz schrieb spruch stammt vers zeile zitat",
    ),
    turns: words("aber doch kenne weiss wem wer woher"),
    remarks: words("autor autorin gesagt geschrieben kenne quelle sagte schrieb stammt weiss"),
  },
  es: {
    fillers: words(
      "articulo articulos autor autora busco buscar celebres cita citas dame dice dicen dicho dichos dijo " +
        "escribio escrito frase frases fuente hay muestra proverbios quiero texto textos",
    ),
    saying: words("creia cree dice dicen dijo ensena escribe escribio habla opina piensa penso"),
    questions: words("como cual donde por que quien"),
    views: words("ideas opinion opiniones pensamientos"),
    on: words("acerca sobre"),
    ends: words("citas frases"),
    leads: words("cita dice dijo escribio frase proverbio verso viene"),
    turns: words("pero quien"),
    remarks: words("autor autora conozco dijo escribio fuente recuerdo"),
  },
  fr: {
    fillers: words(
      "article articles auteur auteurs celebres cherche chercher citation citations dire dit dites dits donne " +
        "donnez ecrit montre phrase phrases proverbes propos source texte textes trouve trouver veux",
    ),
    saying: words("a croit dire dit ecrit enseigne parle pense pensait"),
    questions: words("comment ou pourquoi que quel quelle qui quoi"),
    views: words("avis idees opinion opinions pensees"),
    on: words("sur"),
    ends: words("citation citations"),
    leads: words("citation dit ecrit phrase proverbe vers vient"),
    turns: words("mais qui"),
    remarks: words("auteur connais dit ecrit sais source"),
  },
};

/** A line of stop words has at least this many. */
const LINE_WORDS_MIN = 4;
const SENTENCE_END = /[.?!;:]\s/u;

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(" ").map(foldText));
}

/**
 * The filler words of a query. A sentence may begin with a run of filler and stop words, which is filler
 * up to its last stop word: `I am interested in articles written by` is filler, `information theory` is
 * not. Of all languages, the one with the most filler words counts; empty if only stop words would be
 * left that are too few for a line.
 */
export function fillerIn(text: string, asked: readonly Word[]): ReadonlySet<Word> {
  const starts = asked.flatMap(({ start }, place) =>
    place === 0 || SENTENCE_END.test(text.slice(asked[place - 1]?.end, start)) ? [place] : [],
  );
  const sentences = starts.map((from, sentence) => asked.slice(from, starts[sentence + 1]));
  let most: ReadonlySet<Word> = NO_WORDS;
  for (const language of Object.keys(QUESTION_WORDS)) {
    const found = new Set(sentences.flatMap((sentence) => fillerOf(sentence, language)));
    const isAllAsking =
      asked.length - found.size < LINE_WORDS_MIN &&
      asked.every((word) => found.has(word) || isStopWord(word.text, language));
    if (!isAllAsking && found.size > most.size) most = found;
  }
  return most;
}

function fillerOf(sentence: readonly Word[], language: string): Word[] {
  const asking = QUESTION_WORDS[language];
  if (asking === undefined) return [];
  const isSmall = ({ text }: Word) => isStopWord(text, language);
  const rest = sentence.slice(0, remarkStart(sentence, language, asking));
  const found = [
    ...rest.slice(0, fillerCount(rest, language, asking)),
    ...reportingWords(rest, language, asking),
    ...sentence.slice(rest.length),
  ];
  // A search knows the stop words of the site's languages only, so those of this language count as
  // filler.
  const isOther = language !== FIRST_LANGUAGE && found.some((word) => !isSmall(word));
  return isOther ? [...found, ...sentence.filter(isSmall)] : found;
}

/** Where a remark on a line begins at the end of a sentence; its length if there is none. */
function remarkStart(sentence: readonly Word[], language: string, asking: Asking): number {
  const { turns, remarks } = asking;
  const folded = sentence.map(({ text }) => foldText(text));
  const isRemark = (word: string) =>
    remarks.has(word) || turns.has(word) || isStopWord(word, language);
  const from = folded.findLastIndex((word) => !isRemark(word)) + 1;
  const turn = folded.findIndex((word, place) => place >= from && turns.has(word));
  const isFound = turn > 0 && folded.slice(turn).some((word) => remarks.has(word));
  return isFound ? turn : sentence.length;
}

/**
 * Number of filler words at the start. If a line of stop words follows, they end where it begins: `who
 * said to be or not to be`.
 */
function fillerCount(sentence: readonly Word[], language: string, asking: Asking): number {
  const { fillers, questions, leads } = asking;
  const isSmall = ({ text }: Word) => isStopWord(text, language);
  const isLead = ({ text }: Word) => leads.has(foldText(text));
  const isFiller = ({ text }: Word) => fillers.has(foldText(text));
  const said = sentence.findIndex((word) => !isSmall(word) && !isFiller(word) && !isLead(word));
  const run = said === -1 ? sentence : sentence.slice(0, said);
  const isAsking = (word: Word) => isFiller(word) || questions.has(foldText(word.text));
  if (!run.some(isAsking)) return 0;
  const lead = run.findLastIndex((word, place) => place > 0 && isLead(word)) + 1;
  const isLine = run.length === sentence.length && run.length - lead >= LINE_WORDS_MIN;
  return isLine && lead > 0 ? lead : Math.max(lead, run.findLastIndex(isSmall) + 1);
}

function reportingWords(sentence: readonly Word[], language: string, asking: Asking): Word[] {
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

/** In front of the name of a person: what that person says is not wanted. */
const NEGATIONS = words(
  "except excluding without ausser ohne sauf excepto salvo not_by not_from other_than nicht_von pas_de no_de",
);

/** The words right before a name that say it is not wanted; empty if there are none. */
export function negationBefore<Of extends Word>(
  name: readonly Word[],
  asked: readonly Of[],
): readonly Of[] {
  const place = asked.findIndex(({ start }) => start === name[0]?.start);
  const before = [2, 1].map((count) => asked.slice(Math.max(0, place - count), Math.max(0, place)));
  const isNegation = (some: readonly Word[]) =>
    NEGATIONS.has(some.map(({ text }) => foldText(text)).join("_"));
  return before.find(isNegation) ?? [];
}

const NO_WORDS: ReadonlySet<Word> = new Set();
