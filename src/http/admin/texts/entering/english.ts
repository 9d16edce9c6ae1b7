import { ENGLISH_PASSKEYS_TEXTS } from "../passkeys/english.ts";

export const ENGLISH_SIGN_IN_TEXTS = {
  fields: {
    email: "E-mail address",
    name: "Your name",
    password: "Password",
    newPassword: "New password, at least 12 characters",
    code: "Code",
  },
  signIn: "Sign in",
  signInAt: (provider: string) => `Sign in at ${provider}`,
  passkeys: ENGLISH_PASSKEYS_TEXTS,
  signInFirst: "Sign in first",
  sessionEnded:
    "Your session has ended, and nothing was changed. Sign in in a new tab, then load this page again: what you typed comes back.",
  haveCode: "I have a code and want to choose a password",
  lost: "Lost your password or your phone? Ask an owner of this site: under People they give you a new code, or turn off your second factor.",
  claim: "Choose a password",
  save: "Save",
  setUp: "Set up the first account",
  setUpHint:
    "The code was printed where the service was started, or is in the file setup-code of its data folder. The operator of the server has it.",
  createAccount: "Create the account",
  secondFactor: "Second factor",
  enterCode: "Enter the code that your authenticator app shows, or one of your recovery codes.",
  continue: "Continue",
  notSignedIn: "You are not signed in",
  providerFailed:
    "The sign-in at the provider was not valid, took too long or was used before, or there is no account here for its e-mail address.",
};
