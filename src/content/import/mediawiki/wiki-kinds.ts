import type { Wording } from "../../../errors.ts";

/**
 * Kinds of wiki pages that are not imported as content, each with the explanation in the report.
 */
export const OMITTED_WIKI_POST_TYPES: Readonly<Record<string, Wording>> = {
  "wiki hidden": {
    en: "their latest version was hidden from readers",
    de: "ihre letzte Fassung war vor Leserinnen und Lesern verborgen",
  },
  "wiki redirect": {
    en: "they lead to pages that are not in the export",
    de: "sie führen zu Seiten, die nicht im Export sind",
  },
  "wiki talk": { en: "discussions", de: "Diskussionen" },
  "wiki user": { en: "personal pages of users", de: "Seiten von Benutzern" },
  "wiki system": { en: "settings and texts of the software", de: "Einstellungen der Software" },
  "wiki template": {
    en: "their texts are put in place",
    de: "ihr Text steht dort, wo sie benutzt werden",
  },
  "wiki file": {
    en: "pages about files: what they say of authors and licences has to be taken over by hand",
    de: "Seiten über Dateien: Was dort zu Urhebern und Lizenzen steht, ist von Hand zu übernehmen",
  },
  "wiki code": { en: "programs and data", de: "Programme und Daten" },
};
