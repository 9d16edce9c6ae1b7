import type { HealthTexts } from "./english.ts";

export const GERMAN_HEALTH_TEXTS: HealthTexts = {
  title: "Zustand",
  intro: "Ob alles, was die Website braucht, in diesem Augenblick in Ordnung ist.",
  advice: "Was zu tun ist:",
  states: { good: "Gut", warn: "Bald ansehen", bad: "Schlecht" },
  checks: {
    server: "Server",
    disk: "Festplatte",
    backup: "Sicherung",
    certificate: "Zertifikat",
    record: "Datenbestand",
    copies: "Lesekopie",
    mail: "E-Mail",
    webhooks: "Webhooks",
    jobs: "Importe und Exporte",
    clock: "Uhr",
    files: "Zugriff auf Dateien",
    version: "Version",
  },
  unknown: "Das lässt sich im Augenblick nicht feststellen.",
  server: {
    ready: (answer) => `Er läuft und sagt: ${answer}`,
    stopped: "An HOST und PORT antwortet nichts.",
    start: "Starten Sie den Server, oder geben Sie diesem Befehl dieselben Einstellungen wie ihm.",
    refuses: (answer) => `Er läuft, nimmt aber keine Besucher an: ${answer}`,
    seeLog: "Bleibt es minutenlang so, dann lesen Sie das Protokoll des Servers.",
  },
  disk: {
    gone: "Der Datenordner ist nicht zu finden.",
    mount:
      "Legen Sie ihn zurück oder binden Sie sein Laufwerk ein, und starten Sie den Server neu.",
    free: (free, total) => `${free} von ${total} sind frei, wo der Datenordner liegt.`,
    clear:
      "Schaffen Sie Platz oder vergrößern Sie die Festplatte: Ohne Platz lässt sich nichts speichern, und eine Sicherung oder Wiederherstellung braucht so viel, wie die Website hat.",
    freeFiles: (count) =>
      `Das Dateisystem des Datenordners nimmt noch ${count} Dateien auf (freie Inodes).`,
    removeFiles:
      "Stellen Sie mit „df -i“ und „du --inodes“ fest, was es mit kleinen Dateien füllt, und löschen Sie, was nicht gebraucht wird: Ohne freie Inodes lässt sich nichts speichern, auch wenn noch Platz ist.",
  },
  backup: {
    elsewhere: "Der Datenbestand liegt in PostgreSQL: Dort wird er gesichert und überwacht.",
    none: "Es wurde noch keine Sicherung gemacht.",
    empty: (places) => `In ${places} ist noch keine Sicherung.`,
    made: (when, place) => `Die letzte Sicherung ist vom ${when}: ${place}`,
    failed: (when, fault) => `Die Sicherung vom ${when} ist fehlgeschlagen: ${fault}.`,
    make: "Setzen Sie BACKUP_AT und BACKUP_TO, damit der Server jeden Tag eine macht, möglichst auf einem anderen Rechner.",
    due: "Der Server macht jeden Tag eine, solange er läuft: Sehen Sie nach, ob er läuft, und lesen Sie sein Protokoll.",
    retried:
      "Beheben Sie, was dort steht. Der Server versucht es jede Stunde wieder, „commonplace backup“ sofort.",
    retry: "Beheben Sie, was dort steht, und rufen Sie dann „commonplace backup“ auf.",
  },
  certificate: {
    local: "Die Website ist nur für diesen Rechner und braucht keines.",
    plain:
      "PUBLIC_URL beginnt mit http://: Was Besucher und Redaktion senden, kann unterwegs gelesen werden.",
    setUp:
      "Stellen Sie einen Proxy mit TLS davor, und setzen Sie PUBLIC_URL auf seine https://-Adresse.",
    unread: (fault) => `Das Zertifikat ließ sich von hier aus nicht lesen: ${fault}`,
    lookYourself:
      "Öffnen Sie die Website von einem anderen Rechner aus. Geht sie dort auf, erreicht nur dieser Rechner seine eigene öffentliche Adresse nicht.",
    refused: (fault) => `Browser weisen das Zertifikat der Website zurück: ${fault}`,
    until: (when) => `Das Zertifikat der öffentlichen Adresse läuft am ${when} ab.`,
    renew: "Lesen Sie das Protokoll des Proxys, der es erneuert: Die Erneuerung ist misslungen.",
  },
  record: {
    good: "Er antwortet, und von Schäden ist nichts bekannt.",
    damaged: "Gespeicherte Inhalte sind beschädigt: Manches lässt sich nicht zeigen oder ändern.",
    restore:
      "Kopieren Sie den Datenordner, dann stellen Sie die letzte Sicherung wieder her, an der „commonplace verify“ nichts auszusetzen hat.",
    reach: "Starten Sie die Datenbank, oder beheben Sie, was darüber steht.",
  },
  copies: {
    good: "Sie hat jede Änderung.",
    unread:
      "Hier ist keine zu lesen, oder sie muss neu gebaut werden: Das tut der Server, bevor er bereit ist.",
    damaged: "Sie ist beschädigt und wird aus dem Datenbestand neu gemacht.",
    disk: "Kommt das wieder, versagt die Festplatte: Ersetzen Sie sie.",
    behind: (seconds) => `Besucher sehen die Website, wie sie vor ${seconds} Sekunden war.`,
    reach: "Sehen Sie nach, ob dieser Rechner die Datenbank erreicht und ob sie überlastet ist.",
  },
  queues: {
    empty: "Nichts wartet.",
    waiting: (count, since) => `Es warten: ${count}, am längsten seit ${since}.`,
    mailGivenUp: "In der letzten Woche wurde eine E-Mail aufgegeben, weil kein Versuch gelang.",
    mailAdvice:
      "Suchen Sie „Could not send a mail“ im Protokoll, und prüfen Sie SMTP_URL und MAIL_FROM.",
    webhooksOff: (count) => `Abgeschaltet, weil ihre Empfänger tagelang versagten: ${count}`,
    webhooksAdvice:
      "Unter „Webhooks“ steht, was die Empfänger antworten; schalten Sie sie wieder ein, sobald sie wieder antworten.",
    jobsAdvice: "Sehen Sie unter „Import und Export“ nach, und brechen Sie ab, was hängt.",
  },
  clock: {
    good: "Sie geht gleichmäßig.",
    jumped:
      "Sie wurde kürzlich gestellt, oder die Website war aus: Geplantes Veröffentlichen wartet, bis sie zehn Minuten lang gleichmäßig ging.",
    behind: (when) => `Sie geht nach: Die Website hat schon ${when} gesehen.`,
    synchronise:
      "Lassen Sie den Rechner seine Uhr über das Netz stellen (timedatectl set-ntp true).",
  },
  files: {
    good: "Nur der Dienst kann den Datenordner lesen.",
    open: (names) => `Andere Benutzer des Rechners können lesen: ${names}`,
    close:
      "Starten Sie den Server einmal als Eigentümer des Ordners, das schließt ihn, oder führen Sie chmod -R go= darauf aus.",
  },
  version: {
    runs: (program, node) => `Commonplace ${program} auf Node ${node}`,
    ends: (program, node, day) =>
      `Commonplace ${program} auf Node ${node}, dessen Reihe nur bis ${day} Sicherheitsupdates bekommt`,
    renew:
      "Starten Sie es mit einer späteren Reihe von Node; die neueste Version von Commonplace bringt sie mit.",
  },
};
