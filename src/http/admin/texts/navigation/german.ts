import type { Texts } from "../english.ts";

/** Texts of the Navigation screen. */
export const NAVIGATION_GERMAN: Texts["navigation"] = {
  title: "Navigation",
  about:
    "Adressen sind Seiten dieser Website, etwa /about, oder andere Websites, etwa https://example.org. Eine Seite ohne Beschriftung zeigt ihren Titel; solange sie nicht öffentlich ist, fehlt sie. Ein Eintrag ohne Adresse ist die Überschrift der Einträge darunter. Wer einen Eintrag entfernen will, leert seine Zeile; wer ihn verschieben will, ändert seine Nummer.",
  inLanguage: (language: string) => `Navigation auf ${language}`,
  automatic: "Von selbst: die Listen der Website, dann Seiten mit einer Position",
  own: "Wie hier geordnet",
  position: "Nr.",
  label: "Beschriftung",
  to: "Adresse",
  level: "Ebene",
  top: "Erste",
  below: "Unter dem Eintrag davor",
  inRow: (part: string, row: number) => `${part}, Zeile ${row}`,
  save: "Speichern",
};
