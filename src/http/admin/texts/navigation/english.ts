export const ENGLISH_NAVIGATION_TEXTS = {
  title: "Navigation",
  about:
    "Addresses are pages of this site, as /about, or other sites, as https://example.org. A page without a label shows its title; one that is not public is left out until it is. An entry without an address heads those below it. The arrows move an entry; nothing changes for visitors before you save.",
  inLanguage: (language: string) => `Navigation in ${language}`,
  automatic: "By itself: the lists of the site, then pages with a position",
  own: "As ordered here",
  label: "Label",
  to: "Address",
  inRow: (part: string, row: number, isBelow: boolean) =>
    `${part}, line ${row}${isBelow ? ", below an entry" : ""}`,
  moves: {
    up: "Move up",
    down: "Move down",
    level: "Put below the entry before",
    out: "Put on the first level",
    remove: "Remove",
  },
  unsaved: "Not saved yet",
  save: "Save",
};
