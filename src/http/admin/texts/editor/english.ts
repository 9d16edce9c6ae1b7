/** Texts of the editor. */
export const DRAFT_ENGLISH = {
  heading: (type: string) => `New: ${type}`,
  title: "Title",
  summary: "Summary",
  summaryHint: "One or two sentences for lists and search results, at most 300 characters.",
  body: "Text",
  bodyHint:
    "Markdown: **bold**, *italic*, [link](/address), ## heading, > quotation; an empty line for a new paragraph, \\ at the end of a line for a new line.",
  help: "Pictures, films, documents and more",
  helpLines: [
    [
      '![What it shows](/media/….jpg "The caption")',
      "A picture with a caption, alone in its paragraph.",
    ],
    [
      "![One](/media/….jpg)\n![Two](/media/….jpg)",
      "A gallery: pictures line by line, without empty lines between them.",
    ],
    [
      "[![The poster](/media/….jpg)](/media/….mp4)",
      "A film or a recording that a picture leads to.",
    ],
    [
      "[Minutes of May](/media/….pdf)",
      "A document to download: PDF, Word, Excel, PowerPoint, LibreOffice or ZIP.",
    ],
    ["| Name | Year |\n| --- | --- |\n| Ada | 1815 |", "A table."],
    ["- [x] done", "A list of tasks."],
    ["Otium\n: Leisure.", "A term and what it means."],
    ["Text[^1]\n\n[^1]: The note.", "A footnote."],
  ],
  more: "Address, language and dates",
  path: "Address",
  pathHint: "Leave empty for an address made from the title.",
  language: "Language",
  languageHint: "As en, de or pt-BR; empty: the language of the site.",
  oneEach: "One on each line.",
  partialDate: "A year, a month or a day: 1848, 1848-02 or 1848-02-21; -0043 for 44 BCE.",
  none: "None",
  yes: "Yes",
  no: "No",
  add: (label: string) => `Add: ${label}`,
  addHint: "Write the title or the address, one on each line.",
  unknown: "not found",
  save: "Save",
  preview: "Preview",
  publish: "Publish …",
  discard: "Discard the draft",
  saved: (when: string) => `Saved ${when} · not yet public`,
  by: (names: string) => `by ${names}`,
  notSaved: "Not saved",
  saving: "Saving …",
  savedAt: (time: string) => `Saved ${time} · not yet public`,
  unchanged: "Nothing changed yet · the public page stays as it is",
  othersAdded: "others’ changes were added",
  footnoteText: "Source",
  pickHint: "Type a few letters and choose from the list; Enter takes the first.",
  createNamed: (name: string) => `Create “${name}”`,
  translationOf: "Translation of",
  publishedAt: "Day of publication",
  translations: "Other languages",
  openTranslation: "Open",
  translate: "Begin a translation",
  keepMine: "Keep mine, as typed below",
  takeTheirs: "Take theirs",
  notDiscarded: (names: string) =>
    `Not discarded: the draft was saved in the meantime (${names}). This is how it is now; if it shall go, discard it again.`,
  conflictHint: "Struck out: theirs. Underlined: yours.",
  waiting: "No connection. What you typed is kept here and saved when it is back.",
  signIn: "Your session has ended. Sign in in another tab; what you typed stays here.",
  stale: "Someone else changed this. Press Save to see what.",
  conflict: "Someone else changed this meanwhile:",
  choose: "Someone else changed the same place. Choose below, then save again.",
  endedTitle: "This draft has ended",
  ended: "It was published or discarded in the meantime.",
  endedTyped: "Typed and not saved",
  endedItem: "To the page",
  behind: "These parts were changed on the site since this draft was begun:",
  ambiguous: (name: string) => `Several are called “${name}”. Give the address of one:`,
  tooMany: (count: string) => `At most ${count} links can be added at once.`,
  unmatched: (name: string) => `Nothing is called “${name}”.`,
};

/** Texts of the publish step. */
export const PUBLISH_ENGLISH = {
  title: "Publish",
  changes: "What changes",
  nothing: "The draft says nothing new.",
  newItem: "A new page will be public.",
  formerTitle: (title: string) =>
    `The title still has the former words: “${title}”. Correct it in the draft as well, or it is shown like that above the quotation.`,
  problems: "Before it can be published:",
  now: "Publish now",
  at: "Publish later, at",
  later: "Schedule",
  back: "Back to the draft",
  moves:
    "Texts link to the present address. If it was public, it leads on to the new one; better, change the links.",
  also: "Publish these with it; they are linked and not public yet",
  takePublic: "Take what is public now",
  settle: "Go on with this choice",
  savedMeanwhile: (names: string) =>
    `The draft was saved in the meantime (${names}). Look at the changes below, then go on.`,
  empty: "(empty)",
  unschedule: "Cancel the schedule",
};

/** Texts of earlier versions. */
export const VERSIONS_ENGLISH = {
  changedThen: "What it changed",
  changedSince: "What has changed since",
  same: "There is no difference.",
  back: "Back to the page",
};

/** Names of the buttons that write Markdown. */
export const TOOLBAR_ENGLISH = {
  label: "Formatting",
  heading: "Heading",
  bold: "Bold",
  italic: "Italic",
  link: "Link",
  quote: "Quotation",
  list: "List",
  numbers: "Numbered list",
  footnote: "Footnote",
};
