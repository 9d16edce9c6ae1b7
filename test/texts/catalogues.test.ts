import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { parseTypeFile } from "../../src/content/import/site-file.ts";
import { BUILT_IN_TYPES } from "../../src/content/types/built-in.ts";
import type { ContentType } from "../../src/content/types/content-type.ts";
import { READY_TYPE_TEXTS } from "../../src/texts/ready-types.ts";
import { ARABIC_SITE_TEXTS } from "../../src/texts/site/arabic.ts";
import { CHINESE_SITE_TEXTS } from "../../src/texts/site/chinese.ts";
import { ENGLISH_SITE_TEXTS } from "../../src/texts/site/english.ts";
import { FRENCH_SITE_TEXTS } from "../../src/texts/site/french.ts";
import { GERMAN_SITE_TEXTS } from "../../src/texts/site/german.ts";
import { HEBREW_SITE_TEXTS } from "../../src/texts/site/hebrew.ts";
import { SITE_TEXT_LANGUAGES, siteTexts } from "../../src/texts/site/site-texts.ts";
import { SPANISH_SITE_TEXTS } from "../../src/texts/site/spanish.ts";
import { FRENCH_STARTER } from "../../src/texts/starter/french.ts";
import type { TypeTexts } from "../../src/texts/type-texts.ts";

const CATALOGUES = [
  GERMAN_SITE_TEXTS,
  FRENCH_SITE_TEXTS,
  SPANISH_SITE_TEXTS,
  ARABIC_SITE_TEXTS,
  HEBREW_SITE_TEXTS,
  CHINESE_SITE_TEXTS,
];

/** The names of all texts, as `frame.skip`. */
function namesIn(catalogue: object): string[] {
  return Object.entries(catalogue).flatMap(([name, value]) => {
    if (name === "types") return [];
    return typeof value === "object" && value !== null
      ? Object.keys(value).map((own) => `${name}.${own}`)
      : [name];
  });
}

/** What of a type has no name in a language. */
function unnamedIn(type: ContentType, names: TypeTexts | undefined): string[] {
  if (names === undefined) return [type.name];
  const fields = Object.entries(type.fields).flatMap(([name, { values = [] }]) => {
    const named = names.fields?.[name];
    if (named === undefined) return [`${type.name}.${name}`];
    const unnamed = values.filter((value) => named.values?.[value] === undefined);
    return unnamed.map((value) => `${type.name}.${name}: ${value}`);
  });
  const relations = Object.entries(type.relations).flatMap(([name, { inverse }]) => {
    const named = names.relations?.[name];
    const isWhole = named !== undefined && (inverse === undefined || named.inverse !== undefined);
    return isWhole ? [] : [`${type.name}.${name}`];
  });
  return [...fields, ...relations];
}

it("speaks seven languages", () => {
  assert.deepEqual(SITE_TEXT_LANGUAGES, ["en", "de", "fr", "es", "ar", "he", "zh"]);
  assert.equal(siteTexts("de-AT").frame.home, "Startseite");
  assert.equal(siteTexts("el").frame.home, "Home", "there is no catalogue in Greek");
});

it("keeps French colons, semicolons and question marks on the line of their word", () => {
  const texts = JSON.stringify([FRENCH_SITE_TEXTS, FRENCH_STARTER]);
  assert.deepEqual(texts.match(/[^"]{0,20} [:;?!](?=[\s"\\])/g), null);
});

for (const catalogue of CATALOGUES) {
  describe(`the catalogue in ${catalogue.language}`, () => {
    it("has every text, and no other", () => {
      assert.deepEqual(namesIn(catalogue).sort(), namesIn(ENGLISH_SITE_TEXTS).sort());
    });

    it("names all of the built-in types", () => {
      const unnamed = BUILT_IN_TYPES.flatMap((type) => unnamedIn(type, catalogue.types[type.name]));
      assert.deepEqual(unnamed, []);
    });
  });
}

it("lowers only the ordinary words of a name within a sentence", () => {
  const { search, list, countOf } = siteTexts("en");
  assert.equal(search.all("Press Releases", 2), "All 2 press releases");
  assert.equal(search.all("FAQs of McDonald", 2), "All 2 FAQs of McDonald");
  assert.equal(list.empty("Q&A"), "No Q&A yet.");
  assert.equal(countOf(1, { one: "FAQ entry", other: "FAQ entries" }), "1 FAQ entry");
  assert.equal(siteTexts("fr").calendar.past("Éditions TEI"), "Passé\u00a0: éditions TEI");
  assert.equal(siteTexts("es").home.newest("Vídeos y DVD"), "Lo más reciente: vídeos y DVD");
});

for (const kind of ["event", "news"] as const) {
  it(`names all of the ready-made type ${kind} in every language, as its file does`, () => {
    const file = join(import.meta.dirname, `../../demo/types/${kind}.yaml`);
    const { value: type } = parseTypeFile(readFileSync(file, "utf8"));
    assert(type !== null);
    const { en, ...others } = READY_TYPE_TEXTS[kind];
    assert.deepEqual(Object.keys(READY_TYPE_TEXTS[kind]), SITE_TEXT_LANGUAGES);
    const { label, plural, description } = type;
    assert.deepEqual([label, plural, description], [en.label, en.plural, en.description]);
    for (const [language, names] of [["en", en] as const, ...Object.entries(others)]) {
      assert.deepEqual(unnamedIn(type, names), [], language);
      const described = Object.entries(en.fields ?? {}).filter(([, each]) => each.description);
      for (const [name] of described) assert(names.fields?.[name]?.description, language);
    }
    for (const [language, { relations, ...names }] of Object.entries(others)) {
      const topics = relations?.["topics"];
      assert.deepEqual(type.translations?.[language], { ...names, relations: { topics } });
    }
  });
}

it("writes dates, numbers and lists as each language does", () => {
  const day = { year: 1850, month: 3, day: 3 };
  const written = SITE_TEXT_LANGUAGES.map((language) => siteTexts(language).date(day));
  assert.deepEqual(written, [
    "3 March 1850",
    "3. März 1850",
    "3 mars 1850",
    "3 de marzo de 1850",
    "3 مارس 1850",
    "3 במרץ 1850",
    "1850年3月3日",
  ]);
  const evening = ["2026-12-12T18:00Z", "2026-12-12T20:00Z"].map((iso) => new Date(iso));
  const [first = new Date(0), last = null] = evening;
  const terms = { timeZone: "Europe/Berlin", isWholeDay: false };
  const periods = SITE_TEXT_LANGUAGES.map((language) =>
    siteTexts(language).period(first, last, terms),
  );
  assert.deepEqual(periods, [
    "Sat, 12 December 2026, 19:00–21:00",
    "Sa., 12. Dezember 2026, 19:00–21:00 Uhr",
    "sam. 12 décembre 2026, 19:00 – 21:00",
    "sáb, 12 de diciembre de 2026, 19:00–21:00",
    "السبت، 12 ديسمبر 2026، 7:00–9:00 م",
    "שבת, 12 בדצמבר 2026, 19:00–21:00",
    "2026/12/12周六 19:00–21:00",
  ]);
  const [, german] = SITE_TEXT_LANGUAGES.map((language) => siteTexts(language));
  assert.match(german?.period(first, null, terms) ?? "", /19:00 Uhr$/);
  assert.doesNotMatch(german?.period(first, null, { ...terms, isWholeDay: true }) ?? "", /Uhr/);
  const news = { one: "News item", other: "News" };
  const counts = SITE_TEXT_LANGUAGES.map((language) => siteTexts(language).countOf(2, news));
  assert.deepEqual(counts, [
    ...["2 news items", "News: 2", "News\u00a0: 2", "News: 2", "News: 2", "News: 2", "News：2"],
  ]);
  assert.equal(siteTexts("en").countOf(1, news), "1 news item");
  assert.equal(siteTexts("de").date({ year: -44 }), "44 v. Chr.");
  assert.equal(siteTexts("de").date({ year: -44, month: 3 }), "März 44 v. Chr.");
  assert.equal(siteTexts("de").list.range(1201, 1225), "1.201 bis 1.225.");
  assert.equal(siteTexts("ar").search.items(2), "مادتان");
  assert.equal(
    siteTexts("fr").item.attributed(["A", "B", "C"]),
    "Attribuée à A, B et C, non vérifiée.",
  );
});
