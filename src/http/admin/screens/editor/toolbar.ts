import { html, type SafeHtml, trustedHtml } from "../../../../render/html.ts";
import type { Texts } from "../../texts/english.ts";

/** SVG paths on a 16 × 16 grid, drawn in the text colour. */
const BUTTON_ICONS = {
  heading: "M4 3v10M12 3v10M4 8h8",
  bold: "M5 3h4a2.5 2.5 0 0 1 0 5H5zM5 8h5a2.5 2.5 0 0 1 0 5H5z",
  italic: "M7 3h5M4 13h5M9.500 3l-3 10",
  link: "M6.500 9.500l3-3M7 4.500l1.500-1.500a3.200 3.200 0 0 1 4.500 4.500L11.500 9M9 11.500L7.500 13A3.200 3.200 0 0 1 3 8.500L4.500 7",
  quote: "M3 4v8M6 5h7M6 8h7M6 11h5",
  list: "M6 4h7M6 8h7M6 12h7M3 4h.010M3 8h.010M3 12h.010",
  numbers: "M7 4h6M7 8h6M7 12h6M2.500 3l1-.500v3.500M2.500 9.500h2l-2 3h2",
  picture: "M2.500 3.500h11v9h-11zM2.500 11l3-3.500l2.500 2.500l2-2l3.500 3.500M10.500 6h.010",
  footnote: "M3 13L6 4l3 9M4 10h4M11.500 2.500l1-.500v4",
} as const;

/** Buttons that insert Markdown into a text area; hidden until their script runs. */
export function toolbarHtml(area: string, texts: Texts): SafeHtml {
  const { toolbar: t } = texts;
  return html`<markdown-toolbar for="${area}" aria-label="${t.label}">
<md-header level="2"${labelAttributes(t.heading)} tabindex="0">${icon("heading")}</md-header>
<md-bold${labelAttributes(t.bold)} tabindex="-1">${icon("bold")}</md-bold>
<md-italic${labelAttributes(t.italic)} tabindex="-1">${icon("italic")}</md-italic>
<md-link${labelAttributes(t.link)} tabindex="-1">${icon("link")}</md-link>
<md-quote${labelAttributes(t.quote)} tabindex="-1">${icon("quote")}</md-quote>
<md-unordered-list${labelAttributes(t.list)} tabindex="-1">${icon("list")}</md-unordered-list>
<md-ordered-list${labelAttributes(t.numbers)} tabindex="-1">${icon("numbers")}</md-ordered-list>
<button type="button" data-md-button data-footnote${labelAttributes(t.footnote)} tabindex="-1">${icon("footnote")}</button>
<button type="button" data-md-button${pickerAttributes(area, texts)}${labelAttributes(texts.media.picture)} tabindex="-1">${icon("picture")}</button>
</markdown-toolbar>
`;
}

/** A button that picks a picture and puts its address into an input; hidden until its script runs. */
export function pictureButton(input: string, texts: Texts): SafeHtml {
  return html`<button type="button" class="quiet" hidden${pickerAttributes(input, texts)}>${texts.media.pickTitle}</button>`;
}

function pickerAttributes(control: string, { media: m }: Texts): SafeHtml {
  return html` data-picture="${control}" data-title="${m.pickTitle}" data-search="${m.search}" data-choose="${m.choose}" data-words="${m.words}" data-caption="${m.caption}" data-decorative="${m.decorative}" data-insert="${m.insert}" data-close="${m.close}" data-none="${m.nothingFound}" data-uploading="${m.uploading}" data-failed="${m.failed}" data-unkept="${m.unkept}"`;
}

function labelAttributes(label: string): SafeHtml {
  return html` aria-label="${label}" title="${label}"`;
}

function icon(name: keyof typeof BUTTON_ICONS): SafeHtml {
  return html`<svg viewBox="0 0 16 16" aria-hidden="true"><path d="${trustedHtml(BUTTON_ICONS[name])}"/></svg>`;
}
