/** Texts of the Home page screen. */
export const ENGLISH_HOME_TEXTS = {
  title: "Home page",
  about:
    "The home page shows these parts one below the other. The arrows move a part; nothing changes for visitors before you save.",
  see: "See the home page",
  inLanguage: (language: string) => `Home page in ${language}`,
  automatic: "The usual parts",
  asMain: "As in the main language",
  own: "The parts as ordered here",
  inRow: (part: string, row: number) => `${part}, part ${row}`,
  moves: { up: "Move up", down: "Move down", remove: "Remove" },
  add: "Add a part",
  unsaved: "Not saved yet",
  save: "Save",
  addButton: "Add",
  edit: "Change this text",
  kinds: {
    introduction: {
      label: "Text of the home page",
      hint: "What the page with the address / says. While it is empty, the lists of the site.",
    },
    quotation_of_the_day: {
      label: "Quotation of the day",
      hint: "Another one every day, chosen by the site.",
    },
    search: { label: "Search", hint: "A box that searches the whole site." },
    sections: { label: "Lists of the site", hint: "Each list with the number of its items." },
    samples: { label: "Something of every list", hint: "A few items of each." },
    purpose: {
      label: "What the site is good for",
      hint: "As it says under Settings; nothing while that is empty.",
    },
    text: { label: "Own text", hint: "A welcome, a notice, a call for donations." },
    items: {
      label: "Chosen pages",
      hint: "Under a heading, in this order. Those that are not public are left out.",
    },
    newest: { label: "The newest", hint: "The latest items of one kind." },
    best: {
      label: "The first of a list",
      hint: "In the order of the list: quotations that editors chose come first.",
    },
    upcoming: { label: "Upcoming events", hint: "The next ones; nothing while there are none." },
  },
  parts: {
    markdown: "Text",
    title: "Heading",
    paths: "Pages",
    type: "Kind of content",
    items: "How many",
  },
  at: (row: number, label: string, line: number | null) =>
    `Part ${row}${label === "" ? "" : `, ${label}`}${line === null ? "" : ` ${line}`}`,
};
