export const ENGLISH_PASSKEYS_TEXTS = {
  title: "Passkeys",
  signIn: "Sign in with a passkey",
  why: "With a passkey, your fingerprint, face or the PIN of your device signs you in, without password and code. It cannot be guessed or used on a false page. Your password still works.",
  name: "Name, such as “Phone” or “Laptop”",
  add: "Add a passkey",
  remove: (name: string) => `Remove “${name}”`,
  added: "added",
  lastUsed: "last used",
  isBackedUp: "in a password manager",
  isOnOneDevice: "on one device",
  otherHost: (host: string) =>
    `It was made for ${host} and does not work at the site’s present address. Remove it and add a new one.`,
  noName: (host: string) =>
    `They do not work at ${host}: they need a name instead of an IP address.`,
  unsupported: "To add one, you need a current browser with JavaScript.",
  cancelled: "Nothing happened: you cancelled, or this device has no passkey for this site.",
  notAdded: "No passkey was added: you cancelled, or this device cannot make one.",
  exists: "This device has a passkey for your account already.",
  wrongAddress: (origin: string) => `Passkeys work at ${origin} only: open the page there.`,
  failed: "That did not work. Try again.",
  removeAll: "Remove all passkeys",
  removeAllHint:
    "For a lost or stolen device. The person is signed out everywhere and gets a mail.",
};
