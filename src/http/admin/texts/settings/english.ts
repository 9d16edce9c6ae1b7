export const ENGLISH_SETTINGS_TEXTS = {
  title: "Settings",
  name: "Name of the site",
  description: "What it is about, in one sentence",
  language: "Main language",
  languageHint: "By its name, such as German, or as a tag, such as en-GB for British English.",
  otherLanguage: (count: string, language: string) =>
    `Still marked as ${language}: ${count} ${count === "1" ? "item" : "items"}. If that was only because of the former main language, correct it here.`,
  relabel: (language: string) => `Mark all of them as ${language}`,
  timeZone: "Time zone",
  timeZoneHint:
    "It decides when something is published and which day it is; for example Europe/Vienna.",
  whenToUse: "What it is useful for",
  whenToUseHint: "Research agents read this. One purpose on each line.",
  email: "E-mail address of the editors",
  licence: "Licence of your own texts",
  licenceHint: "For example CC BY 4.0. It is named at the end of every page.",
  licenceUrl: "Address of the licence",
  retention: "How long data is kept, in days",
  retentionHint: "Your privacy page states these periods: change them there too.",
  messageDays: "Messages and requests for keys, after their last change",
  statisticsDays: "What was searched for and read, by day",
  isOpen: "The site is open",
  isHidden: "The site is hidden",
  openHint:
    "Everybody can see what is public. Hidden, visitors and agents only read that it opens soon.",
  hiddenHint: "Visitors and agents only read that it opens soon. You see it under “View the site”.",
  open: "Open the site",
  hide: "Hide the site",
  save: "Save",
};

/** Texts of the Languages screen. */
export const ENGLISH_LANGUAGES_TEXTS = {
  title: "Languages",
  about:
    "Each language has a home page, lists, navigation and search of its own. Items are translated one by one, in their drafts.",
  main: (language: string) => `The main language is ${language}. You change it under`,
  variant:
    "Items may be in it; they are shown in the lists of the language that it is a variant of.",
  emptyHint: "What you leave empty is shown as in the main language.",
  add: "Another language",
  addButton: "Add this language",
  save: (language: string) => `Save the texts in ${language}`,
  remove: (language: string) => `Remove ${language} from the site`,
  removeHint:
    "Its home page and lists go; items in it stay public and move to the lists of the main language. These texts are kept, should you add the language again.",
  ofLanguage: (label: string, language: string) => `${label} (${language})`,
};
