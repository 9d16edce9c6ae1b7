/** Kinds of changes to a person's account. */
export type AccountChange =
  | "password"
  | "secondFactorOn"
  | "secondFactorOff"
  | "passkeyAdded"
  | "passkeyRemoved"
  | "passkeysRemoved"
  | "role";

const CHANGES: Readonly<Record<AccountChange, string>> = {
  password: "your password was changed, and other browsers were signed out.",
  secondFactorOn: "the second factor of your account was turned on.",
  secondFactorOff: "the second factor of your account was turned off.",
  passkeyAdded: "a passkey was added to your account. It signs in without your password.",
  passkeyRemoved: "a passkey was removed from your account and no longer signs in.",
  passkeysRemoved:
    "all passkeys of your account were removed, and you were signed out everywhere. Sign in with your password.",
  role: "your role was changed, and with it what you may do.",
};

/** Texts of the mail about a changed account. */
export const ENGLISH_ACCOUNT_CHANGED_TEXTS = {
  language: "en",
  subject: (site: string) => `Your account at ${site} was changed`,
  greeting: (name: string) => `Hello ${name},`,
  changed: (site: string, change: AccountChange) => `at ${site}, ${CHANGES[change]}`,
  otherwise: (address: string) =>
    `If you know about this, you need do nothing. If not, change your password at ${address}, end all other sessions there, and ask an owner of the site.`,
};

export type AccountChangedTexts = typeof ENGLISH_ACCOUNT_CHANGED_TEXTS;
