/** Styles of the pages of quotations, authors, works and topics, and of the home page. */
export const CONTENT_PAGE_STYLES = `.seal { font-family: var(--label-font); font-size: 0.9em; color: var(--soft); display: inline-block; max-width: 100%; }
a.seal { text-decoration: none; }
a.seal:hover { text-decoration: underline; }
.seal svg { margin-inline-end: 0.3em; vertical-align: -0.15em; width: 1.05em; height: 1.05em; fill: none; stroke: currentColor; stroke-width: 1.5; stroke-linecap: round; stroke-linejoin: round; }
.seal.warns, main a.seal.warns:visited { color: var(--bad); font-weight: 600; }
.filters { display: grid; grid-template-columns: repeat(auto-fill, minmax(8rem, 1fr)); align-items: end; gap: 0.75rem 1rem; margin-block: 1rem 1.5rem; font: 0.9375rem/1.5 var(--label-font); }
.filters p { margin: 0; }
.filters label { display: block; color: var(--soft); }
.filters :is(select, input) { width: 100%; }
.filters button { justify-self: start; }
.chosen { display: flex; flex-wrap: wrap; gap: 0.4rem; margin: 1rem 0 0; padding: 0; font: 0.9375rem/1.5 var(--label-font); list-style: none; }
.chosen a { display: inline-block; padding: 0.25rem 0.7rem; border: 1px solid var(--line); border-radius: calc(5 * var(--round)); text-decoration: none; }
.chosen a:hover { border-color: currentColor; }
.index, [id^="century-"] + .entries { columns: 16rem; column-gap: 2.5rem; }
.index h2 { margin: 1.6rem 0 0.3rem; break-after: avoid; }
.index h2:first-child { margin-block-start: 0; }
.index .entries { margin: 0; }
.index .entries li { padding-block: 0.35rem; border: 0; line-height: 1.4; }
[id^="chosen-"] + .entries { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(17rem, 100%), 1fr)); column-gap: 2.5rem; }
#quotation-of-the-day + .quote blockquote { font-size: clamp(1.3rem, 1rem + 1.4vw, 1.75rem); line-height: 1.4; }
.counts { width: 100%; font: 0.9375rem/1.4 var(--label-font); }
.counts th { font-weight: 400; }
.counts tbody th { width: 60%; min-width: 7.5rem; }
.counts :is(td, th):not(:first-child) { padding-inline: 0.6rem 0; }
.counts td, .counts thead th:not(:first-child) { text-align: end; font-variant-numeric: tabular-nums; }
.counts svg { display: block; width: 100%; height: 0.4rem; margin-block-start: 0.2rem; fill: var(--accent); }
[dir="rtl"] .counts svg { scale: -1 1; }
.contents { margin-block: 0 2rem; padding-block: 0.3rem; border-block: 1px solid var(--line); font: 0.9375rem/1.45 var(--label-font); }
.contents summary { padding-block: 0.35rem; font-weight: 600; }
.contents ol { display: block; margin: 0; }
.contents details > ol { columns: 17rem; column-gap: 2.5rem; padding-block-end: 0.4rem; }
.contents li { break-inside: avoid; }
.contents li li { padding-inline-start: 1.1em; }
.contents a { padding-block: 0.25rem; color: var(--link); }
.source { margin-block-start: -0.75rem; font-size: 1.05em; }
p + .aside { margin-block-start: -0.4em; }
.quote + .aside + .text { margin-block-start: 2rem; padding-block-start: 1.25rem; border-block-start: 1px solid var(--line); }
.aside { color: var(--soft); font-size: 0.9em; }
main a.seal:not(.warns):visited { color: var(--soft); }
`;
