import { foldText } from "./folding.ts";
import { baseLanguage } from "./languages.ts";

/**
 * Folded stop words, keyed by language. The English list is that of Lucene with question words added. A
 * language without a list has no stop words.
 */
const STOP_WORDS: Readonly<Record<string, ReadonlySet<string>>> = {
  en: words(
    "a about an and any are as at be been being but by can could did do does for from had has have " +
      "he her him his how i if in into is it its may me my no not of on or our she should so such t " +
      "than that the their them then there these they this those to was we were what when where which " +
      "while who whom whose why will with would you your",
  ),
  da: words(
    "af alle at bliver da de dem den denne der deres det dette dig din disse du efter eller en end er " +
      "et for fra ham han hans har hende hendes her hun hvad hvem hvis hvor hvordan hvorfor i ikke ind " +
      "jeg kan man med men mig min mod ned nar og om op os over pa sa sig sin skal som til ud under var " +
      "vi vil ville",
  ),
  de: words(
    "aber als also am an auch auf aus bei bin bis bist da damit dann das dass dein dem den der des die " +
      "dies diese dieser du durch ein eine einem einen einer eines er es euch euer fur hat hatte ich ihm " +
      "ihn ihr ihre im in ist ja kann mein mich mir mit nach nicht noch nur ob oder sein seine sich sie " +
      "sind so uber um und uns unser unter vom von vor wann war waren warum was weil welche welcher wenn " +
      "wer wie wir wird wo wurde zu zum zur",
  ),
  es: words(
    "a al ante como con contra cual cuando de del desde donde e el ella ellas ellos en entre era es esa " +
      "ese eso esta este esto estos fue ha hasta hay la las le les lo los mas me mi muy ni no nos o os " +
      "para pero por porque que quien se ser si sin sobre son su sus te tu un una uno unos y ya yo",
  ),
  fi: words(
    "ei eika en etta ette he hanen han ja jo joka jos jotka kanssa kuin kun koska me mika mina missa mita " +
      "mutta myos ne niin nyt oli olla olen on ovat se sen sina siita te tai tama tassa vaan voi",
  ),
  fr: words(
    "a ai as au aux avec c ce ces cet cette comment d dans de des donc du elle elles en es est et eu il " +
      "ils j je l la le les leur leurs lui m ma mais me mes moi mon n ne nos notre nous on ont ou par pas " +
      "pour pourquoi qu quand que quel quelle quels qui quoi s sa se ses si son sont sous sur t ta te tes " +
      "toi ton tu un une vos votre vous y",
  ),
  it: words(
    "a ad agli ai al all alla alle allo anche c che chi ci come con d da dagli dai dal dall dalla dei del " +
      "dell della delle dello di dov dove e ed era gli ha hanno ho i il in io l la le lei li lo loro lui ma " +
      "mi mia mio ne negli nei nel nell nella no noi non o per perche piu quale quando quell quello questa " +
      "questo se si sia sono su sua suo sul sull sulla ti tra tu un una uno vi voi",
  ),
  nl: words(
    "aan als bij dan dat de deze die dit door dus een en er ge geen had heb hebben heeft hem het hij hoe " +
      "hun ik in is je kan maar me men met mij mijn na naar niet nog nu of om onder ons ook op over te tot " +
      "uit u van voor waar waarom wanneer was wat we wie wij wordt ze zich zij zijn zo zou",
  ),
  no: words(
    "av at bli da de dem den denne der deres det dette du eller en er et etter for fra ham han hans har " +
      "hun hva hvem hvis hvor hvordan hvorfor i ikke jeg kan man med meg men min mot ned nar og om opp oss " +
      "over pa seg sin skal som til ut under var ved vi vil",
  ),
  pt: words(
    "a ao aos as ate com como da das de dela dele do dos e ela elas ele eles em entre era essa esse esta " +
      "este eu foi ha isso isto ja lhe mais mas me meu minha muito na nao nas nem no nos o onde os ou para " +
      "pela pelo por porque qual quando que quem se sem ser seu sua so sobre sao tambem te tem um uma voce",
  ),
  ru: words(
    "а без бы был была были было быть в вам вас вот все всё вы где да для до его ее если есть еще же за и " +
      "из или им их к как какой когда кто ли мне мы на над не него нее нет ни но ну о об он она они оно от " +
      "по под при с со так там то того тоже только ты у уже что чтобы это эта этот я",
  ),
  sv: words(
    "alla att av blev bli da de dem den denna deras dess det detta dig din du dar efter eller en er ett for " +
      "fran ha han hans har henne hennes hon honom hur han i icke in inte jag kan man med mellan men mig min " +
      "mot nar och om oss pa sedan sig sin ska som sa till under upp ut vad var varfor vem vi vid vilken",
  ),
};

const NO_STOP_WORDS: ReadonlySet<string> = new Set();

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(" ").map(foldText));
}

export function languagesWithStopWords(): string[] {
  return Object.keys(STOP_WORDS);
}

/** The folded stop words of a language. */
export function stopWordsOf(language: string): ReadonlySet<string> {
  return STOP_WORDS[baseLanguage(language)] ?? NO_STOP_WORDS;
}

/** Whether a word, folded or not, is a stop word. */
export function isStopWord(word: string, language = "en"): boolean {
  return stopWordsOf(language).has(foldText(word));
}
