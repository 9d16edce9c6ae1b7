export const CONTROLS_STYLE = `
form { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: center; font-family: var(--label-font); }
.search-header { flex-wrap: nowrap; }
.search-header input { width: 9rem; min-width: 0; flex: 1; }
.search-page { margin-block: 1.5rem; }
.search-page input { flex: 1 1 12rem; min-width: 0; }
@media (max-width: 42rem) {
  .search-page > :is(label:first-child, input) { flex-basis: 100%; }
  .search-page:not(:has(select)) input { flex-basis: 8rem; }
}
input, select, textarea, button {
  min-height: 2.25rem; max-width: 100%; padding: 0.3rem 0.65rem; border: 1px solid var(--control);
  border-radius: var(--round); background: var(--paper); color: var(--ink); font: inherit; font-size: 1rem;
}
textarea { line-height: 1.5; resize: vertical; }
button { border-color: var(--ink); background: var(--ink); color: var(--paper); cursor: pointer; }
button:hover { border-color: var(--accent); background: var(--accent); color: var(--on-accent); }
.menu-button, .search-header button { border-color: var(--control); background: none; color: var(--ink); }
.controls { display: flex; flex-wrap: wrap; gap: 0.5rem; font-family: var(--label-font); }
.controls a, main .controls a:visited { padding: 0.35rem 0.8rem; border: 1px solid var(--control); border-radius: var(--round); color: var(--ink); font-size: 0.9375rem; line-height: 1.5; text-decoration: none; }
.controls a:hover { border-color: currentColor; color: var(--link); }
.visitor-form { display: block; margin-block: 1.25rem 2.5rem; }
.field { min-width: 0; margin: 0 0 1.1rem; padding: 0; border: 0; }
.field label, legend { display: block; padding: 0; font-weight: 600; }
.field input, .field textarea { width: 100%; }
.field input.code { font-family: ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
.choice { display: flex; gap: 0.6rem; align-items: center; margin: 0.35rem 0 0; }
.field .choice label { display: inline; padding: 0.2rem 0; font-weight: 400; }
.field .choice input { flex: none; width: 1.25rem; min-height: 1.25rem; height: 1.25rem; margin: 0; }
.hint { margin: 0 0 0.3rem; color: var(--soft); font-size: 0.9rem; font-weight: 400; }
.fault { margin: 0 0 0.3rem; color: var(--bad); font-size: 0.95rem; font-weight: 600; }
[aria-invalid="true"] { border: 2px solid var(--bad); }
.submit { margin: 1.4rem 0 0; }
.submit button { padding: 0.5rem 1.1rem; }
.faults { margin-block: 1.25rem; padding: 0.85rem 1.1rem; border: 2px solid var(--bad); border-radius: var(--round); font-family: var(--label-font); }
.faults h2 { margin: 0 0 0.4rem; font-size: 1.1rem; }
.faults ul { margin: 0; padding-inline-start: 1.2rem; }
.faults a, main .faults a:visited { color: var(--bad); }
`;
