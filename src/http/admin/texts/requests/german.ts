import type { ENGLISH_REQUESTS_TEXTS } from "./english.ts";

export const GERMAN_REQUESTS_TEXTS: typeof ENGLISH_REQUESTS_TEXTS = {
  title: "Schlüsselanfragen",
  none: "Keine Anfragen. Wer die Website mit einem Agenten durchsuchen will, fragt auf der Kontaktseite nach einem Schlüssel.",
  from: "Von",
  task: "Wofür",
  data: "Benötigte Daten",
  access: "Zugriff",
  accesses: { read: "Lesen", write: "Lesen und schreiben" },
  email: "E-Mail",
  received: "Eingegangen",
  state: "Status",
  states: {
    pending: "Offen",
    approved: "Genehmigt",
    claimed: "Schlüssel abgeholt",
    declined: "Abgelehnt",
    expired: "Abgelaufen",
  },
  rate: "Anfragen je Minute",
  expires: "Der Schlüssel läuft ab am",
  expiresHint: "Leer: unbefristet.",
  approve: "Genehmigen",
  approveHint:
    "Erlaubt Agenten das Lesen. Wer anfragt, erhält einen Code, der einmal gilt – per Mail, wenn Mail eingerichtet ist.",
  approveAfterAll: "Doch noch genehmigen",
  decline: "Ablehnen",
  declinedWhy: "Begründung",
  reason: "Begründung; sie wird zugeschickt",
  code: "Geben Sie diesen Code weiter. Er gilt einmal, sieben Tage lang, unter",
  mailed: "Der Code wurde per Mail verschickt.",
};
