/** Texts of the Navigation screen. */
export const NAVIGATION_ENGLISH = {
  title: "Navigation",
  about:
    "Addresses are pages of this site, as /about, or other sites, as https://example.org. A page without a label shows its title; one that is not public is left out until it is. An entry without an address heads those below it. To remove an entry, empty its line; to move it, change its number.",
  inLanguage: (language: string) => `Navigation in ${language}`,
  automatic: "By itself: the lists of the site, then pages with a position",
  own: "As ordered here",
  position: "No.",
  label: "Label",
  to: "Address",
  level: "Level",
  top: "First",
  below: "Below the entry before",
  inRow: (part: string, row: number) => `${part}, line ${row}`,
  save: "Save",
};
