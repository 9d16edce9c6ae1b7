import type { LookName } from "../../content/site/look/look.ts";

/** A twentieth-century book: one serif, red rules, generous leading. */
const CLASSIC = `
:root { --leading: 1.65; --size: 1.125rem; --round: 3px; --indent: calc(1.35rem + 3px); }
header { border-block-end: 1px solid var(--line); }
body::before { content: ""; display: block; height: 4px; background: var(--accent); }
h1 { font-weight: 500; }
h2 { padding-block-end: 0.3rem; border-block-end: 1px solid var(--line); font-size: 1.4rem; }
.saying, .quote blockquote { padding-inline-start: 1.35rem; border-inline-start: 3px solid var(--accent); }
.quote, .quote + .quote { border: 0; padding-block: 0.5rem 1.6rem; }
.quote figcaption, .caution, .saying ~ :is(.source, .lead), .source + .aside { padding-inline-start: var(--indent); }
.lead:not(:lang(ar), :lang(he), :lang(zh), :lang(ja)) { font-style: italic; }
`;

/** Calm and open: one sans serif, cards, rounded corners, colour only on controls and links. */
const MODERN = `
:root { --leading: 1.6; --size: 1.0625rem; --round: 10px; --head-weight: 680; }
header { padding-block: 1.25rem; }
h1 { letter-spacing: -0.028em; }
h2 { letter-spacing: -0.015em; }
.site-name { letter-spacing: -0.015em; font-weight: 680; }
.quote, .quote + .quote { margin-block-end: 1rem; padding: 1.4rem 1.5rem 1.25rem; border: 1px solid var(--line); border-radius: 14px; background: var(--raised); }
.saying { padding: 1.75rem 1.75rem 1.5rem; border-radius: 18px; background: var(--raised); font-weight: 450; letter-spacing: -0.012em; }
.facts { padding: 1rem 1.5rem; border: 1px solid var(--line); border-radius: 14px; }
.entries li { border: 0; }
.entries li { margin-block-end: 0.35rem; padding: 0.75rem 1rem; border-radius: var(--round); background: var(--raised); }
.entries p > a:first-child:not(:has(mark)) { font-weight: 550; }
[id^="chosen-"] + .entries { gap: 0.75rem; }
[id^="chosen-"] + .entries li { margin: 0; }
.index .entries li { margin: 0; padding: 0.3rem 0; background: none; }
main button { border-color: var(--accent); background: var(--accent); color: var(--on-accent); font-weight: 550; }
main button:hover { border-color: var(--ink); background: var(--ink); color: var(--paper); }
.search-header input, .search-page input { border-radius: 999px; padding-inline: 1rem; }
.search-header button, .search-page button, .menu-button, .controls a { border-radius: 999px; padding-inline: 1rem; }
`;

/** A newspaper: a centred masthead between rules, high-contrast headlines, quotations in columns. */
const BROADSHEET = `
:root { --leading: 1.58; --size: 1.0625rem; --frame: 60rem; --round: 0px; --head-weight: 700; }
h1 { font-size: clamp(2rem, 1.1rem + 3.4vw, 3.4rem); letter-spacing: -0.018em; line-height: 1.06; }
h2 { padding-block-start: 0.5rem; border-block-start: 3px double var(--ink); font-size: 1.5rem; }
.index h2:first-child { padding: 0; border: 0; }
.site-name { font-weight: 800; letter-spacing: -0.01em; }
.saying { border-block: 1px solid var(--line); padding-block: 1.75rem; font-family: var(--head-font); text-align: center; font-size: clamp(1.5rem, 1rem + 2.2vw, 2.3rem); line-height: 1.28; text-wrap: balance; }
.saying:has(br, p + p, ul, ol) { text-align: start; text-wrap: pretty; font-size: clamp(1.35rem, 1rem + 1.4vw, 1.8rem); line-height: 1.4; }
.quote blockquote { font-family: var(--head-font); font-size: 1.2em; line-height: 1.4; }
#quotation-of-the-day + .quote blockquote { font-size: clamp(1.5rem, 1rem + 2.2vw, 2.1rem); line-height: 1.28; }
.saying:not(:has(br, p + p, ul, ol)) ~ :is(.source, .source + .aside, .lead) { text-align: center; text-wrap: balance; }
.caution:has(+ .saying):not(:has(+ .saying :is(br, p + p, ul, ol))) { text-align: center; }
.lead { font-size: 1.25em; color: var(--ink); }
.initial:not(:lang(ar), :lang(he), :lang(zh), :lang(ja)) > p:first-child::first-letter { float: inline-start; padding-right: 0.1em; font: 700 3.35em/0.8 var(--head-font); color: var(--accent); }
@media (min-width: 42.01rem) {
  header { --side: minmax(11.5rem, 1fr); display: grid; grid-template-columns: var(--side) minmax(0, auto) var(--side); border-block-end: 4px double var(--ink); padding-block: 1.75rem 0; }
  .site-name { grid-column: 2; font-size: 2.2rem; line-height: 1.1; text-align: center; text-wrap: balance; }
  .site-name a { flex-direction: column; gap: 0.4rem; }
  .search-header { justify-self: end; }
  .search-header input { width: 6.5rem; }
  .main-links { grid-column: 1 / -1; margin-block-start: 0.9rem; padding-block: 0.4rem; border-block-start: 1px solid var(--ink); }
  .main-links > ul { justify-content: center; }
}
@media (max-width: 42rem) { header { border-block-end: 4px double var(--ink); } }
`;

/** A card index: typewritten labels, ruled cards, an old-style text face. */
const ARCHIVE = `
:root { --leading: 1.5; --size: 1.25rem; --round: 0px; --head-weight: 500; }
header, footer, .facts, .trail, .letters, .paging, form, .quote figcaption, .caution { font-size: 0.85rem; }
header { border-block-end: 2px solid var(--ink); }
.site-name { font: 600 1rem/1.3 var(--label-font); letter-spacing: -0.02em; }
.main-links > ul { column-gap: 0.75rem; }
h1 { font-size: clamp(1.9rem, 1.4rem + 2vw, 2.7rem); }
h2 { margin-block-start: 2.6em; font: 600 0.95rem/1.4 var(--label-font); letter-spacing: 0.01em; color: var(--accent); }
h2::before { content: "§ "; }
.quote, .quote + .quote, .saying { margin-block: 0 1.25rem; padding: 1.25rem 1.4rem; border: 1px solid var(--control); border-block-start: 5px solid var(--accent); background: var(--raised); }
.saying { margin-block: 1.25rem 1.75rem; padding-block: 1.6rem; }
.quote figcaption { margin-block-start: 0.85rem; padding-block-start: 0.6rem; border-block-start: 1px dotted var(--control); }
.entries { border-block-start: 1px dotted var(--control); }
.entries li { border-block-end: 1px dotted var(--control); }
.index .entries, .index .entries li { border: 0; }
.index h2 { margin-block: 1.6rem 0.3rem; }
.index h2:first-child { margin-block-start: 0; }
.entries .seal, .aside .seal { font-size: 0.8em; }
pre, :not(pre) > code { font-size: 0.75em; }
.facts { border-block: 1px dotted var(--control); }
.lead:not(:lang(ar), :lang(he), :lang(zh), :lang(ja)) { font-style: italic; }
`;

/** The style rules of each look, in addition to the rules that all looks share. */
export const LOOK_STYLES: Readonly<Record<LookName, string>> = {
  classic: CLASSIC,
  modern: MODERN,
  broadsheet: BROADSHEET,
  archive: ARCHIVE,
};
