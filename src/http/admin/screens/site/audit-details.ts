import { SCOPE_DESCRIPTIONS, SCOPES } from "../../../../access/actor.ts";
import { ROLES } from "../../../../access/people/roles.ts";
import type { Wording } from "../../../../errors.ts";
import { dateAndTimeText } from "../../texts/choose.ts";
import type { ScreenVisit } from "../frame/screen.ts";

/** Translations of details in the audit log, keyed by the whole detail. */
const TRANSLATED_DETAILS: Readonly<Record<string, Wording>> = {
  on: { en: "on", de: "eingeschaltet" },
  off: { en: "off", de: "ausgeschaltet" },
  mailed: { en: "mailed", de: "per Mail" },
  "no e-mail address": { en: "no e-mail address", de: "keine E-Mail-Adresse" },
  invitation: { en: "invitation", de: "Einladung" },
  reset: { en: "new password", de: "neues Passwort" },
  "with a passkey": { en: "with a passkey", de: "mit Passkey" },
  "through the provider": { en: "through the provider", de: "über den Anmeldedienst" },
};

/** Translations of the beginnings of details in the audit log. */
const TRANSLATED_BEGINNINGS: readonly (readonly [RegExp, Wording])[] = [
  [/^(\d+) left$/, { en: "$1 left", de: "noch $1" }],
  [/^leads to (?:the item )?/, { en: "leads to ", de: "führt zu " }],
  [/^in place of /, { en: "in place of ", de: "anstelle von " }],
  [/^Written by /, { en: "written by ", de: "geschrieben von " }],
  [/^Code \S+ until /, { en: "until ", de: "bis " }],
];

/** Phrases within details about keys, accounts and persons in the audit log, with their translations. */
const DETAIL_PARTS: readonly (readonly [RegExp, Wording])[] = [
  [/\bscopes: ?/g, { en: "", de: "" }],
  [/\brole: /g, { en: "role: ", de: "Rolle: " }],
  [/\bname: /g, { en: "name: ", de: "Name: " }],
  [/\bexpiresAt: /g, { en: "ends: ", de: "endet: " }],
  [/\bratePerMinute: /g, { en: "requests a minute: ", de: "Anfragen je Minute: " }],
  [/: never\b/g, { en: ": never", de: ": nie" }],
  [/: any\b/g, { en: ": any", de: ": alle" }],
  [/\bstate: active\b/g, { en: "active", de: "aktiv" }],
  [/\bstate: disabled\b/g, { en: "disabled", de: "gesperrt" }],
  [/\bname\b(?!:)/g, { en: "name", de: "Name" }],
  [/(?<!: )\bowner\b(?=;|$)/g, { en: "holder", de: "Inhaber" }],
  [/\bcontact\b/g, { en: "contact", de: "Kontakt" }],
  [/\bpurpose\b/g, { en: "purpose", de: "Zweck" }],
  [/\bnetworks: /g, { en: "networks: ", de: "Netze: " }],
  [/\btools: /g, { en: "tools: ", de: "Werkzeuge: " }],
  [/\bmessages: /g, { en: "messages: ", de: "Nachrichten: " }],
  [/\bkey requests: /g, { en: "key requests: ", de: "Schlüsselanfragen: " }],
  [/\bkeys: /g, { en: "keys: ", de: "Schlüssel: " }],
  [/\bmails: /g, { en: "mails: ", de: "Mails: " }],
  [/\baccount: no\b/g, { en: "account: no", de: "Konto: nein" }],
  [/\baccount: yes\b/g, { en: "account: yes", de: "Konto: ja" }],
];

const MOMENT_PATTERN = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;
const WORD_PATTERN = /\b[a-z]+(?::[a-z]+)?\b/g;
/** Matches actions whose details list properties such as scopes and roles. */
const ACTIONS_WITH_PROPERTIES = /^(?:admin|key|request|person)\./;

/** Translates the detail of an entry, which is stored in English, to the person's language. */
export function translateAuditDetail(visit: ScreenVisit, action: string, detail: string): string {
  const { texts } = visit;
  const { language } = texts;
  const whole = Object.hasOwn(TRANSLATED_DETAILS, detail) ? TRANSLATED_DETAILS[detail] : undefined;
  if (whole !== undefined) return whole[language];
  const listsProperties = ACTIONS_WITH_PROPERTIES.test(action);
  const parts = listsProperties
    ? [...TRANSLATED_BEGINNINGS, ...DETAIL_PARTS]
    : TRANSLATED_BEGINNINGS;
  const translated = parts.reduce(
    (text, [part, words]) => text.replace(part, words[language]),
    detail,
  );
  const dated = translated.replaceAll(MOMENT_PATTERN, (moment) => dateAndTimeText(visit, moment));
  if (!listsProperties) return dated;
  return dated.replaceAll(WORD_PATTERN, (word) => {
    const scope = SCOPES.find((each) => each === word);
    if (scope !== undefined) return SCOPE_DESCRIPTIONS[scope][language];
    const role = ROLES.find((each) => each === word);
    return role === undefined ? word : texts.people.roles[role];
  });
}
