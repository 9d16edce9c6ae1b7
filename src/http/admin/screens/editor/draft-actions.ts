import { actorName } from "../../../../access/actor.ts";
import {
  type Draft,
  type DraftOutline,
  type DraftStore,
  parseDraftChanges,
} from "../../../../content/drafts/draft.ts";
import { readDraft } from "../../../../content/drafts/listing-drafts.ts";
import {
  discardDraft,
  previewMerge,
  saveDraft,
  startDraft,
} from "../../../../content/drafts/saving.ts";
import { AppError } from "../../../../errors.ts";
import { type HttpResponse, responseWithContentLength } from "../../../exchange.ts";
import type { SentForm } from "../../../site/sent-form.ts";
import { errorText } from "../../error-text.ts";
import { ADMIN_HEADERS, redirectResponse } from "../../page.ts";
import { messageInAllLanguages } from "../../texts/choose.ts";
import { findActorLabels } from "../content/person-names.ts";
import type { Screen, ScreenVisit } from "../frame/screen.ts";
import { parseWholeNumber } from "../frame/whole-number.ts";
import { draftPicturesPath } from "../media/media-card.ts";
import { expiryAndReviewControlValues } from "./date-fields.ts";
import {
  draftFromPath,
  draftStateText,
  editorResponse,
  readDraftTypeAndParts,
  readLinksForForm,
} from "./draft-editor.ts";
import { controlName, controlText } from "./draft-form.ts";
import { endedDraftResponse } from "./ended-draft.ts";
import { changesFromForm } from "./entered-changes.ts";
import {
  itemPartsFromChanges,
  keepChangesOfListedControls,
  withAddedLinks,
  withoutDeclinedChanges,
} from "./form-changes.ts";
import { findLinkTargetsByName, type LinkLookupResult } from "./link-names.ts";

const SCREEN_PATH = "/admin/drafts";
const UNTOUCHED_DRAFTS_MAX = 50;
const POSSIBLY_OPEN_MILLISECONDS = 60 * 60 * 1000;

const save: Screen = {
  method: "POST",
  path: `${SCREEN_PATH}/{id}`,
  scope: "content:write",
  async answer(visit, form) {
    const { parts, signedIn, now, requestId } = visit;
    const id = visit.pathParameter("id");
    const draft = await draftFromPath(visit);
    if (draft === null) return await endedDraftResponse(visit, form);
    const { type, current } = await readDraftTypeAndParts(visit, draft);
    const entered = changesFromForm(form, type, {
      parts: current,
      hasItem: draft.itemId !== null,
      timeZone: visit.timeZone,
    });
    const namedLinks = await findLinkTargetsByName(
      { ...parts.stores, deskIndex: parts.deskIndex },
      signedIn.actor,
      {
        targets: Object.fromEntries(
          Object.entries(type.relations).map(([name, { target }]) => [name, target]),
        ),
        added: entered.added,
      },
    );
    const changes = withoutDeclinedChanges(
      withAddedLinks(entered.changes, namedLinks.linkedIds),
      form,
    );
    const from = { version: parseWholeNumber(form.value("version")) };
    try {
      const checked = parseDraftChanges(changes);
      await parts.atomically((stores) =>
        saveDraft(stores, signedIn.actor, id, { from, changes: checked, now, requestId }),
      );
    } catch (error) {
      if (!(error instanceof AppError) || error.code === "forbidden") throw error;
      if (error.code === "conflict")
        return await conflictResponse(visit, { from, changes, namedLinks });
      const unsaved = { parts: itemPartsFromChanges(changes), unmatched: namedLinks.unmatched };
      return await editorResponse(visit, {
        fault: errorText(error, visit),
        typed: unsaved,
        conflicts: [],
      });
    }
    if (namedLinks.fault !== null) {
      const unsaved = { parts: {}, unmatched: namedLinks.unmatched };
      return await editorResponse(visit, {
        fault: namedLinks.fault[visit.texts.language],
        typed: unsaved,
        conflicts: [],
      });
    }
    return redirectResponse(nextPath(id, form));
  },
};

/**
 * Shows the draft's form after a conflict, with both versions of each part in conflict. All other
 * parts are merged.
 */
async function conflictResponse(
  visit: ScreenVisit,
  {
    from,
    changes,
    namedLinks,
  }: { from: { version: number }; changes: Record<string, unknown>; namedLinks: LinkLookupResult },
): Promise<HttpResponse> {
  const { stores } = visit.parts;
  const entered = { from, changes: parseDraftChanges(changes) };
  const merged = await previewMerge(
    stores,
    visit.signedIn.actor,
    visit.pathParameter("id"),
    entered,
  );
  const mine = merged.conflicts.map(({ part, mine }) => [part, mine] as const);
  return await editorResponse(visit, {
    fault: visit.texts.draft.choose,
    typed: {
      parts: { ...merged.parts, ...Object.fromEntries(mine) },
      unmatched: namedLinks.unmatched,
    },
    conflicts: merged.conflicts.map(({ part }) => ({ where: part })),
  });
}

/**
 * Autosaves the controls that the script lists in `only`. Names typed to add links are excluded,
 * because only a button saves them. If other people have saved since, the response contains the
 * current values of all controls and the current links.
 */
const autosave: Screen = {
  method: "POST",
  path: `${SCREEN_PATH}/{id}/autosave`,
  scope: "content:write",
  async answer(visit, form) {
    const { parts, signedIn, now, requestId } = visit;
    const id = visit.pathParameter("id");
    const version = parseWholeNumber(form.value("version"));
    const draft = await readDraft(parts.stores.drafts, signedIn.actor, id);
    const { type, current } = await readDraftTypeAndParts(visit, draft);
    const hasItem = draft.itemId !== null;
    const { changes } = changesFromForm(form, type, {
      parts: current,
      hasItem,
      timeZone: visit.timeZone,
    });
    const options = {
      from: { version },
      changes: parseDraftChanges(
        keepChangesOfListedControls(changes, new Set(form.values("only"))),
      ),
      now,
      requestId,
    };
    const { saved, isAlone } = await parts.atomically(async (stores) => {
      const before = await readDraft(stores.drafts, signedIn.actor, id);
      const { draft: saved } = await saveDraft(stores, signedIn.actor, id, options);
      return { saved, isAlone: before.version === version };
    });
    const response = {
      version: saved.version,
      state: draftStateText(visit, saved),
      ...(isAlone ? {} : await currentState(visit, saved)),
    };
    const headers = { ...ADMIN_HEADERS, "Content-Type": "application/json" };
    return responseWithContentLength(200, headers, JSON.stringify(response));
  },
};

async function currentState(visit: ScreenVisit, draft: Draft) {
  const { type, current } = await readDraftTypeAndParts(visit, draft);
  const links = await readLinksForForm(visit, type, { parts: current, unmatched: {} });
  const parts = [
    ...["title", "summary", "body", "path", "language"],
    ...Object.keys(type.fields).map((name) => `fields.${name}`),
  ];
  const texts = parts.map((part) => [controlName(part), controlText(current[part])]);
  return {
    controls: [...texts, ...Object.entries(expiryAndReviewControlValues(current, visit.timeZone))],
    links,
  };
}

/**
 * Discards a draft. The draft's version is checked only if other people have also saved the draft.
 * If only this person has saved the draft, a different version merely means that the response to a
 * save was lost.
 */
const discard: Screen = {
  method: "POST",
  path: `${SCREEN_PATH}/{id}/discard`,
  scope: "content:write",
  async answer(visit, form) {
    const { parts, signedIn, now, requestId } = visit;
    const version = parseWholeNumber(form.value("version"));
    const id = visit.pathParameter("id");
    try {
      await parts.atomically(async (stores) => {
        const { editors } = await readDraft(stores.drafts, signedIn.actor, id);
        const isOwn = editors.every((editor) => editor === actorName(signedIn.actor));
        const precondition = isOwn ? {} : { version };
        await discardDraft(stores, signedIn.actor, id, { ...precondition, now, requestId });
      });
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "precondition") throw error;
      const { editors } = await readDraft(parts.stores.drafts, signedIn.actor, id);
      const names = await findActorLabels(visit, editors);
      throw new AppError(
        "precondition",
        messageInAllLanguages(({ draft }) => draft.notDiscarded(names.join(", "))),
      );
    }
    return redirectResponse(SCREEN_PATH);
  },
};

const create: Screen = {
  method: "POST",
  path: "/admin/new",
  scope: "content:write",
  async answer({ parts, signedIn, now, requestId }, form) {
    const entered = {
      title: form.value("title").slice(0, 300),
      language: form.value("language"),
      translationOf: form.value("translationOf"),
    };
    const changes = Object.fromEntries(Object.entries(entered).filter(([, value]) => value !== ""));
    const type = form.value("type");
    const { id } = await parts.atomically(async (stores) => {
      const reusable =
        Object.keys(changes).length > 0
          ? null
          : await reusableDraft(stores, { type, signedIn, now });
      if (reusable !== null) return reusable;
      return (await startDraft(stores, signedIn.actor, { type }, { changes, now, requestId }))
        .draft;
    });
    return redirectResponse(`${SCREEN_PATH}/${id}`);
  },
};

/**
 * Finds a draft that this person started for a new item and never changed, so that empty drafts do
 * not accumulate. Recent drafts are excluded, because they may still be open in another tab.
 */
async function reusableDraft(
  { drafts }: { drafts: DraftStore },
  { type, signedIn, now }: { type: string; signedIn: ScreenVisit["signedIn"]; now: Date },
): Promise<DraftOutline | null> {
  const editor = actorName(signedIn.actor);
  const filter = { type, editor, untouched: true, limit: UNTOUCHED_DRAFTS_MAX };
  const before = new Date(now.getTime() - POSSIBLY_OPEN_MILLISECONDS).toISOString();
  const reusable = (await drafts.list(filter)).filter(
    ({ itemId, editors, updatedAt }) =>
      itemId === null && editors.join() === editor && updatedAt < before,
  );
  return reusable[0] ?? null;
}

const edit: Screen = {
  method: "POST",
  path: "/admin/content/{id}/edit",
  scope: "content:write",
  async answer(visit) {
    const { parts, signedIn, now, requestId } = visit;
    const itemId = visit.pathParameter("id");
    const draft = await parts.atomically(async (stores) => {
      const existing = await stores.drafts.ofItem(itemId);
      if (existing !== null) return existing;
      const options = { changes: {}, now, requestId };
      return (await startDraft(stores, signedIn.actor, { itemId }, options)).draft;
    });
    return redirectResponse(`${SCREEN_PATH}/${draft.id}`);
  },
};

export const draftActionScreens: readonly Screen[] = [create, edit, save, autosave, discard];

function nextPath(id: string, form: SentForm): string {
  const next = form.value("next");
  if (next === "picture") return draftPicturesPath(id);
  return next === "preview" || next === "publish"
    ? `${SCREEN_PATH}/${id}/${next}`
    : `${SCREEN_PATH}/${id}`;
}
