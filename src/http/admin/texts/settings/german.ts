import type { ENGLISH_LANGUAGES_TEXTS, ENGLISH_SETTINGS_TEXTS } from "./english.ts";

export const GERMAN_SETTINGS_TEXTS: typeof ENGLISH_SETTINGS_TEXTS = {
  title: "Einstellungen",
  name: "Name der Website",
  description: "Worum es geht, in einem Satz",
  language: "Hauptsprache",
  languageHint:
    "Mit ihrem Namen, zum Beispiel Deutsch, oder als Kürzel wie de-AT für Deutsch in Österreich.",
  otherLanguage: (count, language) =>
    `${count} ${count === "1" ? "Inhalt gilt" : "Inhalte gelten"} noch als ${language}. Liegt das nur an der bisherigen Hauptsprache, berichtigen Sie es hier.`,
  relabel: (language) => `Alle als ${language} kennzeichnen`,
  timeZone: "Zeitzone",
  timeZoneHint:
    "Sie entscheidet, wann veröffentlicht wird und welcher Tag ist; zum Beispiel Europe/Vienna.",
  whenToUse: "Wofür sie nützlich ist",
  whenToUseHint: "Das lesen Agenten, die recherchieren. Ein Zweck je Zeile.",
  email: "E-Mail-Adresse der Redaktion",
  licence: "Lizenz der eigenen Texte",
  licenceHint: "Zum Beispiel CC BY 4.0. Sie wird am Ende jeder Seite genannt.",
  licenceUrl: "Adresse der Lizenz",
  retention: "Wie lange Daten aufbewahrt werden, in Tagen",
  retentionHint: "Ihre Datenschutzseite nennt diese Fristen: Ändern Sie sie auch dort.",
  messageDays: "Nachrichten und Schlüsselanfragen, nach der letzten Änderung",
  statisticsDays: "Wonach gesucht und was gelesen wurde, nach Tagen",
  isOpen: "Die Website ist geöffnet",
  isHidden: "Die Website ist verborgen",
  openHint:
    "Alle sehen, was veröffentlicht ist. Ist sie verborgen, lesen Besucher und Agenten nur, dass sie bald öffnet.",
  hiddenHint:
    "Besucher und Agenten lesen nur, dass sie bald öffnet. Sie selbst sehen sie unter „Zur Website“.",
  open: "Website öffnen",
  hide: "Website verbergen",
  save: "Speichern",
};

export const GERMAN_LANGUAGES_TEXTS: typeof ENGLISH_LANGUAGES_TEXTS = {
  title: "Sprachen",
  about:
    "Jede Sprache hat ihre eigene Startseite, eigene Listen, Navigation und Suche. Inhalte werden einzeln übersetzt, in ihren Entwürfen.",
  main: (language) => `Die Hauptsprache ist ${language}. Sie ändern sie unter`,
  variant:
    "Inhalte können in ihr verfasst sein; sie stehen in den Listen der Sprache, deren Variante sie ist.",
  emptyHint: "Was Sie leer lassen, erscheint wie in der Hauptsprache.",
  add: "Weitere Sprache",
  addButton: "Diese Sprache hinzufügen",
  save: (language) => `Texte in ${language} speichern`,
  remove: (language) => `${language} von der Website entfernen`,
  removeHint:
    "Ihre Startseite und Listen entfallen; Inhalte in ihr bleiben öffentlich und stehen dann in den Listen der Hauptsprache. Diese Texte bleiben erhalten, falls Sie die Sprache wieder hinzufügen.",
  ofLanguage: (label, language) => `${label} (${language})`,
};
