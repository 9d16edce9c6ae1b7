import type { TypeTexts } from "../type-texts.ts";

const YEAR = { label: "Jahr" };
const TOPICS = "Themen";
const QUOTATIONS = "Zitate";
const AUTHORS = "Urheber";

export const GERMAN_TYPES: Readonly<Record<string, TypeTexts>> = {
  page: {
    label: "Seite",
    plural: "Seiten",
    description: "Seiten des Vereins: wer er ist, wie man ihn erreicht, was er speichert.",
    fields: {
      navigation: {
        label: "Platz in der Navigation",
        description: "Seiten mit einer Zahl stehen in der Navigation, die kleinste zuerst.",
      },
    },
    relations: {
      topics: { label: TOPICS, inverse: "Seiten" },
      authors: { label: "Von", inverse: "Seiten" },
    },
  },
  topic: {
    label: "Thema",
    plural: TOPICS,
    description: "Wozu Zitate und Werke gesammelt sind.",
    fields: { aliases: { label: "Auch genannt" } },
    relations: {
      broader: { label: "Übergeordnete Themen", inverse: "Untergeordnete Themen" },
      see_also: { label: "Siehe auch" },
    },
  },
  author: {
    label: "Person",
    plural: "Personen",
    description: "Personen und Gruppen, denen Werke oder Zitate zugeschrieben werden.",
    fields: {
      sort_name: {
        label: "Sortiert unter",
        description: "Der Name, wie ihn ein Register führt: Familienname zuerst.",
      },
      born: { label: "Geboren" },
      died: { label: "Gestorben" },
      aliases: { label: "Auch bekannt als" },
      portrait: {
        label: "Porträt",
        description: "Die Adresse eines Bildes dieser Website, als /media/….jpg.",
      },
      portrait_credit: {
        label: "Bildnachweis des Porträts",
        description: "Von wem das Bild ist und unter welcher Lizenz es gezeigt wird.",
      },
      same_as: {
        label: "Normdaten",
        description: "Adressen von Normdatensätzen, die dieselbe Person beschreiben.",
      },
    },
  },
  work: {
    label: "Werk",
    plural: "Werke",
    description: "Bücher, Essays, Reden und andere Werke, aus denen die Zitate stammen.",
    fields: {
      kind: {
        label: "Art",
        values: {
          book: "Buch",
          essay: "Essay",
          speech: "Rede",
          letter: "Brief",
          article: "Artikel",
          poem: "Gedicht",
          scripture: "Heilige Schrift",
          other: "Sonstiges",
        },
      },
      year: { label: "Jahr", description: "Jahr der Erstveröffentlichung, vor Christus negativ." },
      original_language: { label: "Originalsprache" },
      publisher: { label: "Verlag" },
      isbn: { label: "ISBN" },
      source_url: { label: "Quelle" },
      licence: { label: "Lizenz" },
    },
    relations: {
      authors: { label: AUTHORS, inverse: "Werke" },
      part_of: { label: "Teil von", inverse: "Teile" },
      topics: { label: TOPICS, inverse: "Werke" },
    },
  },
  quotation: {
    label: "Zitat",
    plural: QUOTATIONS,
    description: "Stellen in den Worten ihrer Urheber, mit dem Ort, von dem sie stammen.",
    fields: {
      locator: {
        label: "Stelle",
        description: "Wo es im Werk steht: Kapitel, Seite, Vers.",
      },
      position: {
        label: "Position",
        description:
          "Nummer der Stelle im Werk. Wo sie angegeben ist, bestimmt sie die Reihenfolge im Werk.",
      },
      year: YEAR,
      verification: {
        label: "Beleg",
        description: "Wie weit die Zuschreibung an einer Quelle geprüft ist.",
        values: {
          verified: "belegt",
          attributed: "zugeschrieben",
          disputed: "umstritten",
          misattributed: "falsch zugeschrieben",
        },
      },
      featured: {
        label: "Auswahl der Redaktion",
        description: "Steht in den Listen, zu denen es gehört, vorn.",
      },
      original_text: { label: "Originaltext" },
      translator: { label: "Übersetzt von" },
    },
    relations: {
      authors: { label: AUTHORS, inverse: QUOTATIONS },
      work: { label: "Werk", inverse: QUOTATIONS },
      topics: { label: TOPICS, inverse: QUOTATIONS },
    },
  },
};
