/**
 * CSS rules shared by all looks: typography, spacing and the frame of a page. The rules of each
 * look are in a later cascade layer.
 */
export const BASE_STYLE = `
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; scroll-padding-block-start: 1rem; }
body {
  --gutter: max(1.25rem, env(safe-area-inset-left), env(safe-area-inset-right));
  --line-length: 38em;
  margin: 0;
  background: var(--paper);
  color: var(--ink);
  font: var(--size)/var(--leading) var(--text-font);
  font-optical-sizing: auto;
  font-kerning: normal;
  overflow-wrap: break-word;
  accent-color: var(--accent);
}
header, .above, main, footer { width: min(var(--measure), 100% - 2 * var(--gutter)); margin-inline: auto; }
header, footer { width: min(var(--frame, var(--measure)), 100% - 2 * var(--gutter)); }
a { color: var(--link); text-decoration-color: color-mix(in srgb, currentColor 45%, transparent); text-decoration-thickness: 0.06em; text-underline-offset: 0.2em; }
main a:visited { color: var(--visited); }
a:hover { text-decoration-color: currentColor; text-decoration-thickness: 0.12em; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 2px; }
::selection { background: var(--mark); color: var(--ink); }
.visually-hidden:not(:focus-within) {
  position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden;
  clip-path: inset(50%); white-space: nowrap;
}
.skip { position: absolute; inset-inline-start: -100vw; padding: 0.5rem 1rem; background: var(--paper); }
.skip:focus { inset-inline-start: 0.5rem; inset-block-start: 0.5rem; z-index: 3; }

.site-note { padding: 0.4rem var(--gutter); background: var(--raised); font: 0.9rem/1.5 var(--label-font); text-align: center; }
.site-note p { margin: 0; }

header { display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem 1.5rem; padding-block: 1.1rem 0.7rem; font: 0.9375rem/1.4 var(--label-font); }
.site-name { flex: 1 1 0; min-width: min(12rem, 100%); margin: 0; font: 600 1.2rem/1.25 var(--head-font); }
.site-name a { display: flex; align-items: center; gap: 0.7rem; min-height: 2.25rem; color: var(--ink); text-decoration: none; }
.site-name span { overflow-wrap: anywhere; hyphens: auto; hyphenate-limit-chars: 16 6 6; }
.logo { display: block; flex: none; width: auto; height: 2.5rem; max-width: 12rem; object-fit: contain; }
.menu-button { display: none; }
.menu { display: contents; position: static; }
.main-links { flex-basis: 100%; }
nav ul, nav ol { display: flex; flex-wrap: wrap; gap: 0 0.9rem; margin: 0; padding: 0; list-style: none; }
nav a, .menu summary { display: inline-block; min-width: 24px; padding: 0.35rem 0; color: var(--ink); text-decoration: none; cursor: pointer; }
.menu summary::after { content: "▾" / ""; display: inline-block; margin-inline-start: 0.3em; font-size: 0.85em; }
nav a:hover, .menu summary:hover { color: var(--link); text-decoration: underline; }
nav a[aria-current="page"] { color: var(--link); font-weight: 600; }
.menu details { position: relative; }
.menu details ul { display: block; position: absolute; inset-block-start: 100%; inset-inline-start: -0.9rem; z-index: 2; min-width: 12rem; padding: 0.5rem 0.9rem; border: 1px solid var(--line); background: var(--paper); box-shadow: 0 8px 24px rgb(0 0 0 / 12%); }
.above { display: flex; flex-wrap: wrap; align-items: baseline; justify-content: space-between; gap: 0 1.5rem; padding-block-start: 0.75rem; font: 0.875rem/1.4 var(--label-font); }
.trail ol { gap: 0 0.5rem; }
.trail a { color: var(--soft); }
.trail li + li::before { content: "/"; padding-inline-end: 0.5rem; color: var(--soft); }

main { padding-block: 1.25rem 4rem; }
.above + main { padding-block-start: 0; }
h1, h2, h3, h4, h5, h6 { margin: 2.2em 0 0.6em; font-family: var(--head-font); font-weight: var(--head-weight, 600); line-height: 1.2; text-wrap: balance; hyphens: auto; hyphenate-limit-chars: 16 6 6; }
h1 { margin-block: 0.55rem 1.25rem; font-size: clamp(1.75rem, 1.2rem + 2.2vw, 2.6rem); letter-spacing: -0.012em; line-height: 1.12; }
h2 { font-size: 1.45rem; }
h3 { font-size: 1.15em; }
h4, h5, h6 { font-size: 1em; }
h1 + h2 { margin-block-start: 1rem; }
p, ul, ol, dl, table, pre, blockquote, figure { margin: 0 0 1em; }
:where(.text, blockquote) :is(ul, ol) { padding-inline-start: 1.5em; }
li > :is(ul, ol) { margin-block: 0.25em; }
.lead, main > p:not([class]), .text > :is(p, figure, ul:not(.gallery), ol, dl, blockquote) { max-width: var(--line-length); }
.text p, .lead, .aside, blockquote, figcaption { text-wrap: pretty; }
blockquote p:has(br) { text-indent: 1.25em hanging each-line; }
.text { hyphens: auto; hyphenate-limit-chars: 8 4 4; }
.byline { margin-block-end: 1.25rem; color: var(--soft); font: 0.9375rem/1.5 var(--label-font); }
h1 + .byline { margin-block-start: -0.7rem; }
.lead { margin-block-end: 1.75rem; color: var(--soft); font-size: 1.2em; line-height: 1.5; }
h1.visually-hidden + .lead { margin-block: 0.5rem 2rem; color: var(--ink); font-size: clamp(1.35rem, 1.1rem + 0.9vw, 1.65rem); line-height: 1.35; text-wrap: balance; }
.languages { margin-inline-start: auto; }
.languages ul { display: flex; flex-wrap: wrap; justify-content: end; gap: 0 1rem; margin: 0; padding: 0; list-style: none; }
:is(.lead, em, i, cite, blockquote):is(:lang(ar), :lang(fa), :lang(he), :lang(ja), :lang(ko), :lang(ur), :lang(zh)) { font-style: normal; }
.footnotes { margin-block-start: 2.5rem; padding-block-start: 0.75rem; border-block-start: 1px solid var(--line); font-size: 0.9375em; }
hr:has(+ .footnotes) { display: none; }
.footnote-ref { line-height: 0; }
.footnote-ref a { text-decoration: none; }
.text dt { font-weight: 600; }
.text dd { margin-inline-start: 1.5em; }
.text dd + dt { margin-block-start: 0.5em; }
summary { cursor: pointer; }
.translations { color: var(--soft); font: 0.9375rem/1.5 var(--label-font); }

.saying { margin: 1.5rem 0 1.75rem; font-size: clamp(1.35rem, 1.05rem + 1.4vw, 1.9rem); line-height: 1.4; hanging-punctuation: first last; }
.saying:has(br, p + p, ul, ol) { font-size: clamp(1.2rem, 1.05rem + 0.7vw, 1.5rem); line-height: 1.5; }
.saying ~ .lead { margin-block-start: 1rem; font-size: 1.05em; }
:is(.saying, .quote blockquote) :is(p, ul, ol, blockquote) { margin-block: 0; }
:is(.saying, .quote blockquote) :is(p, li, ul, ol) + * { margin-block-start: 0.5em; }
.quote { margin: 0; padding-block: 0.25rem 1.6rem; break-inside: avoid; }
.quote + .quote { padding-block-start: 1.6rem; border-block-start: 1px solid var(--line); }
.quote blockquote { margin: 0; font-size: 1.15em; line-height: 1.5; hanging-punctuation: first last; }
.quote figcaption { margin-block-start: 0.55rem; color: var(--soft); font: 0.9375rem/1.6 var(--label-font); }
.caution { margin: 0 0 0.3rem; color: var(--bad); font: 600 0.9375rem/1.5 var(--label-font); }
:is(.quote:has(> [dir]) > :is(.caution, figcaption), .caution:has(+ .saying[dir]), .saying[dir] ~ .source, .saying[dir] ~ .source + .aside) { text-align: end; padding-inline-end: var(--indent, 0); }
main > .caution { margin-block: 1.25rem -0.75rem; }
figcaption { color: var(--soft); font-size: 0.9375rem; }
.facts { margin-block: 1.75rem; border-block: 1px solid var(--line); padding-block: 0.65rem; font: 0.9375rem/1.5 var(--label-font); }
.facts > div { display: grid; grid-template-columns: minmax(0, 9rem) minmax(0, 1fr); column-gap: 1.25rem; padding-block: 0.2rem; }
.facts dt { grid-column: 1; padding-block: 0.2rem; color: var(--soft); }
.facts dd { grid-column: 2; margin: 0; padding-block: 0.2rem; }
.facts .row { display: flex; flex-wrap: wrap; column-gap: 0.4em; padding-inline-start: 10.25rem; }
.facts .row dt { width: 9rem; margin-inline: -10.25rem calc(1.25rem - 0.4em); }
.facts .row dd { max-width: 100%; }
.facts .row dd:not(:last-child)::after { content: "·" / ""; margin-inline-start: 0.4em; color: var(--soft); }
.entries { padding: 0; list-style: none; }
.entries li { break-inside: avoid; padding-block: 0.65rem; border-block-end: 1px solid var(--line); }
.entries p { margin: 0; color: var(--soft); font-size: 0.9375em; line-height: 1.5; text-wrap: pretty; }
.entries p > :is(a:not(.seal):first-child, .seal:first-child + a) { font-size: calc(1em / 0.9375); }
.entries a:has(mark) { color: var(--ink); }
.fact { display: inline-block; }
.cite { margin-block-end: 1em; }
.cite summary { padding-block: 0.3rem; }
.cite pre { white-space: pre-wrap; overflow-wrap: anywhere; font-size: 0.85rem; }
:lang(fr) > q { quotes: "«\\a0" "\\a0»" "“" "”"; }
:lang(es) > q { quotes: "«" "»" "“" "”"; }
:lang(ar) > q { quotes: "«" "»" "”" "“"; }
.smallcaps { font-variant-caps: small-caps; }
.permalink { color: var(--soft); font-size: 0.9375rem; }
.letters { margin-block: 1.25rem; padding-block: 0.3rem; border-block: 1px solid var(--line); font-family: var(--label-font); }
.letters ul { gap: 0 0.1rem; margin-inline-start: -0.3rem; }
.letters a { min-width: 1.5rem; text-align: center; }
.paging { display: flex; flex-wrap: wrap; align-items: center; gap: 0.25rem 1.5rem; margin-block: 2.5rem; padding-block-start: 0.75rem; border-block-start: 1px solid var(--line); font: 0.9375rem/1.5 var(--label-font); }
.paging a { color: var(--link); text-decoration: underline; }

.text img, .text video, .text svg { max-width: 100%; height: auto; }
.text blockquote { margin-inline: 0; padding-inline-start: 1.1rem; border-inline-start: 3px solid var(--line); }
.text hr { width: 6rem; margin: 2.5rem auto; border: 0; border-block-start: 1px solid var(--control); }
mark { background: var(--mark); color: var(--ink); }
code, pre, kbd, samp { font: 0.9em/1.5 ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
code { overflow-wrap: anywhere; }
pre { overflow-x: auto; padding: 0.85rem 1rem; border: 1px solid var(--line); border-radius: var(--round); background: var(--raised); }
pre code { font-size: inherit; overflow-wrap: normal; }
pre, code, kbd, samp { direction: ltr; unicode-bidi: isolate; text-align: left; }
.scroll { margin: 0 0 1em; overflow-x: auto; }
.scroll > table { margin: 0; }
table { border-collapse: collapse; font-size: 0.95em; }
th, td { padding: 0.4rem 0.85rem; border-block-end: 1px solid var(--line); text-align: start; vertical-align: top; }
th:first-child, td:first-child { padding-inline-start: 0; }
.align-right { text-align: end; }
.align-center { text-align: center; }

footer { margin-block-start: 4rem; padding-block: 1.5rem 3rem; border-block-start: 1px solid var(--line); color: var(--soft); font: 0.9rem/1.6 var(--label-font); }
main + footer { margin-block-start: 0; }
footer p { margin: 0 0 0.35rem; }
.footer-links { display: flex; flex-wrap: wrap; gap: 0 1.5rem; margin: 0; padding: 0; list-style: none; }
footer a { color: var(--soft); }
.footer-links a { display: inline-block; padding: 0.3rem 0; }

@media (max-width: 42rem) {
  header { gap: 0.25rem 1rem; padding-block: 0.5rem; }
  .site-name { flex: 1 1 8rem; font-size: 1.05rem; min-width: 0; }
  .logo { height: 1.9rem; max-width: 6rem; }
  .logo + span { font-size: 0.95rem; line-height: 1.15; text-wrap: balance; }
  .menu-button { display: block; flex: none; }
  .menu:not(:popover-open) { display: none; }
  .menu:popover-open { display: block; margin: 0; border: 0; position: fixed; inset: 0 0 auto; width: auto; max-height: calc(100dvh - 4rem); padding: 1rem 1.25rem 1.5rem; overflow: auto; border-block-end: 1px solid var(--line); background: var(--paper); color: var(--ink); box-shadow: 0 12px 40px rgb(0 0 0 / 25%); }
  .menu > .menu-button { margin-block-end: 1rem; margin-inline-start: auto; }
  .menu::backdrop { background: rgb(0 0 0 / 35%); }
  .menu nav > ul { display: block; margin-block-start: 0.75rem; font-size: 1.125rem; }
  .menu nav > ul > li { border-block-start: 1px solid var(--line); }
  .menu nav a, .menu summary { display: block; padding-block: 0.65rem; }
  .menu details ul { position: static; padding: 0 0 0.5rem 1rem; border: 0; box-shadow: none; }
  main { padding-block-start: 0.5rem; }
  .trail { padding-block-start: 0.4rem; }
  .facts > div { grid-template-columns: minmax(0, 1fr); }
  .facts dt, .facts dd { grid-column: 1; }
  .facts dt { padding-block-end: 0; font-size: 0.85rem; }
  .facts .row { padding-inline-start: 0; }
  .facts .row dt { width: 100%; margin-inline: 0; }
}
`;
