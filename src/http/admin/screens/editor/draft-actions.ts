import { actorName } from "../../../../access/actor.ts";
import {
  type Draft,
  type DraftOutline,
  type DraftStore,
  type Parts,
  readDraftChanges,
} from "../../../../content/drafts/draft.ts";
import { readDraft } from "../../../../content/drafts/listing-drafts.ts";
import {
  discardDraft,
  previewMerge,
  saveDraft,
  startDraft,
} from "../../../../content/drafts/saving.ts";
import { AppError } from "../../../../errors.ts";
import { type HttpAnswer, wholeAnswer } from "../../../exchange.ts";
import type { SentForm } from "../../../site/sent-form.ts";
import { faultText } from "../../fault-text.ts";
import { ADMIN_HEADERS, redirectAnswer } from "../../page.ts";
import { inEach } from "../../texts/choose.ts";
import { personNames } from "../content/person-names.ts";
import type { Screen, ScreenVisit } from "../frame/screen.ts";
import { draftPicturesPath } from "../media/media-card.ts";
import { shownDates } from "./date-fields.ts";
import { contextOf, editorAnswer, openDraft, shownLinks } from "./draft-editor.ts";
import { controlName, enteredChanges, shownText } from "./draft-form.ts";
import { endedAnswer } from "./ended-draft.ts";
import { linksNamed, type NamedLinks } from "./link-names.ts";

const SCREEN_PATH = "/admin/drafts";
const LEFT_EMPTY_SOUGHT = 50;
const OPEN_MILLISECONDS = 60 * 60 * 1000;

const save: Screen = {
  method: "POST",
  path: `${SCREEN_PATH}/{id}`,
  scope: "content:write",
  async answer(visit, form) {
    const { parts, found, now, requestId } = visit;
    const id = visit.part("id");
    const draft = await openDraft(visit);
    if (draft === null) return await endedAnswer(visit, form);
    const { type, current } = await contextOf(visit, draft);
    const entered = enteredChanges(form, type, {
      parts: current,
      hasItem: draft.itemId !== null,
      timeZone: visit.timeZone,
    });
    const named = await linksNamed({ ...parts.stores, deskIndex: parts.deskIndex }, found.actor, {
      targets: Object.fromEntries(
        Object.entries(type.relations).map(([name, { target }]) => [name, target]),
      ),
      added: entered.added,
    });
    const changes = withoutTaken(withLinks(entered.changes, named.found), form);
    const from = { version: Number(form.value("version")) };
    try {
      const checked = readDraftChanges(changes);
      await parts.atomically((stores) =>
        saveDraft(stores, found.actor, id, { from, changes: checked, now, requestId }),
      );
    } catch (error) {
      if (!(error instanceof AppError) || error.code === "forbidden") throw error;
      if (error.code === "conflict") return await conflictAnswer(visit, { from, changes, named });
      const typed = { parts: flat(changes), left: named.left };
      return await editorAnswer(visit, { fault: faultText(error, visit), typed, conflicts: [] });
    }
    if (named.fault !== null) {
      const typed = { parts: {}, left: named.left };
      return await editorAnswer(visit, {
        fault: named.fault[visit.texts.language],
        typed,
        conflicts: [],
      });
    }
    return redirectAnswer(nextPath(id, form));
  },
};

/** Shows both sides of conflicting parts; the rest of the form is merged. */
async function conflictAnswer(
  visit: ScreenVisit,
  {
    from,
    changes,
    named,
  }: { from: { version: number }; changes: Record<string, unknown>; named: NamedLinks },
): Promise<HttpAnswer> {
  const { stores } = visit.parts;
  const entered = { from, changes: readDraftChanges(changes) };
  const merged = await previewMerge(stores, visit.found.actor, visit.part("id"), entered);
  const mine = merged.conflicts.map(({ part, mine }) => [part, mine] as const);
  return await editorAnswer(visit, {
    fault: visit.texts.draft.choose,
    typed: { parts: { ...merged.parts, ...Object.fromEntries(mine) }, left: named.left },
    conflicts: merged.conflicts.map(({ part }) => ({ where: part })),
  });
}

/**
 * Autosaves the controls that the script lists in `only`, except names of links, which only a button
 * saves. If others have saved since, the response contains the current values of all controls, and
 * the links by relation.
 */
const autosave: Screen = {
  method: "POST",
  path: `${SCREEN_PATH}/{id}/autosave`,
  scope: "content:write",
  async answer(visit, form) {
    const { parts, found, now, requestId } = visit;
    const id = visit.part("id");
    const version = Number(form.value("version"));
    const draft = await readDraft(parts.stores.drafts, found.actor, id);
    const { type, current } = await contextOf(visit, draft);
    const hasItem = draft.itemId !== null;
    const { changes } = enteredChanges(form, type, {
      parts: current,
      hasItem,
      timeZone: visit.timeZone,
    });
    const options = {
      from: { version },
      changes: readDraftChanges(onlyNamed(changes, new Set(form.values("only")))),
      now,
      requestId,
    };
    const { saved, isAlone } = await parts.atomically(async (stores) => {
      const before = await readDraft(stores.drafts, found.actor, id);
      const { draft: saved } = await saveDraft(stores, found.actor, id, options);
      return { saved, isAlone: before.version === version };
    });
    const reply = { version: saved.version, ...(isAlone ? {} : await currentState(visit, saved)) };
    const headers = { ...ADMIN_HEADERS, "Content-Type": "application/json" };
    return wholeAnswer(200, headers, JSON.stringify(reply));
  },
};

async function currentState(visit: ScreenVisit, draft: Draft) {
  const { type, current } = await contextOf(visit, draft);
  const links = await shownLinks(visit, type, { parts: current, left: {} });
  const parts = [
    ...["title", "summary", "body", "path", "language"],
    ...Object.keys(type.fields).map((name) => `fields.${name}`),
  ];
  const texts = parts.map((part) => [controlName(part), shownText(current[part])]);
  return { controls: [...texts, ...Object.entries(shownDates(current, visit.timeZone))], links };
}

/** Keeps only the parts whose controls are listed. */
function onlyNamed(
  { fields, relations, ...plain }: Record<string, unknown>,
  named: ReadonlySet<string>,
): Record<string, unknown> {
  const those = (values: unknown, prefix: string) =>
    Object.fromEntries(Object.entries(values ?? {}).filter(([name]) => named.has(prefix + name)));
  return { ...those(plain, ""), fields: those(fields, "f."), relations: those(relations, "r.") };
}

/**
 * Discards a draft. A draft that only this person saved is discarded at any version: the form
 * is outdated if the response to a save was lost.
 */
const discard: Screen = {
  method: "POST",
  path: `${SCREEN_PATH}/{id}/discard`,
  scope: "content:write",
  async answer(visit, form) {
    const { parts, found, now, requestId } = visit;
    const version = Number(form.value("version"));
    const id = visit.part("id");
    try {
      await parts.atomically(async (stores) => {
        const { editors } = await readDraft(stores.drafts, found.actor, id);
        const isOwn = editors.every((editor) => editor === actorName(found.actor));
        const seen = isOwn ? {} : { version };
        await discardDraft(stores, found.actor, id, { ...seen, now, requestId });
      });
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "precondition") throw error;
      const { editors } = await readDraft(parts.stores.drafts, found.actor, id);
      const names = await personNames(visit, editors);
      throw new AppError(
        "precondition",
        inEach(({ draft }) => draft.notDiscarded(names.join(", "))),
      );
    }
    return redirectAnswer(SCREEN_PATH);
  },
};

const create: Screen = {
  method: "POST",
  path: "/admin/new",
  scope: "content:write",
  async answer({ parts, found, now, requestId }, form) {
    const entered = {
      title: form.value("title").slice(0, 300),
      language: form.value("language"),
      translationOf: form.value("translationOf"),
    };
    const changes = Object.fromEntries(Object.entries(entered).filter(([, value]) => value !== ""));
    const type = form.value("type");
    const { id } = await parts.atomically(async (stores) => {
      const left =
        Object.keys(changes).length > 0 ? null : await reusableDraft(stores, { type, found, now });
      if (left !== null) return left;
      return (await startDraft(stores, found.actor, { type }, { changes, now, requestId })).draft;
    });
    return redirectAnswer(`${SCREEN_PATH}/${id}`);
  },
};

/**
 * A new item's draft that this person left untouched, to be reused so that empty drafts do not pile
 * up. Recent ones are ignored, as they may still be open in another tab.
 */
async function reusableDraft(
  { drafts }: { drafts: DraftStore },
  { type, found, now }: { type: string; found: ScreenVisit["found"]; now: Date },
): Promise<DraftOutline | null> {
  const editor = actorName(found.actor);
  const filter = { type, editor, untouched: true, limit: LEFT_EMPTY_SOUGHT };
  const before = new Date(now.getTime() - OPEN_MILLISECONDS).toISOString();
  const left = (await drafts.list(filter)).filter(
    ({ itemId, editors, updatedAt }) =>
      itemId === null && editors.join() === editor && updatedAt < before,
  );
  return left[0] ?? null;
}

const edit: Screen = {
  method: "POST",
  path: "/admin/content/{id}/edit",
  scope: "content:write",
  async answer(visit) {
    const { parts, found, now, requestId } = visit;
    const itemId = visit.part("id");
    const draft = await parts.atomically(async (stores) => {
      const existing = await stores.drafts.ofItem(itemId);
      if (existing !== null) return existing;
      const options = { changes: {}, now, requestId };
      return (await startDraft(stores, found.actor, { itemId }, options)).draft;
    });
    return redirectAnswer(`${SCREEN_PATH}/${draft.id}`);
  },
};

export const draftActions: readonly Screen[] = [create, edit, save, autosave, discard];

/** Adds the links found by name to the existing ones. */
function withLinks(
  changes: Record<string, unknown>,
  found: Readonly<Record<string, readonly string[]>>,
): Record<string, unknown> {
  const entered = Object.entries(changes["relations"] ?? {});
  const relations = entered.map(([name, links]) => {
    const kept: readonly { to: string }[] = Array.isArray(links) ? links : [];
    const present = new Set(kept.map(({ to }) => to));
    const added = (found[name] ?? []).filter((id) => !present.has(id));
    return [name, [...kept, ...added.map((to) => ({ to, note: null }))]];
  });
  return { ...changes, relations: Object.fromEntries(relations) };
}

/** Omits the conflicting parts for which the person chose the other version. */
function withoutTaken(
  { fields, relations, ...plain }: Record<string, unknown>,
  form: SentForm,
): Record<string, unknown> {
  const isMine = (part: string) => form.value(`take.${part}`) !== "theirs";
  const mine = (values: unknown, prefix: string) =>
    Object.fromEntries(Object.entries(values ?? {}).filter(([name]) => isMine(prefix + name)));
  return {
    ...mine(plain, ""),
    fields: mine(fields, "fields."),
    relations: mine(relations, "relations."),
  };
}

/** Flattens typed values to parts, for the editor to show again. */
function flat({ fields, relations, ...plain }: Record<string, unknown>): Parts {
  const named = (group: string, values: unknown) =>
    Object.entries(values ?? {}).map(([name, value]) => [`${group}.${name}`, value]);
  return Object.fromEntries([
    ...Object.entries(plain),
    ...named("fields", fields),
    ...named("relations", relations),
  ]);
}

function nextPath(id: string, form: SentForm): string {
  const next = form.value("next");
  if (next === "picture") return draftPicturesPath(id);
  return next === "preview" || next === "publish"
    ? `${SCREEN_PATH}/${id}/${next}`
    : `${SCREEN_PATH}/${id}`;
}
