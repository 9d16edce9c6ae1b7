/** Styles of portraits, and of figures, galleries and recordings in texts. */
export const FIGURE_STYLES = `
.portrait { float: inline-end; max-width: min(11rem, 45%); margin: 0.4rem 0 1.25rem; margin-inline-start: 2rem; }
.portrait img { display: block; max-width: 100%; height: auto; border-radius: var(--round); }
.portrait figcaption { margin-block-start: 0.4rem; font: 0.8125rem/1.4 var(--label-font); overflow-wrap: anywhere; }
main:has(> .portrait), .portrait ~ :is(.facts, nav, details), .portrait ~ .text > :is(h2, figure, blockquote) { display: flow-root; }
.portrait ~ h2 { clear: inline-end; }
@media (max-width: 42rem) {
  .portrait { float: none; display: flex; align-items: end; gap: 1rem; max-width: none; margin-inline-start: 0; }
  .portrait img { width: auto; max-width: 7rem; }
}
.text figure { margin: 1.75rem 0; }
.text figure > :is(img, picture, a) { display: block; }
.text img { border-radius: var(--round); }
.text :is(figure, .gallery, .recording) img { display: block; }
.text figcaption { margin-block-start: 0.5rem; font: 0.9375rem/1.5 var(--label-font); hyphens: manual; }
.text bdi { color: var(--soft); font-size: 0.9em; white-space: nowrap; }
.gallery { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(8.5rem, 100%), 1fr)); gap: 1.25rem 1rem; margin: 1.75rem 0; padding: 0; list-style: none; }
.text .gallery figure { margin: 0; }
.text .gallery img { width: 100%; aspect-ratio: 4 / 3; object-fit: cover; }
.gallery a { display: block; }
span.recording a { display: inline-block; }
.recording a:has(img) { position: relative; width: fit-content; max-width: 100%; }
.recording a:has(img)::before, .recording a:has(img)::after { content: ""; position: absolute; inset: 0; margin: auto; pointer-events: none; forced-color-adjust: none; }
.recording a::before { width: 3.75rem; height: 3.75rem; border: 2px solid #fff; border-radius: 50%; background: rgb(0 0 0 / 72%); }
.recording a::after { width: 1.25rem; height: 1.5rem; background: #fff; clip-path: polygon(12% 0, 100% 50%, 12% 100%); }
.recording a:hover::before { background: #000; }
`;
