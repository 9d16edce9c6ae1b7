import { hash } from "node:crypto";

/** The style sheet of the administrators' screens: system fonts, light and dark, from 320 px on. */
export const ADMIN_STYLE = `:root {
  color-scheme: light dark;
  --paper: #f6f6f4; --card: #ffffff; --ink: #1d2024; --soft: #565c66; --line: #d5d5d0;
  --link: #0b57a4; --action: #0b57a4; --on-action: #ffffff; --bad: #9c2413; --good: #1c6b3a; --warn: #7a4a00;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #16171a; --card: #202226; --ink: #e8e6e1; --soft: #a9aeb8; --line: #3b3e45;
    --link: #8ab8f0; --action: #8ab8f0; --on-action: #10243c; --bad: #f29b8a; --good: #83d3a0; --warn: #e8bd74;
  }
}
*, *::before, *::after { box-sizing: border-box; }
body { margin: 0 auto; max-width: 64rem; padding: 0 1rem 4rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif; overflow-wrap: anywhere; }
a { color: var(--link); text-underline-offset: 0.18em; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 3px; }
.skip { position: absolute; inset-inline-start: -100vw; padding: 0.5rem 1rem; background: var(--card); }
.skip:focus { inset-inline-start: 0.5rem; inset-block-start: 0.5rem; }
.visually-hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
header { display: flex; flex-wrap: wrap; gap: 0.5rem 1rem; align-items: center; padding-block: 0.75rem; border-block-end: 1px solid var(--line); }
.site-name { margin: 0; font-weight: 650; flex: 1 1 10rem; }
.site-name a { display: inline-block; padding-block: 0.6rem; color: inherit; text-decoration: none; }
nav { flex-basis: 100%; }
nav ul { display: flex; flex-wrap: wrap; gap: 0 0.25rem; margin: 0; padding: 0; list-style: none; }
nav a { display: inline-flex; align-items: center; min-height: 2.75rem; padding-inline: 0.6rem; border-radius: 6px; text-decoration: none; }
nav a[aria-current] { background: var(--card); color: var(--ink); font-weight: 600; }
.find { display: flex; gap: 0.4rem; flex: 1 1 14rem; }
.find input { flex: 1 1 6rem; min-width: 0; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 1.25rem 0 0.75rem; text-wrap: balance; }
h2 { font-size: 1.15rem; margin: 2rem 0 0.5rem; }
h3 { font-size: 1rem; margin: 1.25rem 0 0.25rem; }
p { margin: 0 0 0.75rem; }
input, select, textarea, button, .button { font: inherit; min-height: 2.75rem; padding: 0.45rem 0.7rem; border: 1px solid #7d828b; border-radius: 6px; background: var(--card); color: var(--ink); max-width: 100%; }
textarea { width: 100%; line-height: 1.5; resize: vertical; }
textarea[name="body"] { min-height: 22rem; font: 1rem/1.6 ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
button, .button { display: inline-flex; align-items: center; cursor: pointer; background: var(--action); border-color: var(--action); color: var(--on-action); font-weight: 600; text-decoration: none; }
button.quiet, .button.quiet, .find button { background: none; color: var(--link); border-color: var(--line); font-weight: 500; }
button.danger { background: none; color: var(--bad); border-color: currentColor; }
.field { margin: 0 0 1.1rem; padding: 0; border: 0; min-width: 0; }
.field > label, legend { display: block; padding: 0; font-weight: 600; margin-block-end: 0.25rem; }
.field input:not([type="checkbox"]), .field select { width: 100%; }
.hint { margin: 0.15rem 0 0.3rem; color: var(--soft); font-size: 0.9rem; }
.field > label.choice { font-weight: 400; margin: 0; }
.choice { display: flex; gap: 0.6rem; align-items: center; min-height: 2.75rem; }
.choice input { width: 1.3rem; height: 1.3rem; min-height: 0; flex: none; }
.bar { position: sticky; inset-block-end: 0; display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: center; padding-block: 0.75rem; background: var(--paper); border-block-start: 1px solid var(--line); }
.state { color: var(--soft); font-size: 0.95rem; }
.fault { padding: 0.75rem 1rem; border: 2px solid var(--bad); border-radius: 6px; color: var(--bad); font-weight: 600; }
.notes { padding: 0.75rem 1rem; border: 1px solid var(--warn); border-radius: 6px; }
.notes ul { margin: 0.25rem 0 0; padding-inline-start: 1.2rem; }
.cards { display: grid; gap: 0.5rem; padding: 0; margin: 0 0 1rem; list-style: none; }
.cards > li { padding: 0.75rem 1rem; background: var(--card); border: 1px solid var(--line); border-radius: 8px; }
.cards > li > a:first-child { display: inline-block; padding-block: 0.3rem; font-weight: 600; }
.tag { display: inline-block; padding: 0 0.5rem; border: 1px solid currentColor; border-radius: 1rem; font-size: 0.85rem; white-space: nowrap; }
.tag.published, .tag.active { color: var(--good); } .tag.draft, .tag.scheduled { color: var(--warn); } .tag.archived, .tag.deleted, .tag.revoked, .tag.expired { color: var(--bad); }
.filters { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: end; margin-block-end: 1rem; }
.filters label { display: block; font-size: 0.9rem; }
.actions { display: flex; flex-wrap: wrap; gap: 0.5rem; margin-block: 1rem; align-items: start; }
.action { display: grid; gap: 0.4rem; justify-items: start; }
.action .hint { max-width: 24rem; }
dl { display: grid; grid-template-columns: minmax(6rem, max-content) 1fr; gap: 0.25rem 1rem; margin: 0 0 1rem; }
dt { color: var(--soft); } dd { margin: 0; white-space: pre-wrap; }
@media (max-width: 30rem) { .bar { flex-wrap: nowrap; gap: 0.35rem; } .bar button { padding-inline: 0.55rem; font-size: 0.95rem; } textarea[name="body"] { min-height: 14rem; } }
@media (max-width: 26rem) { dl { grid-template-columns: 1fr; } dd { margin-block-end: 0.5rem; } }
.sides { display: grid; gap: 0.75rem; grid-template-columns: repeat(auto-fit, minmax(min(18rem, 100%), 1fr)); }
.sides pre, .code { margin: 0; padding: 0.75rem; background: var(--card); border: 1px solid var(--line); border-radius: 6px; white-space: pre-wrap; font: 0.95rem/1.5 ui-monospace, Menlo, Consolas, monospace; }
.code { font-size: 1.05rem; user-select: all; }
details > summary { min-height: 2.75rem; display: flex; align-items: center; cursor: pointer; font-weight: 600; }
@media (forced-colors: active) { .tag, .cards > li { border-color: CanvasText; } }
`;

const DIGEST = hash("sha256", ADMIN_STYLE).slice(0, 12);

export const ADMIN_STYLE_PATH = `/admin/style-${DIGEST}.css`;
