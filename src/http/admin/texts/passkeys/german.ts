import type { ENGLISH_PASSKEYS_TEXTS } from "./english.ts";

export const GERMAN_PASSKEYS_TEXTS: typeof ENGLISH_PASSKEYS_TEXTS = {
  title: "Passkeys",
  signIn: "Mit Passkey anmelden",
  why: "Mit einem Passkey melden Sie sich per Fingerabdruck, Gesicht oder PIN Ihres Geräts an, ohne Passwort und Code. Er lässt sich nicht erraten und funktioniert auf keiner gefälschten Seite. Ihr Passwort gilt weiterhin.",
  name: "Name, zum Beispiel „Telefon“ oder „Laptop“",
  add: "Passkey hinzufügen",
  remove: (name) => `„${name}“ entfernen`,
  added: "hinzugefügt",
  lastUsed: "zuletzt benutzt",
  isBackedUp: "in einem Passwortmanager",
  isOnOneDevice: "auf einem einzigen Gerät",
  otherHost: (host) =>
    `Er wurde für ${host} erstellt und funktioniert unter der jetzigen Adresse der Website nicht. Entfernen Sie ihn und fügen Sie einen neuen hinzu.`,
  noName: (host) =>
    `Unter ${host} funktionieren sie nicht: Sie brauchen einen Namen statt einer IP-Adresse.`,
  unsupported: "Zum Hinzufügen brauchen Sie einen aktuellen Browser mit JavaScript.",
  cancelled:
    "Es ist nichts passiert: Sie haben abgebrochen, oder auf diesem Gerät gibt es keinen Passkey für diese Website.",
  notAdded:
    "Es wurde kein Passkey hinzugefügt: Sie haben abgebrochen, oder dieses Gerät kann keinen erstellen.",
  exists: "Auf diesem Gerät gibt es schon einen Passkey für Ihr Konto.",
  wrongAddress: (origin) =>
    `Passkeys funktionieren nur unter ${origin}: Öffnen Sie die Seite dort.`,
  failed: "Das hat nicht geklappt. Versuchen Sie es noch einmal.",
  removeAll: "Alle Passkeys entfernen",
  removeAllHint:
    "Für ein verlorenes oder gestohlenes Gerät. Die Person wird überall abgemeldet und bekommt eine Mail.",
};
