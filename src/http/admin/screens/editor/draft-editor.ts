import { requireScope } from "../../../../access/actor.ts";
import type { Draft, DraftedItemParts } from "../../../../content/drafts/draft.ts";
import { readDraft } from "../../../../content/drafts/listing-drafts.ts";
import { partsOfItem } from "../../../../content/drafts/parts.ts";
import { readItemAndBaseRevision } from "../../../../content/drafts/saving.ts";
import type { ContentType } from "../../../../content/types/content-type.ts";
import { AppError } from "../../../../errors.ts";
import { html, type SafeHtml } from "../../../../render/html.ts";
import type { HttpResponse } from "../../../exchange.ts";
import { draftProblemText } from "../../error-text.ts";
import { dateAndTimeText } from "../../texts/choose.ts";
import { findActorLabels } from "../content/person-names.ts";
import { actionForm, csrfTokenField, hiddenFields, screenResponse } from "../frame/frame.ts";
import type { Screen, ScreenVisit } from "../frame/screen.ts";
import { readTypesWithScreenLabels } from "../frame/screen-types.ts";
import { EDITOR_SCRIPT_PATHS } from "../frame/scripts.ts";
import { createValueFormatter, differenceHtml, itemPartLabel } from "./difference-html.ts";
import { draftFieldsHtml } from "./draft-form.ts";
import { draftNotesHtml } from "./draft-notes.ts";
import { endedDraftResponse } from "./ended-draft.ts";
import { presenceHtml } from "./presence.ts";
import { reviewRequestHtml } from "./publishing/draft-review.ts";
import type { RelationFieldLink } from "./relation-field.ts";
import { translationsHtml } from "./translations.ts";

const SCREEN_PATH = "/admin/drafts";

interface Problem {
  fault: string;
  /** Unsaved input. */
  typed: { parts: DraftedItemParts; unmatched: Readonly<Record<string, readonly string[]>> };
  conflicts: readonly { where: string }[];
}

export const draftEditorScreen: Screen = {
  method: "GET",
  path: `${SCREEN_PATH}/{id}`,
  scope: "content:read",
  answer: async (visit) =>
    (await draftFromPath(visit)) === null
      ? await endedDraftResponse(visit, null)
      : await editorResponse(visit, null),
};

/** The draft that the address names; null if it was published or discarded. */
export async function draftFromPath({
  parts,
  signedIn,
  pathParameter,
}: ScreenVisit): Promise<Draft | null> {
  requireScope(signedIn.actor, "content:read");
  return await parts.stores.drafts.byId(pathParameter("id"));
}

/** Answers with the form of a draft. After a problem, the form contains the unsaved input. */
export async function editorResponse(
  visit: ScreenVisit,
  problem: Problem | null,
): Promise<HttpResponse> {
  const { texts, parts, signedIn } = visit;
  const draft = await readDraft(parts.stores.drafts, signedIn.actor, visit.pathParameter("id"));
  const { type, current } = await readDraftTypeAndParts(visit, draft);
  const values = { ...current, ...problem?.typed.parts };
  const links = await readLinksForForm(visit, type, {
    parts: values,
    unmatched: problem?.typed.unmatched ?? {},
  });
  const title = String(values["title"] ?? "");
  const isNew = draft.itemId === null;
  const { timeZone } = visit;
  const fields = draftFieldsHtml({ type, parts: values, links, texts, timeZone, isNew });
  const path = `${SCREEN_PATH}/${draft.id}`;
  const t = texts.draft;
  const mayPublish = signedIn.actor.scopes.includes("content:publish");
  const mayUpload = signedIn.actor.scopes.includes("media:write");
  const mayWrite = signedIn.actor.scopes.includes("content:write");
  const picture = html`<noscript><button class="quiet" name="next" value="picture">${texts.media.pickTitle}</button></noscript>`;
  const bar = html`<div class="bar"><button class="quiet" name="next" value="stay">${t.save}</button><button class="quiet" name="next" value="preview" data-show-preview>${t.preview}</button><button name="next" value="publish" aria-keyshortcuts="Control+Enter">${mayPublish ? t.publish : t.askReview}</button>${picture}</div>`;
  const isUnsaved =
    visit.failed !== undefined || Object.keys(problem?.typed.parts ?? {}).length > 0;
  const conflicts = problem === null ? null : await conflictHtml(visit, { problem, type, current });
  const content = html`${await stateLine(visit, draft, type)}${await reviewRequestHtml(visit, draft)}${presenceHtml(draft.id)}<form method="post" action="${path}" class="editor"${isUnsaved && html` data-conflict`}${mayUpload && html` data-uploads`} data-autosave="${path}/autosave" data-preview="${path}/preview" data-saving="${t.saving}" data-others="${t.othersAdded}" data-waiting="${t.waiting}" data-sign-in="${t.signIn}" data-stale="${t.stale}" data-note="${t.footnoteText}">
${hiddenFields({ version: draft.version, type: draft.type, item: draft.itemId ?? "" })}${csrfTokenField(visit)}${conflicts}${fields}${mayWrite && bar}
</form>
${await translationsHtml(visit, draft, values)}<div class="actions"><a class="button quiet" href="${path}/share">${texts.share.link}</a>${actionForm(visit, `${path}/discard`, { button: t.discard, hidden: { version: draft.version }, isQuiet: true })}</div>
${await draftNotesHtml(visit, draft.id)}`;
  return screenResponse(
    { ...visit, url: SCREEN_PATH },
    {
      title: title === "" ? t.heading(type.label) : title,
      content,
      fault: problem === null ? undefined : `${t.notSaved}: ${problem.fault}`,
      status: problem === null ? 200 : 422,
      scripts: EDITOR_SCRIPT_PATHS,
    },
  );
}

/**
 * The type and state of the draft, the people who wrote it, and its scheduled or failed
 * publication.
 */
async function stateLine(visit: ScreenVisit, draft: Draft, type: ContentType): Promise<SafeHtml> {
  const { texts } = visit;
  const names = await findActorLabels(visit, draft.editors);
  const scheduled =
    draft.publishAt !== null &&
    ` · ${texts.desk.scheduled(dateAndTimeText(visit, draft.publishAt))}`;
  const failed =
    draft.problem !== null && ` · ${texts.desk.failed(draftProblemText(draft.problem, visit))}`;
  return html`<p class="state">${type.label} · <span data-state role="status">${draftStateText(visit, draft)}</span> · ${texts.draft.by(names.join(", "))}${scheduled}${failed}</p>\n`;
}

/** The state of the draft, in words. */
export function draftStateText(visit: ScreenVisit, draft: Draft): string {
  const t = visit.texts.draft;
  const isUnchanged = draft.itemId !== null && Object.keys(draft.parts).length === 0;
  return isUnchanged ? t.unchanged : t.saved(dateAndTimeText(visit, draft.updatedAt));
}

/** Both sides of each conflict, with a choice between them. */
async function conflictHtml(
  visit: ScreenVisit,
  { problem, type, current }: { problem: Problem; type: ContentType; current: DraftedItemParts },
): Promise<SafeHtml | null> {
  const t = visit.texts.draft;
  const mine = problem.typed.parts;
  const parts = problem.conflicts
    .map(({ where }) => where)
    .filter((part) => current[part] !== undefined && mine[part] !== undefined);
  if (parts.length === 0) return null;
  const format = await createValueFormatter(visit, [
    ...parts.map((part) => current[part]),
    ...parts.map((part) => mine[part]),
  ]);
  const sides = parts.map(
    (part) =>
      html`<fieldset class="field"><legend>${itemPartLabel(part, type, visit.texts)}</legend>
<p class="hint">${t.conflictHint}</p>
${differenceHtml(visit, { part, before: current[part], after: mine[part] }, { type, format })}<label class="choice"><input type="radio" name="take.${part}" value="mine" checked> ${t.keepMine}</label>
<label class="choice"><input type="radio" name="take.${part}" value="theirs"> ${t.takeTheirs}</label></fieldset>\n`,
  );
  return html`<div class="notes"><p>${t.conflict}</p>\n${sides}</div>\n`;
}

/**
 * The type of a draft, and the values that its editor sees: those of the draft, and those of the
 * item for parts that the draft does not change.
 */
export async function readDraftTypeAndParts(
  visit: Pick<ScreenVisit, "parts" | "texts">,
  draft: Draft,
): Promise<{ type: ContentType; current: DraftedItemParts }> {
  const type = (await readTypesWithScreenLabels(visit)).get(draft.type);
  if (type === undefined) {
    throw new AppError("conflict", {
      en: `The site no longer has the type ${draft.type}`,
      de: `Den Inhaltstyp ${draft.type} gibt es auf dieser Website nicht mehr`,
    });
  }
  const { base } = await readItemAndBaseRevision(visit.parts.stores, draft);
  return { type, current: { ...(base === null ? {} : partsOfItem(base)), ...draft.parts } };
}

/**
 * The links of each relation as the draft's form shows them. Names that match no item follow the
 * links.
 */
export async function readLinksForForm(
  { parts: { stores } }: Pick<ScreenVisit, "parts">,
  type: ContentType,
  {
    parts,
    unmatched,
  }: { parts: DraftedItemParts; unmatched: Readonly<Record<string, readonly string[]>> },
): Promise<Record<string, RelationFieldLink[]>> {
  const linksByRelation = Object.keys(type.relations).map((name) => {
    const value = parts[`relations.${name}`];
    const links: readonly { to: string; note: string | null }[] = Array.isArray(value) ? value : [];
    return [name, links] as const;
  });
  const ids = linksByRelation.flatMap(([, links]) => links.map(({ to }) => to));
  const linkedItems = await stores.desk.outlines(ids);
  const entries = linksByRelation.map(([name, links]) => {
    const existing = links.map(({ to, note }) => {
      const item = linkedItems.get(to);
      return { to, note: note ?? null, title: item?.title ?? null, path: item?.path ?? null };
    });
    const names = (unmatched[name] ?? []).map((to) => ({
      to,
      note: null,
      title: null,
      path: null,
    }));
    return [name, [...existing, ...names]];
  });
  return Object.fromEntries(entries);
}
