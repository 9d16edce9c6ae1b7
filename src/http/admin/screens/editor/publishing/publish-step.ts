import type { Draft, DraftedItemParts } from "../../../../../content/drafts/draft.ts";
import {
  applyDraft,
  type ComparedPart,
  compareDraft,
  findReferencesAffectedByDraft,
  scheduleDraft,
} from "../../../../../content/drafts/publishing-drafts.ts";
import { resolveDraftConflicts } from "../../../../../content/drafts/resolving.ts";
import { previewDraft } from "../../../../../content/editing/preview.ts";
import { draftTitle } from "../../../../../content/items/first-words.ts";
import { isTitleStartOfText } from "../../../../../content/pages/title-start.ts";
import { parseTimeInZone } from "../../../../../content/site/time-zone.ts";
import type { ContentType } from "../../../../../content/types/content-type.ts";
import { AppError } from "../../../../../errors.ts";
import { html, type SafeHtml } from "../../../../../render/html.ts";
import type { HttpResponse } from "../../../../exchange.ts";
import type { SentForm } from "../../../../site/sent-form.ts";
import { errorText, problemText } from "../../../error-text.ts";
import { redirectAfterItemChange, redirectResponse } from "../../../page.ts";
import { dateAndTimeText } from "../../../texts/choose.ts";
import { findActorLabels } from "../../content/person-names.ts";
import { linkingItemsHtml } from "../../content/reference-list.ts";
import { actionForm, screenResponse } from "../../frame/frame.ts";
import type { Screen, ScreenVisit } from "../../frame/screen.ts";
import { parseWholeNumber } from "../../frame/whole-number.ts";
import {
  createValueFormatter,
  differenceHtml,
  itemPartLabel,
  type ValueFormatter,
} from "../difference-html.ts";
import { draftFromPath, readDraftTypeAndParts } from "../draft-editor.ts";
import { endedDraftResponse } from "../ended-draft.ts";
import { reviewRequestForm, reviewRequestHtml } from "./draft-review.ts";
import { publishLinkedItems, unpublishedLinkedItemsHtml } from "./linked-items.ts";
import { missingDateNotice } from "./undated-notice.ts";

const SCREEN_PATH = "/admin/drafts";
const REFERRERS_SHOWN_MAX = 10;

const publishStep: Screen = {
  method: "GET",
  path: `${SCREEN_PATH}/{id}/publish`,
  scope: "content:read",
  answer: async (visit) => await stepResponse(visit),
};

const publish: Screen = {
  method: "POST",
  path: `${SCREEN_PATH}/{id}/publish`,
  scope: "content:publish",
  async answer(visit, form) {
    const { parts, signedIn, now, requestId } = visit;
    const id = visit.pathParameter("id");
    const version = parseWholeNumber(form.value("version"));
    return await stepWithErrorOnFailure(visit, form, async () => {
      const item = await parts.atomically(async (stores) => {
        await publishLinkedItems(stores.content, visit, { form, publishAt: null });
        const options = { status: "published", version, now, requestId } as const;
        return await applyDraft(stores, signedIn.actor, id, options);
      });
      return redirectAfterItemChange(item.id);
    });
  },
};

const schedule: Screen = {
  method: "POST",
  path: `${SCREEN_PATH}/{id}/schedule`,
  scope: "content:publish",
  async answer(visit, form) {
    const { parts, signedIn, now, requestId, timeZone } = visit;
    const at = form.value("at");
    const id = visit.pathParameter("id");
    return await stepWithErrorOnFailure(visit, form, async () => {
      const publishAt = at === "" ? null : parseTimeInZone(timeZone, at, visit.texts.publish.at);
      const version = parseWholeNumber(form.value("version"));
      await parts.atomically(async (stores) => {
        const options = { publishAt, version, now, requestId };
        await scheduleDraft(stores, signedIn.actor, id, options);
        if (publishAt !== null)
          await publishLinkedItems(stores.content, visit, { form, publishAt });
      });
      return redirectResponse(`${SCREEN_PATH}/${id}`);
    });
  },
};

/** Resolves the conflicts between the draft and the public page. */
const resolveConflicts: Screen = {
  method: "POST",
  path: `${SCREEN_PATH}/{id}/settle`,
  scope: "content:write",
  async answer(visit, form) {
    const { parts, signedIn, now } = visit;
    const id = visit.pathParameter("id");
    const options = {
      version: parseWholeNumber(form.value("version")),
      revision: parseWholeNumber(form.value("revision")),
      partsToDrop: form.values("theirs"),
      now,
    };
    return await stepWithErrorOnFailure(visit, form, async () => {
      await parts.atomically((stores) =>
        resolveDraftConflicts(stores, signedIn.actor, id, options),
      );
      return redirectResponse(`${SCREEN_PATH}/${id}/publish`);
    });
  },
};

export const publishScreens: readonly Screen[] = [publishStep, publish, schedule, resolveConflicts];

/** Runs an action. If it fails with an `AppError`, shows the publish step again, with the error. */
async function stepWithErrorOnFailure(
  visit: ScreenVisit,
  form: SentForm,
  action: () => Promise<HttpResponse>,
): Promise<HttpResponse> {
  try {
    return await action();
  } catch (error) {
    if (error instanceof AppError) return await stepResponse(visit, { error, form });
    throw error;
  }
}

/** Renders the publish step: changes, conflicts, problems, and the buttons that publish. */
async function stepResponse(
  visit: ScreenVisit,
  sent?: { error: AppError; form: SentForm },
): Promise<HttpResponse> {
  const { texts, parts, signedIn } = visit;
  const t = texts.publish;
  const draft = await draftFromPath(visit);
  if (draft === null) return await endedDraftResponse(visit, sent?.form ?? null);
  const { type, current } = await readDraftTypeAndParts(visit, draft);
  const compared = await compareDraft(parts.stores, signedIn.actor, draft.id);
  const values = compared.parts.flatMap(({ theirs, mine }) => [theirs, mine]);
  const format = await createValueFormatter(visit, values);
  const conflicts = compared.parts.filter(({ isConflict }) => isConflict);
  const path = `${SCREEN_PATH}/${draft.id}`;
  const changes = compared.parts
    .filter(({ isConflict }) => !isConflict)
    .map((each) => partHtml(visit, { each, type, format }));
  const content = html`<p><a href="${path}">${t.back}</a></p>
${await outdatedLinks(visit, draft)}${outdatedTitle(visit, { type, current, parts: compared.parts })}${missingDateNotice(visit, type, (name) => current[`fields.${name}`])}${conflicts.length > 0 && (await settleForm(visit, { draft, conflicts, type, format }))}${conflicts.length === 0 && (await publishSection(visit, draft, current))}${conflicts.length < Math.max(compared.parts.length, 1) && html`<h2>${t.changes}</h2>\n`}${draft.itemId === null && html`<p>${t.newItem}</p>\n`}${compared.parts.length === 0 ? html`<p>${t.nothing}</p>\n` : changes}`;
  const title = draftTitle(type, current);
  const page = {
    title: `${signedIn.actor.scopes.includes("content:publish") ? t.title : texts.review.ask}: ${title === "" ? texts.content.untitled : title}`,
    content,
  };
  if (sent === undefined) return screenResponse({ ...visit, url: SCREEN_PATH }, page);
  const { error, form } = sent;
  const fault =
    error.code === "precondition"
      ? t.savedMeanwhile((await findActorLabels(visit, draft.editors)).join(", "))
      : errorText(error, visit);
  const action = visit.address.pathname;
  const failed = { action, form, fault, status: 422, isOutdated: true };
  return screenResponse({ ...visit, failed, url: SCREEN_PATH }, page);
}

/**
 * Warns if this draft changes the start of a quotation's text, but its title still repeats the old start.
 */
function outdatedTitle(
  { texts }: ScreenVisit,
  {
    type,
    current,
    parts,
  }: { type: ContentType; current: DraftedItemParts; parts: readonly ComparedPart[] },
): SafeHtml | null {
  const title = String(current["title"] ?? "");
  const body = parts.find(({ part }) => part === "body");
  if (type.schemaOrg !== "Quotation" || title === "" || body === undefined) return null;
  const startsWithTitle = (text: unknown) =>
    isTitleStartOfText({ title, text: String(text ?? "") });
  if (!startsWithTitle(body.theirs) || startsWithTitle(body.mine)) return null;
  return html`<p class="notes">${texts.publish.formerTitle(title)}</p>\n`;
}

/** Lists the texts that link to the item's current address, if the draft changes that address. */
async function outdatedLinks(visit: ScreenVisit, draft: Draft): Promise<SafeHtml | null> {
  const { parts, texts } = visit;
  const stores = { ...parts.stores, deskIndex: parts.deskIndex };
  const references = await findReferencesAffectedByDraft(stores, draft.id, REFERRERS_SHOWN_MAX);
  if (references === null || references.texts.total === 0) return null;
  const list = await linkingItemsHtml(visit, references.texts);
  return html`<div class="notes"><p>${texts.publish.moves}</p>\n${list}</div>\n`;
}

/** Lists the problems that prevent publishing. Without problems, shows the buttons that publish. */
async function publishSection(
  visit: ScreenVisit,
  draft: Draft,
  current: DraftedItemParts,
): Promise<SafeHtml> {
  const { texts, signedIn } = visit;
  const t = texts.publish;
  const problems = await draftProblems(visit, draft.id);
  const scheduled =
    draft.publishAt !== null &&
    html`<p class="state">${texts.desk.scheduled(dateAndTimeText(visit, draft.publishAt))}</p>${actionForm(visit, `${SCREEN_PATH}/${draft.id}/schedule`, { button: t.unschedule, hidden: { version: draft.version, at: "" }, isQuiet: true })}`;
  const { scopes } = signedIn.actor;
  const canAsk = scopes.includes("content:write") && draft.review === null && scheduled === false;
  const review = html`${await reviewRequestHtml(visit, draft)}${canAsk && reviewRequestForm(visit, draft)}`;
  if (problems.length > 0) {
    const list = problems.map((problem) => html`<li>${problem}</li>\n`);
    return html`<div class="notes"><p>${t.problems}</p><ul>\n${list}</ul></div>\n${scheduled}${review}`;
  }
  if (!scopes.includes("content:publish")) return html`${scheduled}${review}`;
  const hidden = { version: draft.version };
  const path = `${SCREEN_PATH}/${draft.id}`;
  const linked = await unpublishedLinkedItemsHtml(visit, current);
  const publishForm = actionForm(visit, `${path}/publish`, {
    button: t.now,
    hidden,
    content: html`${linked}`,
  });
  const scheduleForm = actionForm(visit, `${path}/schedule`, {
    button: t.later,
    hidden,
    isQuiet: true,
    content: html`${linked}<label>${t.at} (${visit.timeZone}) <input type="datetime-local" name="at" required></label>`,
  });
  return html`<div class="actions going">${publishForm}${scheduleForm}</div>\n${scheduled}${review}`;
}

async function settleForm(
  visit: ScreenVisit,
  {
    draft,
    conflicts,
    type,
    format,
  }: {
    draft: Draft;
    conflicts: readonly ComparedPart[];
    type: ContentType;
    format: ValueFormatter;
  },
): Promise<SafeHtml> {
  const { texts, parts } = visit;
  const item = await parts.stores.content.item(draft.itemId ?? "");
  const choices = conflicts.map(
    ({ part, theirs, mine }) =>
      html`<fieldset class="field"><legend>${itemPartLabel(part, type, texts)}</legend>
${differenceHtml(visit, { part, before: theirs, after: mine }, { type, format })}<label class="choice"><input type="checkbox" name="theirs" value="${part}"> ${texts.publish.takePublic}</label></fieldset>\n`,
  );
  const form = actionForm(visit, `${SCREEN_PATH}/${draft.id}/settle`, {
    button: texts.publish.settle,
    hidden: { version: draft.version, revision: item?.revision ?? 0 },
    content: html`${choices}`,
  });
  return html`<div class="notes"><p>${texts.draft.behind}</p>\n<p class="hint">${texts.draft.conflictHint}</p>\n${form}</div>\n`;
}

/** The reasons why the draft cannot be published as it is; empty: it can be published. */
async function draftProblems(visit: ScreenVisit, id: string): Promise<string[]> {
  const { parts, signedIn, now } = visit;
  try {
    await previewDraft(parts.preview, signedIn.actor, id, { now, show: () => null });
    return [];
  } catch (error) {
    if (!(error instanceof AppError) || error.code === "unavailable") throw error;
    // `error.heading` says that nothing was saved. A preview saves nothing anyway, so only `error.problems`
    // is listed.
    const isListed = error.heading !== null && error.problems.length > 0;
    return isListed
      ? error.problems.map((problem) => problemText(problem, visit))
      : [errorText(error, visit)];
  }
}

function partHtml(
  visit: ScreenVisit,
  { each, type, format }: { each: ComparedPart; type: ContentType; format: ValueFormatter },
): SafeHtml {
  const { part, theirs, mine } = each;
  return html`<h3>${itemPartLabel(part, type, visit.texts)}</h3>
${differenceHtml(visit, { part, before: theirs, after: mine }, { type, format })}`;
}
