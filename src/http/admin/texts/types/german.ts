import type { TYPES_ENGLISH } from "./english.ts";

export const TYPES_GERMAN: typeof TYPES_ENGLISH = {
  title: "Inhaltstypen",
  hint: "Woraus ein Inhalt jedes Typs besteht. Seite, Thema, Autor, Werk und Zitat sind eingebaut. Weitere Typen stehen in Dateien: je eine im Ordner types/ des Ordners der Website, wie in docs/site-folder.md beschrieben. Sie ändern sich mit dem nächsten Import dieses Ordners.",
  items: "Inhalte",
  addresses: "Adressen",
  anyAddress: "beliebig",
  name: "Name in Dateien",
  fields: "Felder",
  links: "Verknüpfungen",
  isFilter: "Listen lassen sich danach filtern",
  several: "mehrere",
  one: "eins",
  stated: "von der anderen Seite",
  kinds: {
    text: "Text",
    markdown: "Text mit Markdown",
    integer: "ganze Zahl",
    number: "Zahl",
    boolean: "ja oder nein",
    date: "Tag",
    partial_date: "Jahr, Monat oder Tag",
    url: "Webadresse",
    enum: "eines von",
    text_list: "Liste von Texten",
  },
};
