import type { ENGLISH_TYPES_TEXTS } from "./english.ts";

export const GERMAN_TYPES_TEXTS: typeof ENGLISH_TYPES_TEXTS = {
  title: "Inhaltstypen",
  hint: "Ein Inhaltstyp ist eine Sorte von Inhalten, etwa Zitat oder Termin. Er bestimmt, was Sie beim Schreiben ausfüllen können und in welcher Liste der Website ein Inhalt erscheint. Seite, Thema, Person, Werk und Zitat sind von Anfang an da; was Ihr Verein sonst noch sammelt, legen Sie unten an.",
  filesHint:
    "Für Websites, die als Ordner mit Dateien gepflegt werden: Jeder Typ ist dort eine Datei im Ordner types/. Wird ein solcher Ordner importiert, ersetzen seine Typen die hier angelegten.",
  technical: "Technisches",
  add: "Inhaltstyp anlegen",
  addHint:
    "Für alles, wovon Ihr Verein mehreres hat: Termine, Neuigkeiten, Vorhaben, Rezepte. Jeder bekommt eine eigene Liste, ein Formular hier und Filter.",
  newKind: "Art der Inhalte",
  newKinds: {
    plain: "Etwas anderes",
    news: "Neuigkeiten: mit Datum, die neueste zuerst, mit Feed",
    event: "Termine: mit Datum, Uhrzeit und Ort, der nächste zuerst, mit Kalender und Feed",
  },
  change: "Ändern",
  changeHint: (items: number) =>
    `${items === 0 ? "Es gibt noch keinen Inhalt" : items === 1 ? "Es gibt 1 Inhalt" : `Es gibt ${items} Inhalte`} dieses Typs. Neue Namen zeigen sich sofort überall; Texte und Adressen der Inhalte bleiben, wie sie sind.`,
  builtInHint:
    "Diesen Typ gibt es von Anfang an. Sie können den Aufbau seiner Seiten wählen; Namen und Felder bleiben, wie sie sind.",
  singular: "Name für eines, etwa Termin",
  plural: "Name für mehrere, etwa Termine",
  description: "Was es ist, in einem Satz",
  descriptionHint: "Steht über der Liste. Kann leer bleiben.",
  layout: "Aufbau der Seiten",
  layoutHint: "Dieselben Teile in anderer Reihenfolge; alle Seiten dieses Typs ändern sich sofort.",
  layouts: {
    article: "Erst der Text, dann die ausgefüllten Felder und was darauf verweist",
    profile: "Erst die ausgefüllten Felder, dann der Text und was darauf verweist",
    event: "Erst Tag und Ort, dann der Text und alles andere",
    list: "Erst was darauf verweist, dann der Text und die ausgefüllten Felder",
  },
  save: "Speichern",
  addField: "Feld anlegen",
  addFieldHint: (items: number): string =>
    items === 0
      ? "Seine Art lässt sich später nicht ändern."
      : `Vorhandene Inhalte bleiben, wie sie sind: Das neue Feld ist in ihnen leer, bis es jemand ausfüllt. Seine Art lässt sich später nicht ändern, und hier lässt sich ein Feld nicht wieder herausnehmen.`,
  fieldLabel: "Beschriftung",
  fieldKind: "Art",
  values: "Werte",
  valuesHint: "Nur für „Auswahl“: je einer in einer Zeile.",
  remove: "Diesen Typ entfernen",
  back: "Alle Inhaltstypen",
  items: "Vorhanden",
  noItems: "noch nichts",
  addresses: "Adressen",
  anyAddress: "beliebig",
  name: "Name in Dateien",
  fields: "Was sich ausfüllen lässt",
  links: "Was sich verknüpfen lässt",
  isFilter: "danach lässt sich eine Liste filtern",
  several: "mehrere",
  one: "eins",
  stated: "wird dort angegeben",
  kinds: {
    text: "Text",
    markdown: "längerer Text",
    integer: "ganze Zahl",
    number: "Zahl",
    boolean: "ja oder nein",
    date: "Tag",
    partial_date: "Jahr, Monat oder Tag",
    url: "Webadresse",
    enum: "Auswahl",
    text_list: "mehrere kurze Texte",
  },
};
