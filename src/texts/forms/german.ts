import { formatsOf } from "../formats.ts";
import type { FormTexts } from "../site/translation.ts";

const { number, counted } = formatsOf("de");

const minutes = (count: number) => counted(count, { one: "# Minute", other: "# Minuten" });

export const GERMAN_FORMS: FormTexts = {
  contact: {
    title: "Kontakt",
    writeToEditors: "Schreiben Sie der Redaktion",
    writeIntro:
      "Dieses Formular füllt ein Mensch im Browser aus; ein Mensch liest es und antwortet per E-Mail.",
    alsoByMail: (address) => ["Sie können auch an ", address, " schreiben."],
    whatWeKeep: "Was wir davon aufbewahren",
    askForKey: "Einen Schlüssel anfordern",
    askIntro: (claim) => [
      "Jede Seite lässt sich ohne Schlüssel lesen. Der MCP-Dienst für Recherche-Agenten braucht einen; die Verwaltung stellt ihn aus. Dieses Formular füllt ein Mensch im Browser aus, und ein Mensch entscheidet. Haben Sie schon einen Abholcode? ",
      claim,
      ".",
    ],
    name: "Ihr Name",
    email: "Ihre E-Mail-Adresse",
    emailHint: "Dorthin geht die Antwort.",
    about: "Betroffene Seite",
    aboutHint: "Ihre Adresse, falls es um eine Seite geht.",
    message: "Ihre Nachricht",
    sendMessage: "Nachricht senden",
    organisation: "Ihre Organisation",
    task: "Wofür ist der Schlüssel?",
    taskHint: "Was Ihr Agent oder Programm tun soll, für wen, und wie oft es etwa fragen wird.",
    data: "Welche Inhalte werden gebraucht?",
    dataHint: "Themen, Personen, Werke oder alles.",
    access: "Was soll der Schlüssel erlauben?",
    read: "Lesen: Veröffentlichtes suchen und lesen",
    write: "Lesen und schreiben: für alle, die an dieser Website arbeiten",
    sendRequest: "Anfrage senden",
    messageSent: "Danke für Ihre Nachricht",
    messageSentText:
      "Sie ist angekommen. Die Redaktion antwortet per E-Mail an die angegebene Adresse.",
    requestSent: "Danke für Ihre Anfrage",
    requestSentText: "Sie ist angekommen. So geht es weiter:",
    requestIsRead: "Ein Mensch liest Ihre Anfrage und entscheidet. Das kann einige Tage dauern.",
    requestIsAnswered:
      "Sie erfahren es per E-Mail an die angegebene Adresse. Wird der Schlüssel bewilligt, bekommen Sie einen Abholcode.",
    requestIsClaimed: (claim) => [
      "Mit dem Code holen Sie den Schlüssel innerhalb von sieben Tagen ab: ",
      claim,
      ".",
    ],
    homePage: "Startseite",
  },

  claim: {
    title: "Schlüssel abholen",
    enterCode: "Geben Sie Ihren Abholcode ein",
    code: "Abholcode",
    codeHint: "Er beginnt mit cplc_; Sie haben ihn von der Verwaltung bekommen.",
    showKey: "Schlüssel anzeigen",
    intro: (askAgain) => [
      "Zu einer bewilligten Anfrage gehört ein Abholcode. Geben Sie ihn hier ein, um Ihren Schlüssel zu bekommen: Der Code gilt einmal, und der Schlüssel wird nur einmal gezeigt. Halten Sie einen sicheren Platz dafür bereit. Code verloren oder abgelaufen? ",
      askAgain,
      ".",
    ],
    askAgain: "Fordern Sie einen neuen an",
    yourKey: "Ihr Schlüssel",
    shownOnce:
      "Diese Seite zeigt den Schlüssel nur dieses eine Mal; niemand kann ihn später noch einmal zeigen. Kopieren Sie ihn jetzt und verwahren Sie ihn wie ein Passwort.",
    allows: (what) => `Er erlaubt: ${what.join("; ")}.`,
    rate: (perMinute) =>
      counted(perMinute, { one: "# Anfrage pro Minute", other: "# Anfragen pro Minute" }),
    noEnd: "unbefristet",
    until: (day) => `bis ${day}`,
    onlyFrom: (networks) => `nur aus ${networks.join(", ")}`,
    howToUse: "So verwenden Sie ihn",
    asHeader:
      "Senden Sie ihn bei jeder Anfrage in der Kopfzeile mit und schreiben Sie ihn nie in eine Adresse:",
    service: (address) =>
      `Der MCP-Dienst ist unter ${address} erreichbar (Streamable HTTP). Viele Programme nehmen eine Konfiguration wie diese:`,
    interface: (address, root) =>
      `Die Verwaltungsschnittstelle ist unter ${address} erreichbar; ${root} sagt, was der Schlüssel darf.`,
    ifLost: (contact) =>
      `Wenn der Schlüssel verloren geht oder in falsche Hände gerät, [schreiben Sie uns](${contact}): Wir ersetzen ihn.`,
  },

  form: {
    putRight: "Bitte berichtigen Sie das",
    notSent: (title) => `Noch nicht gesendet – ${title}`,
    optional: "freiwillig",
    leaveEmpty: "Lassen Sie dieses Feld leer",
    isAt: (address) => ["Das Formular steht unter ", address, ":"],
  },

  errors: {
    400: "Die Anfrage ließ sich nicht verstehen.",
    403: "Das ist hier nicht erlaubt.",
    404: "Unter dieser Adresse gibt es nichts.",
    405: "Diese Adresse nimmt das nicht an.",
    413: "Das ist zu groß.",
    415: "Diese Art von Daten wird hier nicht angenommen.",
    429: "Das waren zu viele Anfragen. Warten Sie kurz und versuchen Sie es noch einmal.",
    500: "Bei uns ist etwas schiefgegangen. Versuchen Sie es später noch einmal.",
    503: "Die Website ist gerade überlastet oder wird gewartet. Versuchen Sie es gleich noch einmal.",
    homePage: "Startseite",
    request: "Anfrage",
  },

  faults: {
    nameMissing: "Nennen Sie uns Ihren Namen",
    emailMissing: "Geben Sie eine E-Mail-Adresse an",
    emailWrong: "Geben Sie eine E-Mail-Adresse an, wie name@example.org",
    messageMissing: "Schreiben Sie Ihre Nachricht",
    taskMissing: "Sagen Sie uns, wofür der Schlüssel ist",
    accessMissing: "Wählen Sie Lesen oder Lesen und Schreiben",
    codeMissing: "Geben Sie Ihren Abholcode ein",
    codeWrong: "Dieser Abholcode ist ungültig, schon benutzt oder abgelaufen",
    severalLines: "Schreiben Sie das in eine Zeile",
    controlCharacters: "Lassen Sie Steuerzeichen weg: Sie lassen sich nicht anzeigen",
    tooLong: (charactersMax) => `Höchstens ${number(charactersMax)} Zeichen`,
    other: "Schreiben Sie das anders: So lässt es sich nicht verwenden",
    formTampered:
      "Das Formular kam nicht von dieser Seite in ihrer jetzigen Form: Sehen Sie es durch und senden Sie es noch einmal",
    formOld:
      "Dieses Formular wurde vor mehr als einem Tag geöffnet: Sehen Sie es durch und senden Sie es noch einmal",
    formTooFast:
      "Das ging schneller, als ein Mensch ein Formular ausfüllt: Sehen Sie es durch und senden Sie es noch einmal",
    notSaved:
      "Wir können Ihre Eingabe gerade nicht speichern. Sie steht unverändert unten: Senden Sie sie in einer Minute noch einmal oder schreiben Sie uns eine E-Mail",
    codeNotChecked:
      "Wir können Ihren Code gerade nicht prüfen. Er gilt weiter: Geben Sie ihn in einer Minute noch einmal ein",
    sentTooOften: (times, left) =>
      `Aus Ihrem Netz wurde dieses Formular in einer Stunde ${number(times)} Mal gesendet: Senden Sie es in ${minutes(left)} noch einmal oder schreiben Sie uns eine E-Mail`,
    triedTooOften: (times, left) =>
      `Aus Ihrem Netz wurden in einer Stunde ${number(times)} Codes versucht: Versuchen Sie es in ${minutes(left)} noch einmal`,
  },
};
