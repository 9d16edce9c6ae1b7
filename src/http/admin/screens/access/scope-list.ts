import { SCOPE_DESCRIPTIONS, type Scope } from "../../../../access/actor.ts";
import { html, type SafeHtml } from "../../../../render/html.ts";
import type { Texts } from "../../texts/english.ts";

/** A key's permissions, in words. */
export function keyPermissionsHtml({ language, keys }: Texts, scopes: readonly Scope[]): SafeHtml {
  const entries = scopes.map((scope) => html`<li>${SCOPE_DESCRIPTIONS[scope][language]}</li>\n`);
  return html`<div class="state">${keys.allows}</div>\n<ul class="state">\n${entries}</ul>\n`;
}
