import { requireScope } from "../../../../access/actor.ts";
import {
  findReplacementCandidates,
  replaceTextInItems,
} from "../../../../content/editing/many/replacing.ts";
import type { RewrittenItem } from "../../../../content/editing/many/rewriting.ts";
import { AppError } from "../../../../errors.ts";
import { html, type SafeHtml } from "../../../../render/html.ts";
import type { HttpResponse } from "../../../exchange.ts";
import { errorText } from "../../error-text.ts";
import { numberText } from "../../texts/choose.ts";
import { actionForm, csrfTokenField, screenResponse } from "../frame/frame.ts";
import { optionElement } from "../frame/option.ts";
import type { Screen, ScreenVisit } from "../frame/screen.ts";
import { readTypesWithScreenLabels } from "../frame/screen-types.ts";

const CONTENT_PATH = "/admin/content";
const REPLACE_PATH = "/admin/replace";
const FIND_CHARACTERS_MAX = 300;

interface ReplaceRequest {
  find: string;
  replace: string;
  type: string;
}

const ask: Screen = {
  method: "GET",
  path: REPLACE_PATH,
  scope: "content:write",
  async answer(visit) {
    requireScope(visit.signedIn.actor, "content:write");
    return await answer(visit, { find: "", replace: "", type: "" }, html``);
  },
};

/**
 * Previews a find-and-replace in the texts of many items. If the form has `apply`, changes the
 * texts.
 */
const replace: Screen = {
  method: "POST",
  path: REPLACE_PATH,
  scope: "content:write",
  async answer(visit, form) {
    const { texts, parts, signedIn, now, requestId } = visit;
    const request = {
      find: form.value("find").slice(0, FIND_CHARACTERS_MAX),
      replace: form.value("replace").slice(0, FIND_CHARACTERS_MAX),
      type: form.value("type"),
    };
    const isDryRun = form.value("apply") === "";
    try {
      const types = request.type === "" ? [] : [request.type];
      const replacement = { find: request.find, replace: request.replace, types };
      const { ids, hasMore } = await findReplacementCandidates(parts.deskIndex, replacement);
      const items = await parts.atomically(({ content }) =>
        replaceTextInItems(
          content,
          signedIn.actor,
          { ...replacement, ids },
          { isDryRun, now, requestId },
        ),
      );
      const t = texts.many.replace;
      const outcome = isDryRun
        ? foundItems(visit, request, { items, hasMore })
        : html`<p class="state">${t.done(numberText(texts, items.length))}</p>\n${cards(visit, items)}`;
      return await answer(visit, request, outcome);
    } catch (error) {
      if (!(error instanceof AppError) || error.code === "forbidden") throw error;
      return await answer(visit, request, html``, error);
    }
  },
};

export const replaceScreens: readonly Screen[] = [ask, replace];

async function answer(
  visit: ScreenVisit,
  request: ReplaceRequest,
  outcome: SafeHtml,
  error?: AppError,
): Promise<HttpResponse> {
  const t = visit.texts.many.replace;
  const content = html`<p><a href="${CONTENT_PATH}">${t.back}</a></p>
<p class="hint">${t.hint}</p>
${await askForm(visit, request)}${outcome}`;
  return screenResponse(
    { ...visit, url: CONTENT_PATH },
    {
      title: t.title,
      content,
      fault: error && errorText(error, visit),
      status: error === undefined ? 200 : 422,
    },
  );
}

async function askForm(
  visit: ScreenVisit,
  { find, replace, type }: ReplaceRequest,
): Promise<SafeHtml> {
  const { texts } = visit;
  const t = texts.many.replace;
  const types = [...(await readTypesWithScreenLabels(visit)).values()];
  const max = FIND_CHARACTERS_MAX;
  return html`<form method="post" action="${REPLACE_PATH}">
${csrfTokenField(visit)}<p class="field"><label for="find-text">${t.find}</label><input id="find-text" name="find" value="${find}" maxlength="${max}" required></p>
<p class="field"><label for="replace-with">${t.with}</label><input id="replace-with" name="replace" value="${replace}" maxlength="${max}"></p>
<p class="field"><label for="replace-type">${texts.content.type}</label><select id="replace-type" name="type"><option value="">${texts.content.anyType}</option>${types.map(({ name, label }) => optionElement(name, label, name === type))}</select></p>
<p><button${find !== "" && html` class="quiet"`}>${t.look}</button></p>
</form>
`;
}

function foundItems(
  visit: ScreenVisit,
  request: ReplaceRequest,
  { items, hasMore }: { items: readonly RewrittenItem[]; hasMore: boolean },
): SafeHtml {
  const { texts } = visit;
  const t = texts.many.replace;
  if (items.length === 0) return html`<p>${t.nothing}</p>\n`;
  const { find, replace, type } = request;
  return html`<h2>${t.would(numberText(texts, items.length))}</h2>
${cards(visit, items)}${hasMore && html`<p class="hint">${t.more}</p>\n`}${actionForm(visit, REPLACE_PATH, { button: t.apply, hidden: { find, replace, type, apply: "1" } })}`;
}

function cards({ texts }: ScreenVisit, items: readonly RewrittenItem[]): SafeHtml {
  const t = texts.many.replace;
  const rows = items.map(
    ({ id, title, path, places, excerpt }) =>
      html`<li><a href="${CONTENT_PATH}/${id}">${title === "" ? texts.content.untitled : title}</a> <span class="state">${path} · ${t.places(numberText(texts, places))}</span>
<p class="found">${excerpt.before}<del>${excerpt.found}</del>${excerpt.replacement !== "" && html`<ins>${excerpt.replacement}</ins>`}${excerpt.after}</p></li>\n`,
  );
  return html`<ul class="cards">\n${rows}</ul>\n`;
}
