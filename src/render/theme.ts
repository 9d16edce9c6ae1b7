import { createHash } from "node:crypto";

/** The only style sheet: system fonts, light and dark, phone to print; no scripts, no further files. */
export const THEME = `:root {
  color-scheme: light dark;
  --paper: #fdfcf9;
  --ink: #22252a;
  --soft: #5a606b;
  --line: #dedad0;
  --link: #0b57a4;
  --visited: #6b3fa0;
  --accent: #a3341f;
  --mark: #fff0b3;
  --serif: "Iowan Old Style", "Palatino Linotype", Palatino, "Source Serif 4", Georgia, serif;
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #17181b;
    --ink: #e6e4df;
    --soft: #a7abb3;
    --line: #3a3d43;
    --link: #8ab8f0;
    --visited: #c3a5ec;
    --accent: #f0917e;
    --mark: #5a4a10;
  }
}
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0 auto;
  max-width: 46rem;
  padding: 0 1.25rem 3rem;
  background: var(--paper);
  color: var(--ink);
  font: 1.0625rem/1.65 var(--serif);
  overflow-wrap: break-word;
}
a { color: var(--link); text-decoration-thickness: 1px; text-underline-offset: 0.18em; }
main a:visited { color: var(--visited); }
a:hover { text-decoration-thickness: 2px; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 2px; }
.visually-hidden:not(:focus-within) {
  position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden;
  clip-path: inset(50%); white-space: nowrap;
}
.skip { position: absolute; inset-inline-start: -100vw; padding: 0.5rem 1rem; background: var(--paper); }
.skip:focus { inset-inline-start: 0.5rem; inset-block-start: 0.5rem; z-index: 1; }
header, footer, nav, form, .facts, figcaption, .translations { font-family: var(--sans); }
header {
  display: flex; flex-wrap: wrap; align-items: center; gap: 0.25rem 1.25rem;
  padding: 1rem 0 0.75rem; border-block-end: 1px solid var(--line); font-size: 0.9375rem;
}
.site-name { margin: 0; font-weight: 650; }
.site-name a { display: inline-block; padding: 0.35rem 0; color: var(--ink); text-decoration: none; }
.main-links { flex-basis: 100%; }
nav ul, nav ol { display: flex; flex-wrap: wrap; gap: 0 1rem; margin: 0; padding: 0; list-style: none; }
nav a { display: inline-block; min-width: 24px; padding: 0.35rem 0; }
nav a[aria-current="page"] { color: var(--ink); font-weight: 600; text-decoration: none; }
.trail { flex-basis: 100%; font-size: 0.875rem; }
.trail li + li::before { content: "›"; padding-inline-end: 1rem; color: var(--soft); }
form { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: center; }
.search-header { margin-inline-start: auto; flex-wrap: nowrap; }
.search-header input { width: 9rem; }
.search-page { margin-block: 1.5rem; }
.search-page input { flex: 1 1 12rem; }
input, select, textarea, button {
  min-height: 2.25rem; padding: 0.3rem 0.6rem; border: 1px solid #82868e; border-radius: 4px;
  background: var(--paper); color: var(--ink); font: inherit; font-size: 1rem;
}
textarea { line-height: 1.5; resize: vertical; }
button { cursor: pointer; background: var(--ink); border-color: var(--ink); color: var(--paper); }
.visitor-form { display: block; margin-block: 1.25rem 2.5rem; }
.field { min-width: 0; margin: 0 0 1.1rem; padding: 0; border: 0; }
.field label, legend { display: block; padding: 0; font-weight: 600; }
.field input, .field textarea { width: 100%; }
.field input.code { font-family: ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
.choice { display: flex; gap: 0.6rem; align-items: center; margin: 0.35rem 0 0; }
.field .choice label { display: inline; padding: 0.2rem 0; font-weight: 400; }
.field .choice input { flex: none; width: 1.25rem; min-height: 1.25rem; height: 1.25rem; margin: 0; }
.hint { margin: 0 0 0.3rem; color: var(--soft); font-size: 0.9rem; font-weight: 400; }
.fault { margin: 0 0 0.3rem; color: var(--accent); font-size: 0.95rem; font-weight: 600; }
[aria-invalid="true"] { border: 2px solid var(--accent); }
.submit { margin: 1.4rem 0 0; }
.submit button { padding: 0.5rem 1.1rem; }
.faults { margin-block: 1.25rem; padding: 0.85rem 1.1rem; border: 2px solid var(--accent); border-radius: 4px; font-family: var(--sans); }
.faults h2 { margin: 0 0 0.4rem; font-size: 1.1rem; }
.faults ul { margin: 0; padding-inline-start: 1.2rem; }
.faults a, main .faults a:visited { color: var(--accent); }
h1, h2, h3, h4, h5, h6 { line-height: 1.25; text-wrap: balance; margin: 2em 0 0.6em; }
h1 { font-size: 2rem; margin-block-start: 1.6rem; letter-spacing: -0.01em; }
h2 { font-size: 1.35rem; }
h3 { font-size: 1.125rem; }
h4, h5, h6 { font-size: 1rem; }
p, ul, ol, dl, table, pre, blockquote, figure { margin: 0 0 1em; }
.lead { font-size: 1.15rem; color: var(--soft); }
.saying, .quote blockquote {
  margin: 1.5rem 0 0; padding-inline-start: 1.1rem; border-inline-start: 3px solid var(--accent);
  hanging-punctuation: first last;
}
.saying { font-size: 1.3rem; line-height: 1.5; margin-block-end: 1.5rem; }
.quote { margin: 0 0 2rem; }
.quote blockquote p { margin: 0; }
.cite summary { cursor: pointer; }
.cite pre { white-space: pre-wrap; overflow-wrap: anywhere; font-size: 0.85rem; }
.caution { margin: 0 0 0.3rem; padding-inline-start: calc(1.1rem + 3px); font-family: var(--sans); font-weight: 600; }
figcaption { margin-block-start: 0.4rem; padding-inline-start: calc(1.1rem + 3px); font-size: 0.9rem; line-height: 1.75; color: var(--soft); }
.facts { border-block: 1px solid var(--line); padding-block: 0.5rem; font-size: 0.9375rem; }
.facts > div { display: grid; grid-template-columns: 9rem 1fr; column-gap: 1rem; padding-block: 0.15rem; }
.facts dt { grid-column: 1; color: var(--soft); padding-block: 0.2rem; }
.facts dd { grid-column: 2; margin: 0; padding-block: 0.2rem; }
.entries { padding: 0; list-style: none; }
.entries li { padding-block: 0.4rem; }
.entries p { margin: 0; }
.entries .note { color: var(--soft); font-size: 0.95rem; line-height: 1.5; }
.letters { margin-block: 1rem; padding-block: 0.25rem; border-block: 1px solid var(--line); }
.letters ul { gap: 0 0.35rem; }
.letters a { min-width: 1.9rem; text-align: center; }
.paging { display: flex; flex-wrap: wrap; align-items: center; gap: 0.25rem 1.5rem; margin-block: 2rem; padding-block-start: 0.5rem; border-block-start: 1px solid var(--line); }
mark { background: var(--mark); color: inherit; padding: 0 0.1em; }
code, pre, kbd, samp { font: 0.9em/1.5 ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
pre { overflow-x: auto; padding: 0.75rem 1rem; border: 1px solid var(--line); border-radius: 4px; }
.text img { max-width: 100%; height: auto; }
.text figcaption { padding-inline-start: 0; }
.text blockquote { margin-inline: 0; padding-inline-start: 1rem; border-inline-start: 3px solid var(--line); }
table { border-collapse: collapse; display: block; overflow-x: auto; font-size: 0.95rem; }
th, td { padding: 0.35rem 0.75rem; border-block-end: 1px solid var(--line); text-align: start; vertical-align: top; }
.align-right { text-align: end; }
.align-center { text-align: center; }
footer { margin-block-start: 3rem; padding-block-start: 1rem; border-block-start: 1px solid var(--line); color: var(--soft); font-size: 0.875rem; }
footer p { margin: 0; }
.footer-links { display: flex; flex-wrap: wrap; gap: 0 1.25rem; margin: 0; padding: 0; list-style: none; }
footer a { display: inline-block; padding: 0.3rem 0; }
@media (max-width: 34rem) {
  body { padding-inline: 1rem; font-size: 1.03rem; }
  .search-header { flex-basis: 100%; margin: 0.25rem 0 0; }
  .search-header input { flex: 1; width: auto; min-width: 0; }
  .facts > div { grid-template-columns: 1fr; }
  .facts dt, .facts dd { grid-column: 1; }
  .facts dt { font-size: 0.85rem; padding-block-end: 0; }
  h1 { font-size: 1.65rem; }
  .saying { font-size: 1.15rem; }
}
@media print {
  body { max-width: none; background: #fff; color: #000; font-size: 11pt; }
  nav, form, .skip, .footer-links { display: none; }
  main a { color: inherit; text-decoration: none; }
  .text a[href^="http"]::after { content: " (" attr(href) ")"; font-size: 0.85em; }
  .quote, .entries li { break-inside: avoid; }
}
`;

/** Contains a hash of the style sheet, so browsers may cache it for a year. */
export const THEME_PATH = `/assets/theme-${createHash("sha256").update(THEME).digest("hex").slice(0, 12)}.css`;

export const FAVICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="6" fill="#a3341f"/><path fill="#fff" d="M7 17c0-5 2-8 6-9l1 2c-2 1-3 2-3 4h3v8H7zm11 0c0-5 2-8 6-9l1 2c-2 1-3 2-3 4h3v8h-7z"/></svg>
`;
