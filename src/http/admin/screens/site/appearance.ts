import { hash } from "node:crypto";
import { listMedia } from "../../../../content/media/media-editing.ts";
import { findPage } from "../../../../content/pages/find-page.ts";
import { withOverriddenMethods } from "../../../../content/reading-overrides.ts";
import type { Look } from "../../../../content/site/look/look.ts";
import { changeSettings, previewProfile, readSettings } from "../../../../content/site/settings.ts";
import type { SiteProfile } from "../../../../content/site/site.ts";
import { dayInZone } from "../../../../content/site/time-zone.ts";
import { AppError } from "../../../../errors.ts";
import { html } from "../../../../render/html.ts";
import { styleSheet } from "../../../../render/looks/style-sheet.ts";
import { pageHtml } from "../../../../render/page-html.ts";
import { type HttpResponse, responseWithContentLength } from "../../../exchange.ts";
import { errorText, problemText } from "../../error-text.ts";
import { ADMIN_HEADERS, redirectAfterSave } from "../../page.ts";
import { csrfTokenField, screenResponse } from "../frame/frame.ts";
import type { Screen, ScreenVisit } from "../frame/screen.ts";
import { APPEARANCE_SCRIPT_PATH } from "../frame/scripts.ts";
import { appearanceFields, lookFromForm } from "./appearance-fields.ts";

const SCREEN_PATH = "/admin/appearance";
const PREVIEW_PATH = `${SCREEN_PATH}/preview`;
const PICTURES_MAX = 100;

const show: Screen = {
  method: "GET",
  path: SCREEN_PATH,
  scope: "settings:write",
  async answer(visit) {
    const { profile } = await readSettings(visit.parts.stores.content, visit.signedIn.actor);
    return await formResponse(visit, profile.look, null);
  },
};

const save: Screen = {
  method: "POST",
  path: SCREEN_PATH,
  scope: "settings:write",
  async answer(visit, form) {
    const { parts, signedIn, now, requestId } = visit;
    const patch = { look: lookFromForm(form) };
    try {
      await parts.atomically(({ content }) =>
        changeSettings(content, signedIn.actor, patch, { now, requestId }),
      );
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "invalid") throw error;
      const { profile } = await previewProfile(parts.stores.content, signedIn.actor, patch);
      if (profile === null) throw error;
      return await formResponse(visit, profile.look, error);
    }
    return redirectAfterSave(SCREEN_PATH);
  },
};

/**
 * Renders the page in the form's preview frame: the home page with the entered look, or a list of
 * the errors in the input.
 */
const preview: Screen = {
  method: "POST",
  path: PREVIEW_PATH,
  scope: "settings:write",
  async answer({ parts, signedIn, texts, now }, form) {
    const { profile, problems } = await previewProfile(parts.stores.content, signedIn.actor, {
      look: lookFromForm(form),
    });
    if (profile === null || problems.length > 0) {
      const faults = problems.map(
        (problem) => html`<li>${problemText(problem, { texts, parts })}</li>`,
      );
      const page = html`<!doctype html><html lang="${texts.language}"><title>${texts.failed}</title><ul>${faults}</ul></html>`;
      return previewAnswer(page.text, "", 400);
    }
    return await homePreview(profile, { ...parts, now });
  },
};

export const appearanceScreens: readonly Screen[] = [show, save, preview];

async function formResponse(
  visit: ScreenVisit,
  look: Look,
  error: AppError | null,
): Promise<HttpResponse> {
  const { texts, parts, signedIn, token } = visit;
  const t = texts.appearance;
  const query = { type: "image", limit: PICTURES_MAX };
  const { media: pictures } = await listMedia(parts.stores.media, signedIn.actor, query);
  const content = html`<div class="with-look">
<form method="post" action="${SCREEN_PATH}" data-preview="preview-button">
${csrfTokenField({ token })}${appearanceFields(look, { texts, pictures })}<div class="bar"><button>${t.save}</button><button class="quiet" id="preview-button" formaction="${PREVIEW_PATH}" formtarget="preview">${t.preview}</button></div>
</form>
<iframe name="preview" title="${t.previewTitle}"></iframe>
</div>
`;
  const page = { title: t.title, content, scripts: [APPEARANCE_SCRIPT_PATH] };
  const fault = error === null ? {} : { fault: errorText(error, visit), status: 400 };
  return screenResponse({ ...visit, url: SCREEN_PATH }, { ...page, ...fault });
}

async function homePreview(
  tried: SiteProfile,
  parts: Pick<ScreenVisit["parts"], "reading" | "origin"> & { now: Date },
): Promise<HttpResponse> {
  const { origin, now } = parts;
  const reading = withOverriddenMethods(parts.reading, { site: () => tried });
  const answer = await findPage(reading, "/", {
    parameter: () => undefined,
    today: () => dayInZone(tried.timeZone, now.toISOString()),
  });
  if (answer.kind !== "page") throw new Error("There is no home page");
  const { css, path } = styleSheet(tried.look);
  const page = pageHtml(answer.view, { reading, origin, feeds: [] });
  const styled = page
    .replace(`<link rel="stylesheet" href="${path}">`, () => `<style>${css}</style>`)
    .replace("<body>", "<body inert>");
  return previewAnswer(styled, css, 200);
}

/**
 * An answer that only pages of this site may show in a frame. The answer may load only fonts and pictures.
 */
function previewAnswer(page: string, css: string, status: number): HttpResponse {
  const policy = `default-src 'none'; style-src 'sha256-${hash("sha256", css, "base64")}'; img-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'`;
  const headers = { "Content-Security-Policy": policy, "Content-Type": "text/html; charset=utf-8" };
  return responseWithContentLength(status, { ...ADMIN_HEADERS, ...headers }, page);
}
