import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { SearchQuery } from "../../src/content/library.ts";
import { openReading, type ReadingStore } from "../support/reading-store.ts";

const MATCH_START = "\u0002";
const MATCH_END = "\u0003";

const TEXTS: Readonly<Record<string, string>> = {
  en: "The members gathered in the libraries and read old letters aloud.",
  de: "Die Mitglieder schätzten alte Freundschaften und besuchten viele Häuser in den Städten.",
  fr: "Les amitiés véritables naissent lentement ; on cherchait des chevaux près des églises.",
  es: "Las amistades verdaderas nacen de las conversaciones y de la educación de los niños; venían y se quedarán, diciéndole la verdad.",
  it: "Le amicizie sincere nascono lentamente nelle biblioteche delle città antiche.",
  nl: "De vrienden van de schrijvers woonden lang in kleine huizen.",
  pt: "As amizades verdadeiras nascem devagar e as nações aprendem com as conversas.",
  ru: "Настоящая дружба рождается медленно, и друзья читают старые книги в библиотеках.",
  sv: "Vänskaperna mellan författarna växte långsamt i de gamla husen.",
  da: "Venskaberne mellem forfatterne voksede langsomt i de gamle huse.",
  no: "Vennskapene mellom forfatterne vokste sakte i de gamle husene.",
  fi: "Kirjailijoiden ystävyydet kasvoivat hitaasti vanhoissa taloissa.",
  zh: "协会收集关于友谊和时间的名言，并免费出版。",
  ja: "協会は友情と時間についての名言を集めています。東京タワーで会いましょう。",
  ko: "협회는 우정과 시간에 대한 명언을 모읍니다.",
  th: "สมาคมรวบรวมคำคมเกี่ยวกับมิตรภาพและเวลา",
  he: "החברה אוספת אמרות על ידידות ועל זמן.",
  fa: "انجمن گفته‌هایی دربارهٔ دوستی و زمان گرد می‌آورد.",
  ar: "يبقى الكتاب خير صديق، والصداقة كنز للحياة.",
  el: "Ο σύλλογος συγκεντρώνει ρητά για τη φιλία και τον χρόνο.",
  bg: "Приятелството расте бавно над старите книги на отворената свободна библиотека.",
  hu: "A barátságok lassan nőnek a könyvtárakban.",
  id: "Persahabatan tumbuh pelan bersama pembaca.",
  lt: "Draugystė lėtai auga prie senų knygų.",
  ro: "Prieteniile se nasc încet între cărți.",
  sr: "Пријатељство полако расте уз старе књиге.",
  tr: "Dostluk, eski kitapların arasında yavaşça büyür.",
  uk: "Дружба повільно росте над старими книгами.",
};

/** Typical queries: inflected forms, missing accents, two characters of many. */
const QUESTIONS: Readonly<Record<string, readonly string[]>> = {
  en: ["library member", "gathering"],
  de: ["Freundschaft", "haus", "stadt", "schätzen", "HÄUSERN"],
  fr: ["amitié", "amitie", "cheval", "chercher", "eglise"],
  es: [
    "amistad verdadera",
    "conversación",
    "conversacion",
    "educacion",
    "niño",
    "nino",
    "venian",
    "quedaran",
    "diciendole",
  ],
  it: ["amicizia", "biblioteca", "citta"],
  nl: ["vriend", "schrijver", "klein"],
  pt: ["amizade", "conversa", "verdadeira"],
  ar: ["كتاب", "الكتاب", "صداقة", "حياة"],
  ru: ["дружбы", "книга", "библиотека", "КНИГИ"],
  sv: ["vänskap", "vanskap", "författare", "hus"],
  da: ["venskab", "forfatter"],
  no: ["vennskap", "hus"],
  fi: ["talossa", "hidas talo"],
  zh: ["友谊", "时间", "名言", "谊"],
  ja: ["友情", "時間", "東京", "タワー"],
  ko: ["우정", "시간", "명언"],
  th: ["มิตรภาพ", "เวลา"],
  he: ["ידידות", "זמן"],
  fa: ["دوستی", "زمان"],
  el: ["φιλια", "φιλίας", "χρόνο", "ΣΥΛΛΟΓΟΥ"],
  bg: ["приятелство", "стара книга", "отворен", "свободен"],
  hu: ["könyvtár", "barátság"],
  id: ["membaca", "sahabat"],
  lt: ["knygos", "draugystės"],
  ro: ["prietenia", "carte"],
  sr: ["пријатељства", "knjiga"],
  tr: ["kitaplar", "dostluğu"],
  uk: ["дружби", "книгу"],
};

function withTexts(): ReadingStore {
  const store = openReading();
  for (const [language, body] of Object.entries(TEXTS)) {
    store.put("page", `/${language}`, { title: `Page ${language}`, body, language });
  }
  return store;
}

async function search(store: ReadingStore, text: string, more: Partial<SearchQuery> = {}) {
  const whole = { types: [], filters: [], links: [], limit: 10, offset: 0 };
  return await store.reading.search({ ...whole, text, ...more });
}

describe("searching in many languages", () => {
  it("finds other forms of a word in its own language, with or without a language filter", async () => {
    using store = withTexts();
    for (const [language, questions] of Object.entries(QUESTIONS)) {
      for (const text of questions) {
        for (const more of [{}, { language }]) {
          const { hits, correctedText } = await search(store, text, more);
          const found = hits.find(({ path }) => path === `/${language}`);
          assert(
            found,
            `${language}: ${text} finds ${hits.map(({ path }) => path)} ${correctedText}`,
          );
          assert(found.snippet.includes(MATCH_START), `${language}: ${text}`);
        }
      }
    }
  });

  it("finds text with points, vowel signs or elided articles by queries without them", async () => {
    using store = withTexts();
    store.put("page", "/he", { title: "סְפָרִים", language: "he" });
    store.put("page", "/ar", { title: "كِتَابٌ عَنِ الصَّدَاقَةِ", language: "ar" });
    store.put("page", "/well", { title: "Well" });
    const page = await search(store, "l'importanza dell'amicizia", { language: "it" });
    assert.deepEqual([page.hits[0]?.path, page.correctedText], ["/it", null]);
    for (const [text, path] of [
      ["ספרים", "/he"],
      ["סְפָרִים", "/he"],
      ["كتاب", "/ar"],
      ["كِتاب الصداقة", "/ar"],
    ] as const) {
      const { hits, correctedText } = await search(store, text);
      assert.deepEqual([hits[0]?.path, correctedText], [path, null], text);
    }
  });

  it("corrects to words of the searched items alone, and to no word far from the typed one", async () => {
    using store = openReading();
    const texts = [
      ["/en", "en", "We love a brave musician. They marginalized the harvest."],
      ["/de", "de", "Wer dafür einsteht, wird die Musikanten hören."],
    ] as const;
    for (const [path, language, body] of texts) {
      store.put("page", path, { title: "X", language, body });
    }
    for (const [text, only, corrected] of [
      ["einstein", {}, null],
      ["love einstein", {}, null],
      ["martin luther", {}, null],
      ["Musikanted", {}, "Musikanten"],
      ["musikanted", { notLanguages: ["de"] }, null],
      ["musicain", { notLanguages: ["de"] }, "musician"],
    ] as const) {
      assert.equal((await search(store, text, only)).correctedText, corrected, text);
    }
  });

  it("corrects no words of a language that the site does not have, but names", async () => {
    using store = openReading();
    store.put("page", "/armor", { title: "Armor", body: "Love is the armor of Seneca." });
    for (const [text, corrected] of [
      ["frases sobre el amor", null],
      ["frases sobre el Senecca", "frases sobre el Seneca"],
      ["quotes about the amor", "quotes about the armor"],
    ] as const) {
      assert.equal((await search(store, text)).correctedText, corrected, text);
    }
    assert.equal((await search(store, "frases sobre el amor")).total, 0);
  });

  it("highlights whole words in scripts with spaces and the matching characters in others", async () => {
    using store = withTexts();
    const marked = async (text: string) => {
      const [hit] = (await search(store, text)).hits;
      const pieces = hit?.snippet.split(MATCH_START).slice(1) ?? [];
      return pieces.map((piece) => piece.slice(0, piece.indexOf(MATCH_END)));
    };
    assert.deepEqual(await marked("freundschaft haus"), ["Freundschaften", "Häuser"]);
    assert.deepEqual(await marked("библиотека"), ["библиотеках"]);
    assert.deepEqual(await marked("友谊和时间"), ["友谊和时间"]);
    assert.deepEqual(await marked("東京"), ["東京"]);
    assert.deepEqual(await marked("amitie*"), ["amitiés"]);
  });

  it("finds lines of another language than the site's, and says that they are close", async () => {
    using store = withTexts();
    for (const text of [
      '"schätzten alte Freundschaften und besuchten"',
      '"naissent lentement ; on cherchait des chevaux"',
      '"nacen de las conversaciones y"',
      "Freundschaften und besuchten viele Häuser",
      "Mitglieder schätzten alte Freundschaften umd besuchten viele Häuser",
    ]) {
      const { hits, closeness } = await search(store, text);
      assert.equal(closeness, "close", text);
      assert.match(hits[0]?.path ?? "", /^\/(de|fr|es)$/, text);
    }
  });

  it("finds lines without spaces that lack a character, and calls others distant", async () => {
    using store = withTexts();
    for (let place = 0; place < 30; place += 1) {
      const body = "协会收集。友谊和时间。";
      store.put("page", `/zh/${place}`, { title: `Page ${place}`, body, language: "zh" });
    }
    const lacking = await search(store, "协会收集关友谊和时间");
    assert.deepEqual([lacking.hits[0]?.path, lacking.closeness], ["/zh", "close"]);
    assert.equal((await search(store, "证书颁发机构的域名验证")).closeness, "distant");
  });

  it("ignores soft hyphens", async () => {
    using store = withTexts();
    const { hits, correctedText } = await search(store, "li\u00adbrar\u00adies");
    assert.deepEqual([hits[0]?.path, correctedText], ["/en", null]);
  });

  it("detects the language of a query by its stop words", async () => {
    using store = withTexts();
    store.put("page", "/mann", {
      title: "Der Mann",
      body: "Was er mit dem Hut macht",
      language: "de",
    });
    store.put("page", "/die", { title: "They die", body: "Men die young", language: "en" });
    const paths = async (text: string, more: Partial<SearchQuery> = {}) =>
      (await search(store, text, more)).hits.map(({ path }) => path);
    assert.deepEqual(await paths("was ist mit der Freundschaft"), ["/de"]);
    assert.deepEqual(await paths("die young"), ["/die"]);
    assert.deepEqual(await paths("die Freundschaft", { language: "de" }), ["/de"]);
  });

  it("supports phrases and exclusions in every language", async () => {
    using store = withTexts();
    const paths = async (text: string) => (await search(store, text)).hits.map(({ path }) => path);
    assert.deepEqual(await paths('"alte Freundschaft"'), ["/de"]);
    assert.deepEqual(await paths('"关于友谊"'), ["/zh"]);
    assert.deepEqual(await paths('"友谊关于"'), []);
    assert.deepEqual(await paths("时间 -友谊"), []);
    assert.deepEqual(await paths("名言 -友谊"), ["/ja"]);
    assert.deepEqual(await paths('forfatter -"gamle hus"'), []);
  });

  it("finds places by Arabic and Roman numerals", async () => {
    using store = openReading();
    store.put("page", "/four", { title: "Of change", body: "Book IV, chapter 12" });
    store.put("page", "/six", { title: "Of rest", body: "Book VI, chapter 2" });
    const found = async (text: string) => (await search(store, text)).hits.map(({ path }) => path);
    assert.deepEqual(await found("change book 4"), ["/four", "/six"]);
    assert.deepEqual(await found("4"), ["/four"]);
    assert.deepEqual(await found("chapter XII"), ["/four", "/six"]);
  });
});
