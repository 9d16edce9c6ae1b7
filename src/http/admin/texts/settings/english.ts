export const SETTINGS_ENGLISH = {
  title: "Settings",
  name: "Name of the site",
  description: "What it is about, in one sentence",
  language: "Main language",
  languageHint: "As a language tag: en for English, de for German, en-GB for British English.",
  otherLanguage: (count: string, language: string) =>
    `Still marked as ${language}: ${count} ${count === "1" ? "item" : "items"}. If that was only because of the former main language, correct it here.`,
  relabel: (language: string) => `Mark all of them as ${language}`,
  timeZone: "Time zone",
  timeZoneHint:
    "It decides when something is published and which day it is; for example Europe/Vienna.",
  whenToUse: "What it is useful for",
  whenToUseHint: "Research agents read this. One purpose on each line.",
  email: "E-mail address of the editors",
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
