import type { Texts } from "../english.ts";

export const GERMAN_DRAFT_TEXTS: Texts["draft"] = {
  heading: (type) => `Neu: ${type}`,
  title: "Titel",
  titleHint: "Bleibt er leer, werden es die ersten Wörter des Textes.",
  summary: "Zusammenfassung",
  summaryHint: "Ein oder zwei Sätze für Listen und Suchergebnisse, höchstens 300 Zeichen.",
  body: "Text",
  bodyHint:
    "Markdown: **fett**, *kursiv*, [Link](/adresse), ## Überschrift, > Zitat; eine leere Zeile für einen neuen Absatz, \\ am Ende einer Zeile für eine neue Zeile.",
  help: "Bilder, Filme, Dokumente und anderes",
  helpLines: [
    [
      '![Was es zeigt](/media/….jpg "Die Bildunterschrift")',
      "Ein Bild mit Unterschrift, allein in seinem Absatz.",
    ],
    [
      "![Eins](/media/….jpg)\n![Zwei](/media/….jpg)",
      "Eine Galerie: Bilder Zeile für Zeile, ohne leere Zeilen dazwischen.",
    ],
    [
      "[![Das Standbild](/media/….jpg)](/media/….mp4)",
      "Ein Film oder eine Aufnahme, zu der ein Bild führt.",
    ],
    [
      "[Protokoll vom Mai](/media/….pdf)",
      "Ein Dokument zum Herunterladen: PDF, Word, Excel, PowerPoint, LibreOffice oder ZIP.",
    ],
    ["| Name | Jahr |\n| --- | --- |\n| Ada | 1815 |", "Eine Tabelle."],
    ["- [x] erledigt", "Eine Aufgabenliste."],
    ["Otium\n: Muße.", "Ein Begriff und was er bedeutet."],
    ["Text[^1]\n\n[^1]: Die Anmerkung.", "Eine Fußnote."],
  ],
  more: "Adresse, Sprache und Termine",
  path: "Adresse",
  pathHint: "Leer lassen, um sie aus dem Titel zu bilden.",
  language: "Sprache",
  languageHint: "Zum Beispiel en, de oder pt-BR; leer: die Sprache der Website.",
  oneEach: "Eine Angabe je Zeile.",
  partialDate:
    "Jahr, Monat oder Tag: 1848, 1848-02 oder 1848-02-21; -0044 für 44 v. Chr., ~-0428 für um 428 v. Chr.",
  none: "Keine Angabe",
  yes: "Ja",
  no: "Nein",
  add: (label) => `Hinzufügen: ${label}`,
  addHint: "Titel oder Adresse, je Zeile eine Angabe.",
  unknown: "nicht gefunden",
  save: "Speichern",
  preview: "Ansehen",
  publish: "Veröffentlichen …",
  askReview: "Um Durchsicht bitten …",
  discard: "Entwurf verwerfen",
  saved: (when) => `Gespeichert: ${when} · noch nicht öffentlich`,
  by: (names) => `von ${names}`,
  notSaved: "Nicht gespeichert",
  saving: "Wird gespeichert …",
  unchanged: "Noch nichts geändert · die öffentliche Seite bleibt, wie sie ist",
  othersAdded: "Änderungen anderer wurden übernommen",
  footnoteText: "Quelle",
  pickHint:
    "Ein paar Buchstaben tippen und aus der Liste wählen; die Eingabetaste nimmt das Erste.",
  createNamed: (name) => `„${name}“ anlegen`,
  translationOf: "Übersetzung von",
  publishedAt: "Tag der Veröffentlichung",
  translations: "Andere Sprachen",
  openTranslation: "Öffnen",
  translate: "Übersetzung beginnen",
  keepMine: "Meine Fassung behalten, wie unten eingegeben",
  takeTheirs: "Die andere Fassung übernehmen",
  notDiscarded: (names: string) =>
    `Nicht verworfen: Der Entwurf wurde inzwischen gespeichert (${names}). So sieht er jetzt aus; soll er weg, verwerfen Sie ihn noch einmal.`,
  conflictHint: "Durchgestrichen: die andere Fassung. Unterstrichen: Ihre.",
  waiting:
    "Keine Verbindung. Das Geschriebene bleibt hier und wird gespeichert, sobald sie wieder da ist.",
  signIn:
    "Ihre Sitzung ist abgelaufen. Melden Sie sich in einem anderen Tab an; das Geschriebene bleibt hier.",
  stale: "Jemand anderes hat das geändert. Klicken Sie auf „Speichern“, um es zu sehen.",
  conflict: "Jemand anderes hat inzwischen geändert:",
  choose:
    "Jemand anderes hat dieselbe Stelle geändert. Wählen Sie unten, und speichern Sie noch einmal.",
  endedTitle: "Diesen Entwurf gibt es nicht mehr",
  ended: "Er wurde inzwischen veröffentlicht oder verworfen.",
  endedTyped: "Eingegeben, aber nicht gespeichert",
  endedItem: "Zur Seite",
  behind: "Diese Teile wurden auf der Website geändert, seit dieser Entwurf begonnen wurde:",
  ambiguous: (name) => `Mehrere heißen „${name}“. Bitte die Adresse angeben:`,
  tooMany: (count) => `Höchstens ${count} Verknüpfungen lassen sich auf einmal hinzufügen.`,
  unmatched: (name) => `Nichts heißt „${name}“.`,
};

export const GERMAN_PUBLISH_TEXTS: Texts["publish"] = {
  title: "Veröffentlichen",
  changes: "Was sich ändert",
  nothing: "Der Entwurf enthält nichts Neues.",
  newItem: "Das ist neu: Mit dem Veröffentlichen bekommt es eine eigene Adresse.",
  formerTitle: (title: string) =>
    `Im Titel steht noch der alte Wortlaut: „${title}“. Berichtigen Sie ihn im Entwurf ebenso, sonst steht er so über dem Zitat.`,
  problems: "Vor dem Veröffentlichen:",
  undatedNews: "Noch ohne Datum: Es bekommt das Datum des Tages, an dem es veröffentlicht wird.",
  undatedEvent:
    "Noch ohne Datum: Es steht weder bei dem, was bevorsteht, noch im Kalender. Steht das Datum fest, tragen Sie es im Entwurf ein.",
  now: "Jetzt veröffentlichen",
  at: "Später veröffentlichen, am",
  later: "Planen",
  back: "Zurück zum Entwurf",
  moves:
    "Texte verlinken die jetzige Adresse. War sie öffentlich, führt sie zur neuen weiter; besser ist es, die Links zu ändern.",
  also: "Zusammen damit veröffentlichen; es ist verknüpft und noch nicht öffentlich",
  takePublic: "Übernehmen, was jetzt öffentlich ist",
  settle: "Mit dieser Wahl weiter",
  savedMeanwhile: (names: string) =>
    `Der Entwurf wurde inzwischen gespeichert (${names}). Sehen Sie sich die Änderungen unten an, dann weiter.`,
  empty: "(leer)",
  unschedule: "Planung aufheben",
};

export const GERMAN_REVISION_CHANGES_TEXTS: Texts["versions"] = {
  changedThen: "Was sie geändert hat",
  changedSince: "Was sich seitdem geändert hat",
  same: "Es gibt keinen Unterschied.",
  back: "Zurück zur Seite",
};

/** Names of the buttons that insert Markdown. */
export const GERMAN_TOOLBAR_TEXTS: Texts["toolbar"] = {
  label: "Formatierung",
  heading: "Überschrift",
  bold: "Fett",
  italic: "Kursiv",
  link: "Link",
  quote: "Zitat",
  list: "Liste",
  numbers: "Nummerierte Liste",
  footnote: "Fußnote",
};
