import { hash } from "node:crypto";

/**
 * The style sheet of the administrators' screens. It uses system fonts, has a light and a dark
 * scheme, and works from a width of 320 px.
 */
export const ADMIN_STYLE_SHEET = `:root {
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
html { scroll-padding-block: 1rem 6rem; }
body { margin: 0; min-height: 100vh; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif; overflow-wrap: anywhere; }
a { color: var(--link); text-underline-offset: 0.18em; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 3px; }
.skip { position: absolute; inset-inline-start: -100vw; padding: 0.5rem 1rem; background: var(--card); z-index: 3; }
.skip:focus { inset-inline-start: 0.5rem; inset-block-start: 0.5rem; }
.visually-hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
header { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: center; padding: 0.6rem 1rem; background: var(--card); border-block-end: 1px solid var(--line); }
.site-name { margin: 0; font-weight: 650; flex: 1 1 8rem; line-height: 1.3; }
.site-name a { display: inline-block; padding-block: 0.6rem; color: inherit; text-decoration: none; }
.find { display: flex; gap: 0.4rem; flex: 1 1 100%; order: 3; }
.find input { flex: 1 1 6rem; min-width: 0; }
main { padding: 0.25rem 1rem 4rem; min-width: 0; }
nav { padding: 0.5rem 0.75rem 1rem; background: var(--card); color: inherit; border: 1px solid var(--line); }
nav[popover] { inset-block: 0; inset-inline: auto 0; margin: 0; width: min(18rem, 85vw); height: 100%; overflow-y: auto; overscroll-behavior: contain; }
nav[popover]::backdrop { background: rgb(0 0 0 / 45%); }
nav ul { margin: 0; padding: 0; list-style: none; }
nav ul.last { margin-block-start: 1rem; border-block-start: 1px solid var(--line); padding-block-start: 0.5rem; }
nav .group { margin: 1rem 0.6rem 0.15rem; color: var(--soft); font-size: 0.8rem; font-weight: 650; letter-spacing: 0.02em; }
nav summary { margin-block-start: 0.6rem; padding-inline: 0.6rem; border-radius: 6px; color: var(--soft); font-size: 0.9rem; }
nav a { display: flex; align-items: center; min-height: 2.75rem; padding-inline: 0.6rem; border-radius: 6px; color: var(--ink); text-decoration: none; }
nav a:hover { background: var(--paper); }
nav a[aria-current] { background: var(--paper); box-shadow: inset 3px 0 var(--link); font-weight: 600; }
nav a[aria-current]:dir(rtl) { box-shadow: inset -3px 0 var(--link); }
.alone main, .alone header { max-width: 34rem; margin-inline: auto; padding-inline: 1rem; }
.alone header { background: none; border: 0; padding-block-start: 8vh; }
.narrow { max-width: 26rem; }
@media (min-width: 60rem) {
  body:not(.alone) { display: grid; grid-template: auto 1fr / 13.5rem minmax(0, 1fr); }
  header { grid-column: 1 / -1; flex-wrap: nowrap; padding-inline: 1.35rem; }
  .find { order: 0; flex: 0 1 26rem; }
  .menu { display: none; }
  nav[popover] { display: block; position: sticky; inset: 0 auto auto; width: auto; height: auto; max-height: 100vh; align-self: start; border: 0; background: none; }
  nav :is(a, summary) { min-height: 2.1rem; } nav a:hover, nav a[aria-current] { background: var(--card); }
  main { padding: 0.5rem 2rem 4rem; max-width: 70rem; }
}
.found { margin: 0.25rem 0 0; color: var(--soft); font-size: 0.9rem; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 1.25rem 0 0.75rem; text-wrap: balance; hyphens: auto; }
h2 { font-size: 1.15rem; margin: 2rem 0 0.5rem; }
.cards > li > h2 { margin-block-start: 0.25rem; }
h3 { font-size: 1rem; margin: 1.25rem 0 0.25rem; }
p { margin: 0 0 0.75rem; }
input, select, textarea, button, .button { font: inherit; min-height: 2.75rem; padding: 0.45rem 0.7rem; border: 1px solid #7d828b; border-radius: 6px; background: var(--card); color: var(--ink); max-width: 100%; }
input, textarea, dd, pre, .difference, .beside { unicode-bidi: plaintext; text-align: start; }
textarea { width: 100%; line-height: 1.5; resize: vertical; }
textarea[name="body"] { min-height: 22rem; font: 1rem/1.6 ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
button, .button { display: inline-flex; align-items: center; cursor: pointer; overflow-wrap: break-word; background: var(--action); border-color: var(--action); color: var(--on-action); font-weight: 600; text-decoration: none; }
button.quiet, .button.quiet { background: none; color: var(--link); border-color: var(--line); font-weight: 500; }
button:hover, .button:hover { filter: brightness(1.08); }
button.danger { background: none; color: var(--bad); border-color: currentColor; }
.field { margin: 0 0 1.1rem; padding: 0; border: 0; min-width: 0; }
.field > label, legend { display: block; padding: 0; font-weight: 600; margin-block-end: 0.25rem; }
.field input:not([type="checkbox"], [type="radio"], [type="color"]), .field select { width: 100%; }
.hint + fieldset.field, .hint + form > fieldset.field:first-of-type, fieldset.field + fieldset.field { margin-block-start: 1.5rem; }
.hint { margin: 0.15rem 0 0.3rem; color: var(--soft); font-size: 0.9rem; }
.hint:has(+ :is(form, fieldset, .field, .cards)), .notes:has(+ form), .field + details:has(+ .field) { margin-block-end: 1rem; }
.sides > .field + .field { margin-block-start: 0; }
.field > label > input { font-weight: 400; }
.field > label.choice { display: flex; font-weight: 400; margin: 0; }
.choice { display: flex; gap: 0.6rem; align-items: center; min-height: 2.75rem; }
.choice input { width: 1.3rem; height: 1.3rem; min-height: 0; flex: none; }
.chart { margin: 0 0 1rem; } .chart svg { width: 100%; height: min(11rem, 24vw); fill: var(--link); border-block-end: 1px solid var(--line); }
.counts { border-collapse: collapse; margin-block-end: 1rem; } .counts th, .counts td { padding: 0.4rem 0.9rem 0.4rem 0; text-align: start; font-weight: 400; border-block-end: 1px solid var(--line); } .counts thead th { color: var(--soft); font-size: 0.9rem; overflow-wrap: normal; } .counts td { text-align: end; font-variant-numeric: tabular-nums; }
.qr { display: block; width: min(17rem, 100%); margin-block-end: 1rem; background: #fff; fill: #000; border-radius: 8px; }
progress { width: min(26rem, 100%); height: 0.8rem; accent-color: var(--link); }
input + [data-picture] { margin-block-start: 0.5rem; }
markdown-toolbar { display: none; }
markdown-toolbar:defined { display: flex; flex-wrap: wrap; gap: 0.15rem; margin-block-end: 0.3rem; }
markdown-toolbar > * { display: inline-grid; place-items: center; width: 2.75rem; height: 2.75rem; min-height: 0; padding: 0; background: none; border: 1px solid transparent; border-radius: 6px; color: var(--ink); cursor: pointer; }
markdown-toolbar > *:hover { background: var(--card); border-color: var(--line); }
markdown-toolbar svg { width: 1.15rem; fill: none; stroke: currentColor; stroke-width: 1.6; stroke-linecap: round; stroke-linejoin: round; }
.picker { position: relative; max-width: 32rem; }
.picker ul { position: absolute; z-index: 2; inset-inline: 0; margin: 0.2rem 0 0; padding: 0.25rem; list-style: none; background: var(--card); border: 1px solid var(--line); border-radius: 8px; box-shadow: 0 6px 24px rgb(0 0 0 / 18%); }
.picker li { padding: 0.55rem 0.6rem; border-radius: 6px; cursor: pointer; }
.picker li[aria-selected="true"], .picker li:hover { background: var(--paper); outline: 2px solid var(--link); outline-offset: -2px; }
.difference { padding: 0.75rem 1rem; margin-block-end: 0.75rem; background: var(--card); border: 1px solid var(--line); border-radius: 6px; white-space: pre-wrap; }
ins { background: color-mix(in srgb, var(--good) 16%, transparent); color: inherit; text-decoration: underline; text-decoration-color: var(--good); text-decoration-thickness: 2px; text-underline-offset: 0.2em; }
del { background: color-mix(in srgb, var(--bad) 14%, transparent); color: inherit; text-decoration: line-through; text-decoration-color: var(--bad); text-decoration-thickness: 2px; }
del + ins { margin-inline: 0.15em; }
.beside { padding: 0.75rem 1rem; background: var(--card); border: 1px solid var(--line); border-radius: 6px; white-space: pre-wrap; max-height: 24rem; overflow-y: auto; }
.choices { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; } .choices a { padding-block: 0.5rem; } .choices a[aria-current] { color: inherit; font-weight: 600; text-decoration: none; }
iframe.preview { display: block; width: 100%; height: 85vh; margin-block: 1rem; border: 1px solid var(--line); border-radius: 8px; background: #fff; }
button[aria-pressed="true"] { background: var(--card); border-color: currentColor; }
@media (min-width: 75rem) {
  .with-preview main { max-width: none; display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 0 1.5rem; align-content: start; }
  .with-preview main > * { grid-column: 1; }
  .with-preview main > iframe.preview { grid-column: 2; grid-row: 1 / span 20; position: sticky; inset-block-start: 0.5rem; height: calc(100vh - 1rem); margin-block: 0; }
}
.bar { position: sticky; inset-block-end: 0; display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: center; padding-block: 0.75rem; background: var(--paper); border-block-start: 1px solid var(--line); }
.selection { position: static; width: 100%; align-items: end; margin-block-end: 0; } .selection > p { margin: 0; }
form:has([name="item"]:checked) > .selection { position: sticky; z-index: 1; }
.state { color: var(--soft); font-size: 0.95rem; }
.state:has([data-warns]) { position: sticky; inset-block-start: 0; z-index: 1; padding-block: 0.5rem; background: var(--paper); color: var(--warn); font-weight: 600; }
.fault { padding: 0.75rem 1rem; border: 2px solid var(--bad); border-radius: 6px; color: var(--bad); font-weight: 600; }
.saved { padding: 0.6rem 1rem; border: 1px solid var(--good); border-radius: 6px; color: var(--good); font-weight: 600; }
.notes { padding: 0.75rem 1rem; border: 1px solid var(--warn); border-radius: 6px; }
.notes ul { margin: 0.25rem 0 0; padding-inline-start: 1.2rem; }
.cards { display: grid; gap: 0.5rem; padding: 0; margin: 0 0 1rem; list-style: none; }
.cards > li { padding: 0.75rem 1rem; background: var(--card); border: 1px solid var(--line); border-radius: 8px; }
.cards .state + form { margin-block-start: 0.4rem; }
.cards input[type="checkbox"] { width: 1.3rem; height: 1.3rem; min-height: 0; vertical-align: middle; }
.cards > .editable { display: grid; grid-template-columns: auto 1fr auto; align-items: start; }
.editable > * { min-width: 0; grid-column: 2; hyphens: auto; } .editable > input { grid-column: 1; margin-block-start: 0.5rem; margin-inline-end: 0.6rem; } .editable > button { grid-column: 3; grid-row: 1 / span 2; margin-inline-start: 0.6rem; }
.cards > li > a:first-child, .editable > div > a:first-child { display: inline-block; padding-block: 0.3rem; font-weight: 600; }
.tag { display: inline-block; padding: 0 0.5rem; border: 1px solid currentColor; border-radius: 1rem; font-size: 0.85rem; white-space: nowrap; }
.tag.published, .tag.active, .tag.good { color: var(--good); } .tag.draft, .tag.scheduled, .tag.warn { color: var(--warn); } .tag.archived, .tag.deleted, .tag.revoked, .tag.expired, .tag.bad { color: var(--bad); }
.filters { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: end; margin-block-end: 1rem; }
.filters label { font-size: 0.9rem; } .filters label:not(.choice) { display: block; } .filters label:not(.choice) :is(input, select) { display: block; margin-block-start: 0.15rem; }
.filters > .more { flex-basis: 100%; }
.actions { display: flex; flex-wrap: wrap; gap: 0.5rem; margin-block: 1rem; align-items: start; }
.going { gap: 1rem 2rem; align-items: end; } .going label:not(.choice) { display: block; } .going label > input:not([type="checkbox"]) { display: block; margin-block: 0.25rem 0.5rem; }
.action { display: grid; gap: 0.4rem; justify-items: start; }
.action .hint { max-width: 32rem; }
.action + p { margin-block-start: 0.75rem; }
.action > :is(.sides, .cards) { width: 100%; }
.action > .field { width: 100%; max-width: 40rem; margin-block-end: 0.5rem; }
details > summary::before { content: "›"; width: 1rem; flex: none; text-align: center; font-size: 1.3rem; line-height: 1; } details[open] > summary::before { rotate: 90deg; } details[open] > summary:dir(rtl)::before { rotate: -90deg; }
dl { display: grid; grid-template-columns: minmax(6rem, max-content) 1fr; gap: 0.25rem 1rem; margin: 0 0 1rem; }
dt { color: var(--soft); } dd { margin: 0; white-space: pre-wrap; }
@media (max-width: 30rem) { h1 { font-size: 1.4rem; } .filters > p:has([type="search"]), .filters > p:has([type="search"]) input { width: 100%; } .bar:not(.selection) { flex-wrap: nowrap; gap: 0.35rem; } .bar:not(.selection) button { padding-inline: 0.4rem; font-size: 0.85rem; white-space: nowrap; } textarea[name="body"] { min-height: 14rem; } }
@media (max-width: 30rem) { .editable > .rest { grid-column: 1 / -1; grid-row: 2; } .editable > button { grid-row: 1; padding-inline: 0.45rem; margin-inline-start: 0.3rem; font-size: 0.9rem; } .cards > .editable { padding-inline: 0.75rem; } }
@media (max-width: 26rem) { dl { grid-template-columns: 1fr; } dd { margin-block-end: 0.5rem; } }
.sides { display: grid; gap: 0.75rem; grid-template-columns: repeat(auto-fit, minmax(min(18rem, 100%), 1fr)); }
.sides pre, .code { margin: 0; padding: 0.75rem; background: var(--card); border: 1px solid var(--line); border-radius: 6px; white-space: pre-wrap; font: 0.95rem/1.5 ui-monospace, Menlo, Consolas, monospace; }
.code { font-size: 1.05rem; user-select: all; } .code:has(+ p > button) { margin-block-end: 0.5rem; }
details > summary { min-height: 2.75rem; display: flex; align-items: center; cursor: pointer; font-weight: 600; }
[hidden] { display: none !important; }
.menu-rows { padding: 0; margin: 0.5rem 0 1rem; list-style: none; display: grid; gap: 0.5rem; }
.menu-rows > li { display: grid; gap: 0.4rem; grid-template-columns: minmax(0, 1fr) minmax(0, 1.4fr) auto; }
.menu-rows > .below { margin-inline-start: 2rem; }
.part { display: flex; gap: 0.5rem; align-items: center; justify-content: space-between; }
.moves { display: flex; gap: 0.25rem; } .moves button { min-width: 2.75rem; justify-content: center; padding-inline: 0.3rem; } .moves button:disabled { opacity: 0.45; }
@media (max-width: 40rem) { .menu-rows > li { grid-template-columns: 1fr; padding: 0.5rem; background: var(--card); border: 1px solid var(--line); border-radius: 8px; } .menu-rows > .below { margin-inline-start: 1.5rem; } }
.looks { display: grid; gap: 0.5rem; grid-template-columns: repeat(auto-fit, minmax(min(15rem, 100%), 1fr)); }
.look { display: grid; grid-template-columns: auto 5rem 1fr; gap: 0.6rem; align-items: center; padding: 0.6rem; background: var(--card); border: 1px solid var(--line); border-radius: 8px; cursor: pointer; }
.look:has(:checked) { border-color: var(--link); box-shadow: inset 0 0 0 1px var(--link); }
.look input { width: 1.3rem; min-height: 0; height: 1.3rem; }
.look strong { display: block; }
.choice input[type="color"] { width: 3.5rem; height: 2.75rem; padding: 0.15rem; margin-inline-start: auto; }
iframe { width: 100%; min-height: 34rem; border: 1px solid var(--line); border-radius: 8px; background: var(--card); }
@media (min-width: 60rem) {
  .with-look { display: grid; grid-template-columns: minmax(20rem, 26rem) minmax(0, 1fr); gap: 1.5rem; }
  main:has(.with-look) { max-width: none; }
  .with-look iframe { position: sticky; inset-block-start: 1rem; height: calc(100vh - 2rem); }
}
.media { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(10.5rem, 44%), 1fr)); gap: 0.75rem; margin: 0 0 1rem; padding: 0; list-style: none; }
.media > li { padding-block-end: 0.4rem; }
.media a, .media button { display: block; width: 100%; padding: 0; border: 1px solid var(--line); border-radius: 8px; overflow: hidden; background: var(--card); color: var(--ink); font-weight: 500; text-align: start; text-decoration: none; }
.media img, .media .file { display: grid; place-items: center; width: 100%; aspect-ratio: 4 / 3; object-fit: cover; background: var(--paper); color: var(--soft); font-weight: 650; }
.media img[src$=".svg"] { object-fit: contain; padding: 0.5rem; }
.media .name { display: block; padding: 0.5rem 0.65rem; font-size: 0.9rem; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
.media .tag { margin-block-start: 0.35rem; white-space: normal; }
.text { white-space: pre-line; }
.upload { padding: 1rem; margin-block-end: 1.25rem; border: 2px dashed var(--line); border-radius: 8px; }
.upload label { display: block; font-weight: 600; margin-block-end: 0.35rem; } .upload button { margin-block-start: 0.4rem; }
.upload .progress { margin: 0; padding: 0; list-style: none; } .upload .progress:empty { display: none; }
.medium { display: grid; gap: 0 2rem; grid-template-columns: repeat(auto-fit, minmax(min(20rem, 100%), 1fr)); }
.medium .shown { display: block; max-width: 100%; max-height: 26rem; margin-block-end: 0.75rem; border: 1px solid var(--line); border-radius: 8px; background: var(--card); }
.pictures { width: min(48rem, calc(100vw - 1rem)); max-height: 92vh; padding: 1rem; border: 1px solid var(--line); border-radius: 10px; background: var(--paper); color: var(--ink); }
.pictures::backdrop { background: rgb(0 0 0 / 45%); }
.pictures .head { display: flex; justify-content: space-between; align-items: center; gap: 1rem; } .pictures h2 { margin: 0 0 0.5rem; }
.pictures input[type="search"] { width: 100%; margin-block: 0.5rem 0.75rem; } .pictures [hidden] { display: none; }
.pictures form img { display: block; max-width: 100%; max-height: 16rem; margin-block-end: 0.75rem; border-radius: 8px; } .pictures form label { display: block; font-weight: 600; } .pictures form label > input:not([type="checkbox"]) { display: block; width: 100%; font-weight: 400; margin-block: 0.25rem 0.75rem; } .pictures form textarea { font-weight: 400; } .pictures form .choice { display: flex; font-weight: 400; margin-block-end: 0.5rem; }
@media (forced-colors: active) { button, .button { color: ButtonText; background: ButtonFace; } .tag, .cards > li { border-color: CanvasText; } }
`;

const STYLE_DIGEST = hash("sha256", ADMIN_STYLE_SHEET).slice(0, 12);

export const ADMIN_STYLE_SHEET_PATH = `/admin/style-${STYLE_DIGEST}.css`;
