/** Texts of the Appearance screen. */
export const APPEARANCE_ENGLISH = {
  title: "Appearance",
  look: "Look",
  looks: {
    classic: { name: "Classic", about: "A book: one serif, red rules, room to read." },
    modern: { name: "Modern", about: "Open and calm: a sans serif, cards, round corners." },
    broadsheet: {
      name: "Broadsheet",
      about: "A newspaper: a masthead, strong headlines, rules.",
    },
    archive: { name: "Archive", about: "A card index: old-style text with typewritten labels." },
  },
  colours: "Colours",
  coloursHint:
    "Everything else follows from these three, in dark surroundings too. Colours that are hard to read are refused, with the nearest that can be read.",
  accent: "Accent",
  paper: "Paper",
  ink: "Ink",
  own: { accent: "Own accent colour", paper: "Own paper colour", ink: "Own ink colour" },
  fonts: "Fonts",
  fontPairs: {
    source: "Source Serif",
    inter: "Inter",
    playfair: "Playfair Display with Source Serif",
    garamond: "EB Garamond with Plex Mono",
    system: "The fonts of the reader’s device",
  },
  width: "Width of the text",
  widths: { narrow: "Narrow", medium: "Medium", wide: "Wide" },
  asLook: "As the look has it",
  logo: "Logo",
  favicon: "Icon in the browser’s tab",
  none: "None",
  picturesHint: "The pictures of the site are offered here, newest first. Add others under:",
  slots: "Texts of your own",
  slotsHint: "In Markdown, up to 2,000 characters each.",
  slot: {
    header: "Note above the header",
    footer: "Footer",
    home: "On the home page",
    quotation: "After each quotation",
  },
  picturesFromElsewhere:
    "Show pictures of other sites in texts. Those sites then learn the network addresses of your readers.",
  css: "Style rules (CSS)",
  cssHint:
    "They follow those of the look. They may load only pictures of this site, and cover nothing.",
  preview: "Preview",
  previewTitle: "Preview of the home page",
  save: "Save",
};
