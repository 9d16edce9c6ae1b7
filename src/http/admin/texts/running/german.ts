import type { Texts } from "../english.ts";

/** Texts of redirects, webhooks, jobs, insight and trash. */
export const REDIRECTS_GERMAN: Texts["redirects"] = {
  title: "Weiterleitungen",
  hint: "Adressen einer früheren Website führen auf Seiten dieser weiter oder auf eine andere Website. Zieht hier eine Seite um, geschieht das von selbst.",
  from: "Frühere Adresse",
  fromHint:
    "Ein Pfad wie /alt/seite.html oder /?p=12 oder eine ganze Adresse; /blog/* für alles unter /blog.",
  to: "Führt zu",
  toHint:
    "Die Adresse einer Seite dieser Website, etwa /topics/time, oder einer anderen. Nach /blog/* ist :splat, wofür * steht: /news/:splat.",
  add: "Hinzufügen",
  remove: "Entfernen",
  present: "Vorhandene Weiterleitungen",
  several: "Mehrere auf einmal",
  severalHint:
    "Eine je Zeile: die frühere Adresse, ein Leerzeichen oder Komma und wohin sie führt. Listen von Apache (.htaccess), Netlify (_redirects) und aus Tabellen werden verstanden.",
  severalAdd: "Alle hinzufügen",
  severalDone: "Was aus der Liste wurde",
  severalCounts: (created, unchanged, skipped, failed) =>
    `${created} hinzugefügt, ${unchanged} schon vorhanden, ${skipped} nicht nötig, ${failed} gescheitert.`,
  severalLine: (line, reason) => `Zeile ${line}: ${reason}`,
  back: "Zurück zu den Weiterleitungen",
  none: "Es gibt keine.",
};

export const LINKS_GERMAN: Texts["links"] = {
  title: "Links",
  hint: "Jede Adresse, auf die öffentliche Seiten verweisen, wird abgefragt, jeder Rechner höchstens einmal in der Sekunde. Was misslang, wird noch einmal abgefragt, bevor es als tot gilt.",
  states: {
    broken: "Tot",
    unsure: "Ungewiss",
    moved: "Endgültig umgezogen",
    good: "Gut",
    new: "Noch nicht abgefragt",
  },
  none: "Es gibt keine.",
  leadsTo: "führt zu",
  checked: (when) => `abgefragt ${when}`,
  more: "Weitere",
};

export const WEBHOOKS_GERMAN: Texts["webhooks"] = {
  title: "Webhooks",
  hint: "Andere Programme erfahren, wenn sich hier etwas ändert: Jedes Ereignis wird signiert an eine Adresse geschickt und bei Fehlern wiederholt.",
  none: "Es gibt keine.",
  add: "Webhook hinzufügen",
  url: "Adresse",
  events: "Ereignisse",
  eventsHint: "Etwa content.* oder content.publish; mehrere mit Leerzeichen getrennt.",
  eventsFault:
    "Ereignisse bitte als content.publish oder content.* angeben, mit Leerzeichen getrennt",
  description: "Wofür er ist",
  states: { enabled: "An", disabled: "Aus" },
  failing: (count) => `in Folge fehlgeschlagen: ${count}`,
  test: "Probe senden",
  enable: "Einschalten",
  disable: "Ausschalten",
  rotate: "Neues Geheimnis",
  remove: "Löschen",
  deliveries: "Zustellungen",
  noDeliveries: "Es wurde noch nichts gesendet.",
  outcomes: { waiting: "Wartet", delivered: "Zugestellt", failed: "Fehlgeschlagen" },
  attempts: (count) => `Versuche: ${count}`,
  retry: "Noch einmal senden",
  secretOnce:
    "Das ist das Geheimnis, mit dem signiert wird. Es wird nur jetzt angezeigt: Geben Sie es dem empfangenden Programm.",
};

export const JOBS_GERMAN: Texts["jobs"] = {
  title: "Import und Export",
  none: "In der letzten Woche nichts.",
  latest: "Zuletzt",
  kinds: { import: "Import", export: "Export" },
  states: {
    queued: "Wartet",
    running: "Läuft",
    done: "Fertig",
    failed: "Fehlgeschlagen",
    cancelled: "Abgebrochen",
  },
  export: "Alles exportieren",
  exportHint: "Eine Datei mit allen Inhalten in jedem Status, die ein Import zurücknimmt.",
  import: "Importieren",
  file: "Datei mit JSON-Zeilen",
  fileHint: "Hier bis 1 MB; größere und Ordner über die Befehlszeile.",
  lines: "Oder die Zeilen selbst",
  dryRun: "Nur berichten, was geschehen würde",
  lenient: "Felder weglassen, die keine Art kennt",
  progress: (done, total) => `${done} von ${total}`,
  refresh: "Aktualisieren",
  cancel: "Abbrechen",
  download: "Herunterladen",
  did: "Was geschehen ist",
  wouldDo: "Was geschehen würde",
  created: "Neu",
  updated: "Geändert",
  unchanged: "Unverändert",
  failed: "Nicht möglich",
  problems: (count) => `Probleme: ${count}`,
  line: (number) => `Zeile ${number}`,
};

export const INSIGHT_GERMAN: Texts["insight"] = {
  title: "Einblick",
  period: (since, until) =>
    `${since} bis ${until}. Nur Summen: Über Besucherinnen und Besucher wird nichts gespeichert.`,
  views: "Seitenaufrufe",
  topPages: "Am meisten aufgerufen",
  page: "Seite",
  missing: "Verlangt und nicht gefunden",
  missingHint: "Adressen, die Besucher und Programme verlangten und an denen nichts ist.",
  lead: "Weiterleiten",
  searches: "Suchen",
  withoutResult: "Ohne Ergebnis",
  topSearches: "Am häufigsten gesucht",
  searched: "Gesucht",
  use: "Aufrufe mit Schlüsseln",
  byKey: "Nach Schlüssel",
  key: "Schlüssel",
  byTool: "Nach Werkzeug",
  tool: "Werkzeug",
  day: "Tag",
  number: "Anzahl",
  highest: (count) => `höchstens ${count} am Tag`,
  asTable: "Als Tabelle",
  none: "Noch nichts.",
};

export const TRASH_GERMAN: Texts["trash"] = {
  title: "Papierkorb",
  hint: (days) => `Gelöschtes lässt sich ${days} Tage lang zurückholen, als Entwurf.`,
  none: "Der Papierkorb ist leer.",
  deleted: (when) => `gelöscht: ${when}`,
  restore: "Zurückholen",
  files: "Bilder und Dateien",
};

export const HAND_OVER_GERMAN: Texts["handOver"] = {
  address: "Adresse des Dienstes",
  clients: "Fertig für Programme",
  hint: "Jeder Text enthält den Schlüssel: Geben Sie ihn so sicher weiter wie den Schlüssel selbst.",
  cursor: "Cursor, Windsurf und andere (mcp.json)",
  vsCode: "Visual Studio Code (.vscode/mcp.json)",
  bridge: "Claude Desktop und andere, die Programme starten",
};
