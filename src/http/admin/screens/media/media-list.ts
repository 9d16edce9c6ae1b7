import { listMedia } from "../../../../content/media/media-editing.ts";
import { ACCEPTED_FILE_EXTENSIONS } from "../../../../content/media/media-kinds.ts";
import { html, type SafeHtml } from "../../../../render/html.ts";
import { responseWithContentLength } from "../../../exchange.ts";
import { ADMIN_HEADERS } from "../../page.ts";
import { csrfTokenField, hiddenFields, screenResponse } from "../frame/frame.ts";
import { optionElement } from "../frame/option.ts";
import type { Screen, ScreenVisit } from "../frame/screen.ts";
import { MEDIA_SCRIPT_PATH } from "../frame/scripts.ts";
import { MEDIA_SCREEN_PATH, mediaCard, mediaFileForScripts } from "./media-card.ts";

const FILES_PER_PAGE = 48;
const PICTURES_OFFERED_MAX = 24;
const KIND_FILTERS = ["image", "application", "audio", "video"] as const;

interface MediaRequest {
  text: string;
  kind: string;
  unused: boolean;
  undescribed: boolean;
  /** The draft for which a picture is being chosen; empty: none. */
  draft: string;
}

/** Shows all files as a grid, with a search and a form that adds files. */
export const mediaListScreen: Screen = {
  method: "GET",
  path: MEDIA_SCREEN_PATH,
  scope: "content:read",
  async answer(visit) {
    const { texts, parts, signedIn, query } = visit;
    const t = texts.media;
    const request = parseRequest(query);
    const cursor = query.get("cursor");
    const { media, nextCursor } = await listMedia(parts.stores.media, signedIn.actor, {
      ...mediaQuery(request),
      limit: FILES_PER_PAGE,
      ...(cursor === null ? {} : { cursor }),
    });
    const publicIds = await parts.stores.media.publicMedia(media.map(({ id }) => id));
    const draftQuery =
      request.draft === "" ? "" : `?${new URLSearchParams({ draft: request.draft })}`;
    const cards = media.map((medium) =>
      mediaCard(medium, { isPublic: publicIds.has(medium.id), texts, query: draftQuery }),
    );
    const isAll = Object.keys(mediaQuery(request)).length === 0;
    const more = nextCursor === null ? null : listAddress(request, nextCursor);
    const content = html`${uploadForm(visit)}${filterForm(visit, request)}<ul class="media" data-media>\n${cards}</ul>
${media.length === 0 && html`<p>${isAll ? t.none : t.nothingFound}</p>\n`}${more !== null && html`<p><a class="button quiet" href="${more}">${t.next}</a></p>\n`}`;
    return screenResponse(
      { ...visit, url: MEDIA_SCREEN_PATH },
      { title: t.title, content, scripts: [MEDIA_SCRIPT_PATH] },
    );
  },
};

/**
 * Lists pictures to insert into a text, newest first, each as {@link mediaFileForScripts} returns it.
 * `?q=` selects pictures by a search text.
 */
export const picturePickerScreen: Screen = {
  method: "GET",
  path: `${MEDIA_SCREEN_PATH}/pick`,
  scope: "content:read",
  async answer({ parts, signedIn, query }) {
    const request = { ...parseRequest(query), kind: "image" };
    const { media } = await listMedia(parts.stores.media, signedIn.actor, {
      ...mediaQuery(request),
      limit: PICTURES_OFFERED_MAX,
    });
    const headers = { ...ADMIN_HEADERS, "Content-Type": "application/json" };
    return responseWithContentLength(
      200,
      headers,
      JSON.stringify({ items: media.map(mediaFileForScripts) }),
    );
  },
};

function parseRequest(query: URLSearchParams): MediaRequest {
  return {
    text: query.get("q")?.trim().slice(0, 200) ?? "",
    kind: KIND_FILTERS.find((kind) => kind === query.get("kind")) ?? "",
    unused: query.get("unused") === "true",
    undescribed: query.get("undescribed") === "true",
    draft: query.get("draft") ?? "",
  };
}

function mediaQuery({ text, kind, unused, undescribed }: MediaRequest) {
  return {
    ...(text === "" ? {} : { text }),
    ...(kind === "" ? {} : { type: kind }),
    ...(unused ? { unused } : {}),
    ...(undescribed ? { undescribed } : {}),
  };
}

function listAddress(
  { text, kind, unused, undescribed, draft }: MediaRequest,
  cursor: string,
): string {
  const kept = {
    ...(unused && { unused: "true" }),
    ...(undescribed && { undescribed: "true" }),
    ...(draft !== "" && { draft }),
  };
  const query = new URLSearchParams({ q: text, kind, ...kept, cursor });
  return `${MEDIA_SCREEN_PATH}?${query}`;
}

/**
 * A form for several files. A script sends each file separately, and accepts dropped and pasted
 * files.
 */
function uploadForm({ texts, token, signedIn }: ScreenVisit): SafeHtml | null {
  if (!signedIn.actor.scopes.includes("media:write")) return null;
  const t = texts.media;
  const accepted = ACCEPTED_FILE_EXTENSIONS.split(", ").map((extension) => `.${extension}`);
  return html`<form method="post" action="${MEDIA_SCREEN_PATH}" enctype="multipart/form-data" class="upload" data-upload data-uploading="${t.uploading}" data-failed="${t.failed}">
${csrfTokenField({ token })}<label for="files">${t.add}</label>
<input id="files" type="file" name="file" multiple required accept="${accepted.join(",")}"> <button>${t.upload}</button>
<p class="hint" data-drop-hint hidden>${t.drop}</p>
<ul class="progress" data-progress role="status"></ul>
</form>
`;
}

function filterForm(
  { texts }: ScreenVisit,
  { text, kind, unused, undescribed, draft }: MediaRequest,
): SafeHtml {
  const t = texts.media;
  return html`<form class="filters" action="${MEDIA_SCREEN_PATH}">
${draft !== "" && hiddenFields({ draft })}<p><label>${t.search}<input type="search" name="q" value="${text}"></label></p>
<p><label>${t.kind}<select name="kind"><option value="">${t.anyKind}</option>${KIND_FILTERS.map((each) => optionElement(each, t.kinds[each], each === kind))}</select></label></p>
<p><label class="choice"><input type="checkbox" name="unused" value="true"${unused && html` checked`}> ${t.unused}</label></p>
<p><label class="choice"><input type="checkbox" name="undescribed" value="true"${undescribed && html` checked`}> ${t.onlyUndescribed}</label></p>
<p><button class="quiet">${texts.find.button}</button></p>
</form>
`;
}
