import type { AccountChange, AccountChangedTexts } from "./account-changed-english.ts";

const CHANGES: Readonly<Record<AccountChange, string>> = {
  password: "wurde Ihr Passwort geändert. Andere Browser wurden abgemeldet.",
  secondFactorOn: "wurde der zweite Faktor Ihres Kontos eingeschaltet.",
  secondFactorOff: "wurde der zweite Faktor Ihres Kontos ausgeschaltet.",
  passkeyAdded:
    "wurde Ihrem Konto ein Passkey hinzugefügt. Mit ihm meldet man sich ohne Ihr Passwort an.",
  passkeyRemoved:
    "wurde ein Passkey aus Ihrem Konto entfernt. Mit ihm kann sich niemand mehr anmelden.",
  passkeysRemoved:
    "wurden alle Passkeys Ihres Kontos entfernt, und Sie wurden überall abgemeldet. Melden Sie sich mit Ihrem Passwort an.",
  role: "wurde Ihre Rolle geändert und damit, was Sie tun dürfen.",
};

export const GERMAN_ACCOUNT_CHANGED_TEXTS: AccountChangedTexts = {
  language: "de",
  subject: (site) => `Ihr Konto bei ${site} wurde geändert`,
  greeting: (name) => `Guten Tag ${name},`,
  changed: (site, change) => `bei ${site} ${CHANGES[change]}`,
  otherwise: (address) =>
    `Wenn Sie davon wissen, müssen Sie nichts tun. Wenn nicht, ändern Sie unter ${address} Ihr Passwort, beenden Sie dort alle anderen Sitzungen, und wenden Sie sich an eine Inhaberin oder einen Inhaber der Website.`,
};
