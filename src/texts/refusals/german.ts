import type { SiteTexts } from "../site/english.ts";

export const GERMAN_REFUSALS: SiteTexts["refusals"] = {
  fullStop: ".",
  filter: (name, reason) => `Nach „${name}“ lässt sich nicht filtern: ${reason}`,
  argument: (name, reason) => `Die Liste ist so nicht möglich: ${name}: ${reason}`,
  noFilter: (allowed) => `diesen Filter gibt es hier nicht; ${allowed}`,
  noFilters: "diese Art hat keine Filter",
  unfit: (value, allowed) => `„${value}“ passt nicht; ${allowed}`,
  noRange: (allowed) => `Geben Sie einen Wert an, keinen Bereich; ${allowed}`,
  order: (from, to) =>
    `der Anfang, ${from}, liegt nach dem Ende, ${to}: Vertauschen Sie die beiden`,
  ambiguous: "es bezeichnet verschiedene Beziehungen: Wählen Sie eine einzige Art",
  integer: "geben Sie eine ganze Zahl an",
  number: "geben Sie eine Zahl an",
  boolean: "geben Sie true oder false an",
  date: "geben Sie ein Datum als JJJJ, JJJJ-MM oder JJJJ-MM-TT an, mit - davor für Jahre v. Chr.",
  text: "geben Sie einen Text an",
  orRange: ", oder einen Bereich von … bis …",
  oneOf: (values) => `möglich sind ${values}`,
  onlyValue: (value) => `möglich ist ${value}`,
  language: "geben Sie ein Sprachkürzel an, zum Beispiel en oder pt-BR",
  sort: (value, sorts) => `„${value}“ ist keine Reihenfolge dieser Liste; möglich sind ${sorts}`,
  nobody: (_type, name) => `Nichts trägt den Namen „${name}“`,
  several: (_type, name) =>
    `Mehrere tragen den Namen „${name}“: Geben Sie die Adresse von einem an`,
  otherType: (path, { title }) => `${path} ist von anderer Art: „${title}“`,
  perhaps: (message, list) => `${message}. Vielleicht: ${list}`,
  nothingAt: (address) => `Unter ${address} ist nichts veröffentlicht`,
  gone: (address) => `${address} gibt es nicht mehr`,
  withdrawn: (address, title) => `${address} („${title}“) wurde zurückgezogen`,
  other: "Das lässt sich nicht auflisten: Die Adresse verlangt etwas, das es nicht gibt",
};
