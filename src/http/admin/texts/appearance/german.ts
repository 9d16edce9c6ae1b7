import type { Texts } from "../english.ts";

export const GERMAN_APPEARANCE_TEXTS: Texts["appearance"] = {
  title: "Erscheinungsbild",
  look: "Gestaltung",
  looks: {
    classic: {
      name: "Klassisch",
      about: "Ein Buch: eine Serifenschrift, rote Linien, Platz zum Lesen.",
    },
    modern: { name: "Modern", about: "Offen und ruhig: serifenlos, Karten, runde Ecken." },
    broadsheet: { name: "Zeitung", about: "Ein Zeitungskopf, kräftige Überschriften, Linien." },
    archive: {
      name: "Archiv",
      about: "Ein Zettelkasten: alte Buchschrift, getippte Beschriftungen.",
    },
  },
  colours: "Farben",
  coloursHint:
    "Alles Übrige ergibt sich aus diesen dreien, auch im dunklen Modus. Schlecht lesbare Farben werden abgelehnt, mit der nächsten lesbaren als Vorschlag.",
  accent: "Akzent",
  paper: "Papier",
  ink: "Schrift",
  own: { accent: "Eigene Akzentfarbe", paper: "Eigene Papierfarbe", ink: "Eigene Schriftfarbe" },
  fonts: "Schriften",
  fontPairs: {
    source: "Source Serif",
    inter: "Inter",
    playfair: "Playfair Display mit Source Serif",
    garamond: "EB Garamond mit Plex Mono",
    system: "Die Schriften des Geräts",
  },
  width: "Breite des Textes",
  widths: { narrow: "Schmal", medium: "Mittel", wide: "Breit" },
  asLook: "Wie in der Gestaltung",
  logo: "Logo",
  favicon: "Symbol im Browser-Tab",
  none: "Keines",
  picturesHint:
    "Zur Wahl stehen die Bilder der Website, die neuesten zuerst. Neue fügen Sie hier hinzu:",
  slots: "Eigene Texte",
  slotsHint: "In Markdown, jeweils bis zu 2.000 Zeichen.",
  slot: {
    header: "Hinweis über dem Kopf der Seite",
    footer: "Fußzeile",
    home: "Auf der Startseite",
    quotation: "Nach jedem Zitat",
  },
  picturesFromElsewhere:
    "Bilder anderer Websites in Texten zeigen. Diese Websites erfahren dann die Netzwerkadressen Ihrer Leserinnen und Leser.",
  css: "Stilregeln (CSS)",
  cssHint:
    "Sie folgen auf die der Gestaltung. Sie dürfen nur Bilder dieser Website laden und nichts verdecken.",
  preview: "Vorschau",
  previewTitle: "Vorschau der Startseite",
  save: "Speichern",
};
