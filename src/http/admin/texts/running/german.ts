import type { Texts } from "../english.ts";

export const GERMAN_REDIRECTS_TEXTS: Texts["redirects"] = {
  title: "Weiterleitungen",
  hint: "Adressen einer früheren Website führen auf Seiten dieser weiter oder auf eine andere Website, oder sind als entfernt vermerkt. Zieht hier eine Seite um, geschieht das von selbst.",
  from: "Frühere Adresse",
  fromHint:
    "Ein Pfad wie /alt/seite.html oder /?p=12 oder eine ganze Adresse; /blog/* für alles unter /blog.",
  to: "Führt zu",
  toHint:
    "Die Adresse einer Seite dieser Website, etwa /topics/time, oder einer anderen. Nach /blog/* ist :splat, wofür * steht: /news/:splat. Leer: Die Seite gibt es nicht mehr, und ihre Adresse sagt das (410).",
  gone: "endgültig entfernt",
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

export const GERMAN_OLD_ADDRESSES_TEXTS: Texts["oldAddresses"] = {
  title: "Alte Adressen prüfen",
  hint: (max) =>
    `Sagt, was jede Adresse einer früheren Website hier antwortet, damit kein Link auf sie ins Leere führt. Höchstens ${max} Adressen auf einmal. Eine Website, die noch nicht offen ist, wird geprüft, als wäre sie es.`,
  file: "Liste als Datei",
  fileHint:
    "Die sitemap.xml der früheren Website, ein Text mit einer Adresse je Zeile oder eine Tabelle (CSV) mit den Adressen in der ersten Spalte, bis 4 MB.",
  list: "Oder die Adressen einfügen, eine je Zeile",
  check: "Prüfen",
  download: "Ganzen Bericht herunterladen",
  outcomes: {
    kept: "Dort steht eine Seite",
    redirected: "Führen weiter",
    gone: "Als endgültig entfernt vermerkt",
    missing: "Führen ins Leere",
    invalid: "Zeilen, die keine Adressen sind",
  },
  advice:
    "Wählen Sie eine Adresse, um sie weiterzuleiten oder als endgültig entfernt zu vermerken, und prüfen Sie noch einmal. Viele auf einmal leitet eine Liste weiter oder ein Muster wie /blog/*. Führt eine Adresse zu einer, die nicht antwortet, ändern Sie ihre Weiterleitung. Antwortet die Startseite auf ?p=12, leiten Sie die Adresse mit ihrer Abfrage weiter.",
  invalidAdvice: "Eine Adresse beginnt mit / oder https://. Diese Zeilen wurden nicht geprüft.",
  allAnswer: "Alle Adressen antworten.",
  shownOf: (shown, total) =>
    `Die ersten ${shown} von ${total} stehen hier, alle stehen im ganzen Bericht.`,
};

export const GERMAN_LINKS_TEXTS: Texts["links"] = {
  title: "Links",
  hint: "Jede Adresse, auf die öffentliche Seiten und Menüs verweisen, wird geprüft, jeder Server höchstens einmal in der Sekunde, ebenso Bilder und Dateien. Was misslingt, wird noch einmal geprüft, bevor es als tot gilt. Verbesserte Links verschwinden bald aus dieser Liste.",
  states: {
    broken: "Tot",
    unsure: "Ungewiss",
    moved: "Endgültig umgezogen",
    good: "In Ordnung",
    new: "Wird noch geprüft",
  },
  recheck: "Noch einmal prüfen",
  recheckAll: "Alle diese noch einmal prüfen",
  inMenus: "Im Menü",
  none: "Es gibt keine.",
  leadsTo: "führt zu",
  checked: (when) => `geprüft ${when}`,
  more: "Weitere",
};

export const GERMAN_WEBHOOKS_TEXTS: Texts["webhooks"] = {
  title: "Webhooks",
  hint: "Andere Programme erfahren, wenn sich hier etwas ändert: Jedes Ereignis wird signiert an eine Adresse geschickt und bei Fehlern wiederholt.",
  none: "Es gibt keine.",
  add: "Webhook hinzufügen",
  url: "Adresse",
  events: "Ereignisse",
  every: {
    "*": "Alles",
    "admin.*": "Alles zu Konten",
    "content.*": "Alles zu Inhalten",
    "draft.*": "Alles zu Entwürfen",
    "health.*": "Alles zum Zustand",
    "key.*": "Alles zu Schlüsseln",
    "media.*": "Alles zu Bildern und Dateien",
    "message.*": "Alles zu Nachrichten",
    "person.*": "Alles zu personenbezogenen Daten",
    "redirect.*": "Alles zu Weiterleitungen",
    "request.*": "Alles zu Schlüsselanfragen",
    "session.*": "Alles zu Anmeldungen",
    "site.*": "Alles zu den Einstellungen",
    "transfer.*": "Alles zu Importen und Exporten",
    "webhook.*": "Alles zu Webhooks",
  },
  ping: "Test",
  eventsHint:
    "content.* ist alles zu Inhalten, content.publish nur, was veröffentlicht wird; mehrere mit Leerzeichen getrennt.",
  eventsFault:
    "Ereignisse bitte als content.publish oder content.* angeben, mit Leerzeichen getrennt",
  description: "Wozu er dient",
  states: { enabled: "An", disabled: "Aus" },
  failing: (count) => `in Folge fehlgeschlagen: ${count}`,
  test: "Test senden",
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

export const GERMAN_JOBS_TEXTS: Texts["jobs"] = {
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
  exportHint:
    "Ein ZIP mit allen Inhalten in jedem Status, Einstellungen, Weiterleitungen, Bildern und Dateien, das ein Import wieder einliest. Schlüssel, Personen und Nachrichten sind nicht darin.",
  import: "Importieren",
  file: "Datei oder Dateien",
  fileHint:
    "Ein Ordner als ZIP, ein Export von WordPress oder MediaWiki (.xml) oder Ghost (.json), ein Word-Dokument (.docx), eine Tabelle (CSV, TSV oder Excel), ein Literaturverzeichnis (BibTeX, RIS, CSL-JSON), eine Liste von Weiterleitungen, eine Seite (.md, .html) oder JSON-Zeilen, bis 1 GB (eine Tabelle bis 64 MB). Mehrere zusammen gewählte Dokumente oder Seiten gelten als ein Ordner, mit einem Bericht; eine Tabelle und ein ZIP schicken Sie für sich. Noch ändert sich nichts: Sie sehen zuerst, was aus jedem Inhalt würde.",
  check: "Datei prüfen",
  as: "Was aus Beiträgen wird, falls es falsch geraten ist",
  asHint:
    "Leer lassen, wenn alles stimmt. Sonst Paare aus dem, was in der Datei steht, und einem Inhaltstyp dieser Website: post=page macht Beiträge zu Seiten, portfolio=work, was ein Zusatzprogramm ergänzte.",
  liveSite: "Eine Website aus dem Netz importieren",
  address: "Adresse der Website",
  addressHint:
    "Etwa https://example.org. Seiten, Bilder und frühere Adressen werden kopiert, soweit die robots.txt es erlaubt, eine in der Sekunde: 1.000 Seiten dauern etwa 20 Minuten, mehr als 5.000 werden es nicht. Diese Seite können Sie solange schließen. Noch ändert sich nichts: Sie sehen zuerst, was aus jeder Seite würde.",
  isWordPress: "Es ist eine Website mit WordPress: auch Daten, Themen und Autoren holen",
  checkSite: "Website prüfen",
  copied: (pages, files) => `Kopiert wird: ${pages} Seiten, ${files} Dateien`,
  lenient: "Felder weglassen, die kein Inhaltstyp hat",
  progress: (done, total) => `${done} von ${total}`,
  refresh: "Aktualisieren",
  cancel: "Abbrechen",
  download: "Herunterladen",
  downloadReport: "Den ganzen Bericht herunterladen",
  shownOf: (shown, total) =>
    `Hier stehen die ersten ${shown} von ${total}; im ganzen Bericht stehen alle.`,
  did: "Was geschehen ist",
  wouldDo: "Was geschehen würde",
  created: "Neu",
  updated: "Geändert",
  unchanged: "Unverändert",
  conflict: "Auf beiden Seiten geändert",
  conflicts: "Auf der Website und in der Datei geändert",
  failed: "Nicht möglich",
  problems: (count) => `Probleme: ${count}`,
  line: (number) => `Zeile ${number}`,
  status: "Status neuer Inhalte",
  asStated: "Wie in der Datei angegeben, sonst Entwurf",
  publish: "Veröffentlichen, sofern die Datei es nicht zurückhält",
  checkAgain: "Noch einmal prüfen",
  run: "Jetzt importieren",
  toContent: "Zu den Inhalten",
  items: "Was aus jedem Inhalt wird",
  row: "Zeile",
  item: "Inhalt",
  outcome: "Ergebnis",
  changed: (parts) => `geändert: ${parts}`,
  drafts: (count) =>
    `Entwürfe unter den neuen Inhalten, die Besucher noch nicht sehen: ${count}. Manche sind vielleicht nicht für die Öffentlichkeit bestimmt: Sehen Sie sie an, bevor Sie in der Liste mehrere auf einmal veröffentlichen.`,
  wouldBeDrafts: (count) =>
    `Entwürfe unter den neuen Inhalten, die Besucher erst sehen, wenn sie veröffentlicht sind: ${count}.`,
  toDrafts: "Zu den Entwürfen",
  kept: (parts) => `auf der Website bearbeitet, bleibt so: ${parts}`,
  prefer: "Wo Website und Datei beide geändert wurden",
  preferHint:
    "Sonst geht nichts verloren: Der Inhalt bleibt, wie er auf der Website ist, und steht hier in der Liste.",
  preferNeither: "Den Inhalt lassen, wie er ist",
  preferFile: "Nehmen, was in der Datei steht",
  preferSite: "Behalten, was auf der Website steht, und als geklärt ansehen",
  generator: "Der Ordner wurde geschrieben für",
  generatorHint:
    "Wählen Sie nur, wenn ein falsches Programm erkannt wurde, wie es in den Hinweisen oben steht.",
  generatorFound: "Was erkannt wird",
  generatorNone: "Kein Programm: ein Ordner dieses Dienstes",
  files: "Bilder und andere Dateien",
  redirects: "Neue Weiterleitungen",
  leftOut: "Weggelassen",
  table: {
    columns: "Wie die Tabelle gelesen wurde",
    rows: (rows, headings, names) =>
      `Zeilen: ${rows}. Zeilen mit Überschriften: ${headings}. Neue Inhalte, die Zeilen nennen, etwa Autoren und Themen: ${names}.`,
    isKnown: "Die Spalten werden gelesen wie beim letzten Mal.",
    isGuessed: "Die Bedeutung der Spalten wurde geraten: Berichtigen Sie, was nicht stimmt.",
    rowsAre: "Jede Zeile ist",
    sheet: "Tabellenblatt",
    meaning: "Was die Spalten bedeuten",
    leaveOut: "Weglassen",
    places: {
      title: "Titel",
      summary: "Zusammenfassung",
      body: "Text",
      path: "Adresse auf der Website",
      slug: "Letzter Teil der Adresse",
      language: "Sprache",
      translationOf: "Übersetzung von",
      status: "Status",
      publishedAt: "Veröffentlicht am",
      publishAt: "Veröffentlichen am",
      expireAt: "Zurückziehen am",
      key: "Nummer oder Name zum Wiedererkennen der Zeile",
      sourceKey: "Schlüssel zum Wiedererkennen des Inhalts",
      redirectFrom: "Frühere Adressen",
    },
  },
};

export const GERMAN_INSIGHT_TEXTS: Texts["insight"] = {
  title: "Statistik",
  period: (since, until) =>
    `${since} bis ${until}. Nur Summen: Über Besucherinnen und Besucher wird nichts gespeichert.`,
  views: "Seitenaufrufe",
  topPages: "Am meisten aufgerufen",
  topPagesHint: (markdownViews) =>
    `Einschließlich der Aufrufe als Markdown, das Agenten lesen: ${markdownViews}`,
  page: "Seite",
  missing: "Aufgerufen und nicht gefunden",
  missingHint:
    "Adressen, die Besucher und Programme aufgerufen haben und unter denen es nichts gibt.",
  lead: "Weiterleiten …",
  searches: "Suchen",
  withoutResult: "Ohne Ergebnis",
  topSearches: "Am häufigsten gesucht",
  searched: "Gesucht",
  use: "Aufrufe mit Schlüsseln",
  byKey: "Nach Schlüssel",
  key: "Schlüssel",
  byTool: "Nach Art der Anfrage",
  tool: "Anfrage",
  tools: {
    describe_content_catalog: "Ansehen, was es gibt",
    search_content: "Suchen",
    get_content_by_url: "Seiten lesen",
    list_content: "Inhalte auflisten",
    get_related_content: "Verknüpfungen folgen",
    list_topics: "Themen auflisten",
    list_quotations_by_topic: "Zitate zu einem Thema",
    list_works_by_author: "Werke einer Person",
  },
  api: "Programme (API)",
  day: "Tag",
  number: "Anzahl",
  highest: (count) => `höchster Wert: ${count} an einem Tag`,
  asTable: "Als Tabelle",
  none: "Noch nichts.",
};

export const GERMAN_TRASH_TEXTS: Texts["trash"] = {
  title: "Papierkorb",
  hint: (days) => `Gelöschtes lässt sich ${days} Tage lang zurückholen, als Entwurf.`,
  none: "Der Papierkorb ist leer.",
  deleted: (when) => `gelöscht: ${when}`,
  restore: "Zurückholen",
  files: "Bilder und Dateien",
};

export const GERMAN_HAND_OVER_TEXTS: Texts["handOver"] = {
  address: "Adresse des Dienstes",
  clients: "Fertig für Programme",
  hint: "Jeder Text enthält den Schlüssel: Geben Sie ihn so sicher weiter wie den Schlüssel selbst.",
  cursor: "Cursor, Windsurf und andere (mcp.json)",
  vsCode: "Visual Studio Code (.vscode/mcp.json)",
  bridge: "Claude Desktop und andere, die Programme starten",
};
