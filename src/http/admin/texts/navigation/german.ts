import type { Texts } from "../english.ts";

export const GERMAN_NAVIGATION_TEXTS: Texts["navigation"] = {
  title: "Navigation",
  about:
    "Adressen sind Seiten dieser Website, etwa /ueber-uns, oder andere Websites, etwa https://example.org. Eine Seite ohne Beschriftung zeigt ihren Titel; solange sie nicht öffentlich ist, fehlt sie. Ein Eintrag ohne Adresse ist die Überschrift der Einträge darunter. Die Pfeile verschieben einen Eintrag; für Besucher ändert sich nichts, bevor Sie speichern.",
  inLanguage: (language: string) => `Navigation auf ${language}`,
  automatic: "Automatisch: die Listen der Website, dann Seiten mit einer Position",
  own: "Wie hier geordnet",
  label: "Beschriftung",
  to: "Adresse",
  inRow: (part: string, row: number, isBelow: boolean) =>
    `${part}, Zeile ${row}${isBelow ? ", unter einem Eintrag" : ""}`,
  moves: {
    up: "Nach oben",
    down: "Nach unten",
    level: "Unter den Eintrag davor",
    out: "Auf die erste Ebene",
    remove: "Entfernen",
  },
  unsaved: "Noch nicht gespeichert",
  save: "Speichern",
};
