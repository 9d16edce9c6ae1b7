import { BUILT_IN_TYPES } from "../../../../content/types/built-in.ts";
import { html, type SafeHtml } from "../../../../render/html.ts";
import { actionForm } from "../frame/frame.ts";
import type { ScreenVisit } from "../frame/screen.ts";
import { readTypesWithScreenLabels } from "../frame/screen-types.ts";

/**
 * Renders a button for each type of content. `title` is the title of the new item; it may be empty.
 */
export async function newItemForms(visit: ScreenVisit, title: string): Promise<SafeHtml> {
  const { texts, signedIn } = visit;
  if (!signedIn.actor.scopes.includes("content:write")) return html``;
  const types = [...(await readTypesWithScreenLabels(visit)).values()];
  const forms = types.map(({ name, label }) =>
    actionForm(visit, "/admin/new", {
      button: label,
      hidden: { type: name, title },
      isQuiet: true,
    }),
  );
  const hasDeclaredTypes = types.length > BUILT_IN_TYPES.length;
  const more =
    !hasDeclaredTypes &&
    signedIn.actor.scopes.includes("settings:write") &&
    html`<p><a href="/admin/types#new">${texts.desk.moreTypes}</a></p>\n`;
  const heading = title === "" ? texts.desk.create : texts.content.createNamed(title);
  return html`<h2>${heading}</h2>\n<div class="actions">\n${forms}</div>\n${more}`;
}
