/** Texts of the screen that shows the data stored about a person. */
export const ENGLISH_PERSONAL_DATA_TEXTS = {
  title: "Personal data",
  hint: "When a person asks what you keep of them, or asks you to erase it. The address is not put into any log.",
  email: "E-mail address of the person",
  find: "Show what is kept",
  kept: "Kept under this address",
  nothing: "Nothing is kept under this address.",
  messages: (count: string) => `Messages: ${count}`,
  keyRequests: (count: string) => `Requests for keys: ${count}`,
  keys: (count: string) => `Keys: ${count}`,
  mails: (count: string) => `Mails waiting or sent: ${count}`,
  account: (role: string) => `An account (${role})`,
  siteContact:
    "The site gives this address as its contact, on its pages too; change that in the settings.",
  download: "Download all of it",
  erase: "Erase all of it",
  eraseHint:
    "Messages and mails are deleted. Keys are revoked and the account is closed; both stay without a name, because other entries refer to them. This cannot be undone. Backups keep it until you delete them, and published texts stay.",
  again: "Type the address again",
  differs: "The two addresses differ: nothing was erased",
  erased: "Erased",
  erasedHint: "What was kept under this address is erased.",
};
