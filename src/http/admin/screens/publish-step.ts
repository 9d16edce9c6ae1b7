import { readDraft } from "../../../content/drafts/listing-drafts.ts";
import {
  applyDraft,
  type ComparedPart,
  compareDraft,
  scheduleDraft,
} from "../../../content/drafts/publishing-drafts.ts";
import { previewDraft } from "../../../content/editing/preview.ts";
import { AppError } from "../../../errors.ts";
import { html, type SafeHtml } from "../../../render/html.ts";
import type { HttpAnswer } from "../../exchange.ts";
import { pageReply } from "../../site/page-reply.ts";
import { ADMIN_HEADERS, redirectAnswer } from "../page.ts";
import { momentText } from "../texts/choose.ts";
import { contextOf } from "./draft-editor.ts";
import { actionForm, screenAnswer } from "./frame.ts";
import type { Screen, ScreenVisit } from "./screen.ts";

const PATH = "/admin/drafts";

/** The draft's page as visitors will see it. */
const preview: Screen = {
  method: "GET",
  path: `${PATH}/{id}/preview`,
  scope: "content:read",
  async answer({ parts, found, now, part }) {
    const { body, headers } = await previewDraft(parts.preview, found.actor, part("id"), {
      now,
      show: (view, reading) => pageReply(view, "html", { reading, origin: parts.origin }),
    });
    const type = headers["Content-Type"] ?? "text/html; charset=utf-8";
    const length = String(Buffer.byteLength(body));
    const all = { ...ADMIN_HEADERS, "Content-Type": type, "Content-Length": length };
    return { status: 200, headers: all, body };
  },
};

const step: Screen = {
  method: "GET",
  path: `${PATH}/{id}/publish`,
  scope: "content:read",
  answer: async (visit) => await stepAnswer(visit),
};

const publish: Screen = {
  method: "POST",
  path: `${PATH}/{id}/publish`,
  scope: "content:publish",
  async answer(visit, form) {
    const { parts, found, now, requestId } = visit;
    const id = visit.part("id");
    const version = Number(form.value("version"));
    try {
      const item = await parts.atomically((stores) =>
        applyDraft(stores, found.actor, id, { status: "published", version, now, requestId }),
      );
      return redirectAnswer(`/admin/content/${item.id}`);
    } catch (error) {
      if (error instanceof AppError) return await stepAnswer(visit, error);
      throw error;
    }
  },
};

const schedule: Screen = {
  method: "POST",
  path: `${PATH}/{id}/schedule`,
  scope: "content:publish",
  async answer(visit, form) {
    const { parts, found, now, requestId } = visit;
    const at = form.value("at");
    const publishAt = at === "" ? null : new Date(`${at}Z`);
    const id = visit.part("id");
    try {
      if (publishAt !== null && Number.isNaN(publishAt.getTime())) {
        throw new AppError("invalid", `"${at}" is no day with a time`);
      }
      const version = Number(form.value("version"));
      await parts.atomically((stores) =>
        scheduleDraft(stores, found.actor, id, { publishAt, version, now, requestId }),
      );
      return redirectAnswer(`${PATH}/${id}`);
    } catch (error) {
      if (error instanceof AppError) return await stepAnswer(visit, error);
      throw error;
    }
  },
};

export const publishScreens: readonly Screen[] = [preview, step, publish, schedule];

/** What changes, what is wrong, and then the one verb for going public. */
async function stepAnswer(visit: ScreenVisit, error?: AppError): Promise<HttpAnswer> {
  const { texts, parts, found } = visit;
  const t = texts.publish;
  const draft = await readDraft(parts.stores.drafts, found.actor, visit.part("id"));
  const { current } = await contextOf(visit, draft);
  const compared = await compareDraft(parts.stores, found.actor, draft.id);
  const problem = await problemIn(visit, draft.id);
  const path = `${PATH}/${draft.id}`;
  const hidden = { version: draft.version };
  const mayPublish = found.actor.scopes.includes("content:publish");
  const content = html`<p><a href="${path}">${t.back}</a></p>
${problem !== null && html`<div class="notes"><p>${t.problems}</p><ul><li>${problem}</li></ul></div>\n`}<h2>${t.changes}</h2>
${draft.itemId === null && html`<p>${t.newItem}</p>\n`}${compared.parts.length === 0 ? html`<p>${t.nothing}</p>\n` : compared.parts.map((each) => partHtml(visit, each))}${mayPublish && problem === null && html`<div class="actions">${actionForm(visit, `${path}/publish`, { button: t.now, hidden })}${actionForm(visit, `${path}/schedule`, { button: t.later, hidden, isQuiet: true, content: html`<label>${t.at} (UTC) <input type="datetime-local" name="at" required></label>` })}</div>\n`}${draft.publishAt !== null && html`<p class="state">${texts.desk.scheduled(momentText(texts, draft.publishAt))}</p>${actionForm(visit, `${path}/schedule`, { button: t.unschedule, hidden: { ...hidden, at: "" }, isQuiet: true })}`}`;
  const title = String(current["title"] ?? "");
  return screenAnswer(
    { ...visit, url: PATH },
    {
      title: `${t.title}: ${title === "" ? texts.content.untitled : title}`,
      content,
      fault: error?.message,
      status: error === undefined ? 200 : 422,
    },
  );
}

/** Why the draft cannot be published as it is; null: it can. */
async function problemIn({ parts, found, now }: ScreenVisit, id: string): Promise<string | null> {
  try {
    await previewDraft(parts.preview, found.actor, id, { now, show: () => null });
    return null;
  } catch (error) {
    if (error instanceof AppError && error.code !== "unavailable") return error.message;
    throw error;
  }
}

function partHtml({ texts }: ScreenVisit, { part, theirs, mine }: ComparedPart): SafeHtml {
  const t = texts.publish;
  const shown = (value: unknown) => {
    if (value === null || value === undefined || value === "") return t.empty;
    return typeof value === "string" ? value : JSON.stringify(value, null, 1);
  };
  return html`<h3>${part}</h3>
<div class="sides"><div><p class="state">${t.before}</p><pre>${shown(theirs)}</pre></div><div><p class="state">${t.after}</p><pre>${shown(mine)}</pre></div></div>
`;
}
