import type { ContentType } from "../../../../content/types/content-type.ts";
import { html } from "../../../../render/html.ts";
import type { HttpResponse } from "../../../exchange.ts";
import type { SentForm } from "../../../site/sent-form.ts";
import { screenResponse } from "../frame/frame.ts";
import type { ScreenVisit } from "../frame/screen.ts";
import { readTypesWithScreenLabels } from "../frame/screen-types.ts";
import { ENDED_DRAFT_SCRIPT_PATH } from "../frame/scripts.ts";

const SCREEN_PATH = "/admin/drafts";

/**
 * Says that the draft was already published or discarded, and shows the input that was not saved.
 * The input comes from `form`; if `form` is null, a script takes it from the browser's storage.
 */
export async function endedDraftResponse(
  visit: ScreenVisit,
  form: SentForm | null,
): Promise<HttpResponse> {
  const t = visit.texts.draft;
  const types = await readTypesWithScreenLabels(visit);
  const typed = form === null ? [] : enteredTexts(form, types.get(form.value("type")));
  const item = form?.value("item") ?? "";
  const areas = typed.map(
    (text) =>
      html`<p><textarea readonly rows="4" aria-label="${t.endedTyped}">\n${text}</textarea></p>\n`,
  );
  const storedInput = html`<div data-kept="${SCREEN_PATH}/${visit.pathParameter("id")}/autosave" data-label="${t.endedTyped}"></div>\n`;
  const content = html`${typed.length > 0 && html`<h2>${t.endedTyped}</h2>\n${areas}`}${form === null && storedInput}<p><a class="button quiet" href="${item === "" ? SCREEN_PATH : `/admin/content/${encodeURIComponent(item)}`}">${item === "" ? visit.texts.nav.drafts : t.endedItem}</a></p>\n`;
  return screenResponse(
    { ...visit, url: SCREEN_PATH },
    {
      title: t.endedTitle,
      content,
      fault: t.ended,
      status: 404,
      scripts: [ENDED_DRAFT_SCRIPT_PATH],
    },
  );
}

function enteredTexts(form: SentForm, type: ContentType | undefined): string[] {
  const fields = Object.keys(type?.fields ?? {}).map((name) => `f.${name}`);
  return ["title", "body", "summary", ...fields]
    .map((name) => form.value(name))
    .filter((text) => text !== "");
}
