import type { Texts } from "../english.ts";

/** Texts of the Home page screen. */
export const GERMAN_HOME_TEXTS: Texts["home"] = {
  title: "Startseite",
  about:
    "Die Startseite zeigt diese Bausteine untereinander. Mit den Pfeilen verschieben Sie einen Baustein; für Besucher ändert sich nichts, bevor Sie speichern.",
  see: "Startseite ansehen",
  inLanguage: (language) => `Startseite auf ${language}`,
  automatic: "Die üblichen Bausteine",
  asMain: "Wie in der Hauptsprache",
  own: "Die Bausteine, wie sie hier stehen",
  inRow: (part, row) => `${part}, Baustein ${row}`,
  moves: { up: "Nach oben", down: "Nach unten", remove: "Entfernen" },
  add: "Baustein hinzufügen",
  unsaved: "Noch nicht gespeichert",
  save: "Speichern",
  addButton: "Hinzufügen",
  edit: "Diesen Text ändern",
  kinds: {
    introduction: {
      label: "Text der Startseite",
      hint: "Der Text der Seite mit der Adresse /. Solange er leer ist, die Listen der Website.",
    },
    quotation_of_the_day: {
      label: "Zitat des Tages",
      hint: "Jeden Tag ein anderes; die Website wählt es aus.",
    },
    search: { label: "Suche", hint: "Ein Feld, das die ganze Website durchsucht." },
    sections: { label: "Listen der Website", hint: "Jede Liste mit der Zahl ihrer Einträge." },
    samples: { label: "Etwas aus jeder Liste", hint: "Jeweils ein paar Einträge." },
    purpose: {
      label: "Wofür die Website gut ist",
      hint: "So, wie es in den Einstellungen steht; solange dort nichts steht, fehlt es.",
    },
    text: { label: "Eigener Text", hint: "Eine Begrüßung, ein Hinweis, ein Spendenaufruf." },
    items: {
      label: "Ausgewählte Seiten",
      hint: "Unter einer Überschrift, in dieser Reihenfolge. Was nicht öffentlich ist, fehlt.",
    },
    newest: { label: "Das Neueste", hint: "Die jüngsten Einträge eines Inhaltstyps." },
    best: {
      label: "Der Anfang einer Liste",
      hint: "In der Reihenfolge der Liste: Bei Zitaten stehen die von der Redaktion gewählten vorn.",
    },
    upcoming: {
      label: "Kommende Termine",
      hint: "Die nächsten; solange es keine gibt, fehlt der Baustein.",
    },
  },
  parts: {
    markdown: "Text",
    title: "Überschrift",
    paths: "Seiten",
    type: "Inhaltstyp",
    items: "Wie viele",
  },
  at: (row, label, line) =>
    `Baustein ${row}${label === "" ? "" : `, ${label}`}${line === null ? "" : ` ${line}`}`,
};
