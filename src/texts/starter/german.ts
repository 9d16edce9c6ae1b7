import type { StarterTexts } from "./english.ts";

export const GERMAN_STARTER: StarterTexts = {
  language: "de",
  site: {
    name: "Neue Website",
    description: "Eine Website, die gerade eingerichtet wurde und noch nicht beschrieben ist.",
    purpose: "sehen, was dieser Verein veröffentlicht",
  },
  withSiteName: {
    description: (name) => `Was ${name} veröffentlicht, für Menschen und für Rechercheagenten.`,
    home: (name) => `Das ist die Website von ${name}. Sie wurde gerade eingerichtet.`,
  },
  home: {
    title: "Neue Website",
    summary: "Diese Website wurde gerade eingerichtet.",
    body: "Hier wird die Redaktion sagen, wozu die Website da ist. Lesen Sie [über uns](/ueber-uns), oder [schreiben Sie uns](/contact).",
  },
  about: {
    path: "/ueber-uns",
    title: "Über uns",
    summary: "Wer diese Website veröffentlicht.",
    body: "Hier wird die Redaktion sagen, wer sie ist und wie sie arbeitet.",
  },
  contact: {
    title: "Kontakt",
    summary: "Wie man die Redaktion erreicht und einen Schlüssel zum MCP-Dienst beantragt.",
    body: "Hier wird die Redaktion sagen, wer liest, was Sie schreiben. Zum Lesen braucht man keinen Schlüssel; Rechercheagenten, die über den MCP-Dienst suchen wollen, brauchen einen. Nutzen Sie die Formulare unten.",
  },
  privacy: {
    path: "/datenschutz",
    title: "Datenschutz",
    summary: "Was die Website über Besucher speichert.",
    body: "Diese Website setzt keine Cookies und führt in Ihrem Browser keine Skripte aus. Der Server kann ein Protokoll der Anfragen führen, um Fehler und Missbrauch zu finden. Die Wörter von Suchen werden nach Tagen gezählt, ohne etwas, das verrät, wer gesucht hat, und 90 Tage aufbewahrt.\n\nWas Sie mit den Formularen auf [der Kontaktseite](/contact) senden, wird aufbewahrt, damit es beantwortet werden kann: Ihr Name, Ihre E-Mail-Adresse und Ihre Nachricht, oder was Sie über Ihre Organisation und Ihr Vorhaben mitteilen, wenn Sie einen Schlüssel beantragen. Ein Jahr nachdem zuletzt damit gearbeitet wurde, wird es gelöscht. Bekommen Sie einen Schlüssel, bleiben Ihr Name, Ihre Adresse und Ihr Vorhaben bei ihm. Ihre Netzwerkadresse wird eine Stunde im Arbeitsspeicher gehalten, um Missbrauch abzuwehren.",
  },
  imprint: {
    path: "/impressum",
    title: "Impressum",
    summary: "Wer für diese Website verantwortlich ist.",
    body: "Name des Vereins  \nStraße und Hausnummer  \nPostleitzahl und Ort\n\nVertreten durch: …  \nE-Mail: …  \nRegister und Nummer: …\n\nVerantwortlich für den Inhalt: …",
  },
  accessibility: {
    path: "/barrierefreiheit",
    title: "Erklärung zur Barrierefreiheit",
    summary: "Wie weit alle diese Website nutzen können und wem man Barrieren meldet.",
    body: "Diese Erklärung wurde am … nach einer Prüfung durch … erstellt.\n\n## Was geht\n\nDie Seiten brauchen keine Skripte, lassen sich mit der Tastatur bedienen, folgen den Farben und Schriftgrößen Ihres Geräts und nennen die Sprache jedes Textes.\n\n## Was nicht geht\n\nNennen Sie hier, was Ihnen bekannt ist, etwa Bilder ohne Alternativtext oder Dokumente, die sich nicht vorlesen lassen.\n\n## Schreiben Sie uns\n\nWenn Ihnen etwas im Weg ist, [schreiben Sie uns](/contact); wir antworten innerhalb von …. Wenn nicht, können Sie sich an … wenden.",
  },
};
