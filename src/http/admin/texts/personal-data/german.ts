import type { ENGLISH_PERSONAL_DATA_TEXTS } from "./english.ts";

export const GERMAN_PERSONAL_DATA_TEXTS: typeof ENGLISH_PERSONAL_DATA_TEXTS = {
  title: "Personenbezogene Daten",
  hint: "Wenn jemand Auskunft über die eigenen Daten oder deren Löschung verlangt. Die Adresse wird nicht protokolliert.",
  email: "E-Mail-Adresse der Person",
  find: "Zeigen, was gespeichert ist",
  kept: "Unter dieser Adresse gespeichert",
  nothing: "Unter dieser Adresse ist nichts gespeichert.",
  messages: (count: string) => `Nachrichten: ${count}`,
  keyRequests: (count: string) => `Schlüsselanfragen: ${count}`,
  keys: (count: string) => `Schlüssel: ${count}`,
  mails: (count: string) => `Wartende oder gesendete Mails: ${count}`,
  account: (role: string) => `Ein Konto (${role})`,
  siteContact:
    "Die Website nennt diese Adresse als Kontakt, auch auf ihren Seiten; das ändern Sie in den Einstellungen.",
  download: "Alles herunterladen",
  erase: "Alles löschen",
  eraseHint:
    "Nachrichten und Mails werden gelöscht. Schlüssel werden widerrufen, das Konto wird geschlossen; beide bleiben ohne Namen, weil andere Einträge auf sie verweisen. Das lässt sich nicht rückgängig machen. Sicherungen enthalten die Daten, bis Sie sie löschen, und veröffentlichte Texte bleiben.",
  again: "Adresse noch einmal eingeben",
  differs: "Die beiden Adressen unterscheiden sich: Nichts wurde gelöscht",
  erased: "Gelöscht",
  erasedHint: "Was unter dieser Adresse gespeichert war, ist gelöscht.",
};
