import type { TypeTexts } from "../type-texts.ts";

const TOPICS = "Thèmes";
const QUOTATIONS = "Citations";
const AUTHORS = "Auteurs";
const WORKS = "Œuvres";

export const FRENCH_TYPES: Readonly<Record<string, TypeTexts>> = {
  page: {
    label: "Page",
    plural: "Pages",
    description:
      "Les pages de l’association\u00a0: qui elle est, comment la joindre, ce qu’elle conserve.",
    fields: { navigation: { label: "Place dans la navigation" } },
    relations: {
      topics: { label: TOPICS, inverse: "Pages" },
      authors: { label: AUTHORS, inverse: "Pages" },
    },
  },
  topic: {
    label: "Thème",
    plural: TOPICS,
    description: "Les sujets sous lesquels citations et œuvres sont réunies.",
    fields: { aliases: { label: "Autres noms" } },
    relations: {
      broader: { label: "Thèmes plus larges", inverse: "Thèmes plus précis" },
      see_also: { label: "Voir aussi" },
    },
  },
  author: {
    label: "Auteur",
    plural: AUTHORS,
    description: "Les personnes et groupes à qui des œuvres ou des citations sont attribuées.",
    fields: {
      sort_name: { label: "Classé à" },
      born: { label: "Naissance" },
      died: { label: "Mort" },
      aliases: { label: "Autres noms" },
      portrait: { label: "Portrait" },
      portrait_credit: { label: "Crédit du portrait" },
      same_as: { label: "Notices d’autorité" },
    },
  },
  work: {
    label: "Œuvre",
    plural: WORKS,
    description: "Les livres, essais, discours et autres œuvres d’où viennent les citations.",
    fields: {
      kind: {
        label: "Genre",
        values: {
          book: "livre",
          essay: "essai",
          speech: "discours",
          letter: "lettre",
          article: "article",
          poem: "poème",
          scripture: "texte sacré",
          other: "autre",
        },
      },
      year: { label: "Année", description: "Année de la première publication." },
      original_language: { label: "Langue originale" },
      publisher: { label: "Éditeur" },
      isbn: { label: "ISBN" },
      source_url: { label: "Source" },
      licence: { label: "Licence" },
    },
    relations: {
      authors: { label: AUTHORS, inverse: WORKS },
      part_of: { label: "Partie de", inverse: "Parties" },
      topics: { label: TOPICS, inverse: WORKS },
    },
  },
  quotation: {
    label: "Citation",
    plural: QUOTATIONS,
    description: "Des passages dans les mots de leur auteur, avec le lieu d’où ils viennent.",
    fields: {
      locator: { label: "Passage" },
      position: {
        label: "Position",
        description:
          "Numéro du passage dans l’œuvre. S’il est indiqué, il décide de l’ordre dans l’œuvre.",
      },
      year: { label: "Année" },
      verification: {
        label: "Vérification",
        values: {
          verified: "vérifiée",
          attributed: "attribuée",
          disputed: "contestée",
          misattributed: "attribuée à tort",
        },
      },
      featured: { label: "Choix de la rédaction" },
      original_text: { label: "Texte original" },
      translator: { label: "Traduction" },
    },
    relations: {
      authors: { label: AUTHORS, inverse: QUOTATIONS },
      work: { label: "Œuvre", inverse: QUOTATIONS },
      topics: { label: TOPICS, inverse: QUOTATIONS },
    },
  },
};
