/** Rules for print, forced colours and reduced motion. They override looks and the site's own rules. */
export const MEDIA_QUERIES = `
@media print {
  :root { --paper: #fff; --raised: #fff; --ink: #000; --soft: #333; --line: #999; --link: #000; --visited: #000; --accent: #000; }
  body { --line-length: none; font-size: 11pt; }
  body::before { display: none; }
  header, main, footer { width: auto; }
  header { padding-block: 0 0.5rem; }
  .menu, .menu-button, .above, form, .cite:not([open]), .skip, .footer-links, .paging, main a[rel="next"], .letters, .site-note, .contents, .onward, .controls, .recording a::before, .recording a::after { display: none; }
  .text details::details-content { content-visibility: visible; }
  main a { text-decoration: none; }
  .text a[href^="http"]:not(.address)::after { content: " (" attr(href) ")"; font-size: 0.85em; }
  h1, h2, h3 { break-after: avoid; }
  figure, tr { break-inside: avoid; }
  pre { white-space: pre-wrap; }
  pre, .scroll .address { overflow-wrap: anywhere; }
  pre, .scroll { overflow: visible; }
  .scroll { font-size: 0.85em; hyphens: auto; }
  :is(td, th):not(:first-child) { padding-inline: 0.4rem; }
  @page { margin: 2cm; }
}
@media (forced-colors: active) {
  .quote, .saying, .entries li, .facts, footer, header, pre { border-color: CanvasText; }
  button, main button { border: 1px solid ButtonText; background: ButtonFace; color: ButtonText; }
  .counts svg { fill: CanvasText; }
  mark { forced-color-adjust: none; background: Mark; color: MarkText; }
}
@media (prefers-reduced-motion: reduce) {
  *, *::before, *::after { animation: none; transition: none; scroll-behavior: auto; }
}
`;

/**
 * Cross-fades between pages, in browsers that support them, unless the reader prefers reduced
 * motion.
 */
export const TRANSITION_RULES = `
@media (prefers-reduced-motion: no-preference) {
  @view-transition { navigation: auto; }
}
`;
