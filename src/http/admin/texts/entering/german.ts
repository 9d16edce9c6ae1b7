import type { Texts } from "../english.ts";
import { GERMAN_PASSKEYS_TEXTS } from "../passkeys/german.ts";

export const GERMAN_SIGN_IN_TEXTS: Texts["entering"] = {
  fields: {
    email: "E-Mail-Adresse",
    name: "Ihr Name",
    password: "Passwort",
    newPassword: "Neues Passwort, mindestens 12 Zeichen",
    code: "Code",
  },
  signIn: "Anmelden",
  signInAt: (provider) => `Mit ${provider} anmelden`,
  passkeys: GERMAN_PASSKEYS_TEXTS,
  signInFirst: "Bitte zuerst anmelden",
  sessionEnded:
    "Ihre Sitzung ist abgelaufen; es wurde nichts geändert. Melden Sie sich in einem neuen Tab an und laden Sie diese Seite dann neu: Ihre Eingaben sind dann wieder da.",
  haveCode: "Ich habe einen Code und möchte ein Passwort wählen",
  lost: "Passwort vergessen oder Telefon verloren? Eine Inhaberin oder ein Inhaber der Website gibt Ihnen unter „Mitwirkende“ einen neuen Code oder schaltet Ihren zweiten Faktor aus.",
  claim: "Passwort wählen",
  save: "Speichern",
  setUp: "Das erste Konto einrichten",
  setUpHint:
    "Der Code steht im Fenster, in dem der Dienst gestartet wurde, oder in der Datei setup-code in dessen Datenordner. Wer den Server betreibt, hat ihn.",
  createAccount: "Konto anlegen",
  secondFactor: "Zweiter Faktor",
  enterCode:
    "Geben Sie den Code ein, den Ihre Authenticator-App zeigt, oder einen Ihrer Wiederherstellungscodes.",
  continue: "Weiter",
  notSignedIn: "Sie sind nicht angemeldet",
  providerFailed:
    "Die Anmeldung beim Anbieter war ungültig, hat zu lange gedauert oder wurde schon verwendet, oder zu ihrer E-Mail-Adresse gibt es hier kein Konto.",
};
