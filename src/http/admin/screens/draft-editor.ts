import { formTokenOf } from "../../../access/people/sessions.ts";
import { type Draft, type Parts, readDraftChanges } from "../../../content/drafts/draft.ts";
import { readDraft } from "../../../content/drafts/listing-drafts.ts";
import { partsOfItem } from "../../../content/drafts/parts.ts";
import { baseOf, discardDraft, saveDraft, startDraft } from "../../../content/drafts/saving.ts";
import type { ContentType } from "../../../content/types/content-type.ts";
import { AppError } from "../../../errors.ts";
import { html, type SafeHtml } from "../../../render/html.ts";
import { type HttpAnswer, wholeAnswer } from "../../exchange.ts";
import type { SentForm } from "../../site/sent-form.ts";
import { FORM_TOKEN_FIELD } from "../own-page.ts";
import { ADMIN_HEADERS, redirectAnswer } from "../page.ts";
import { momentText } from "../texts/choose.ts";
import { draftFields, type ShownLink, statedIn } from "./draft-form.ts";
import { actionForm, hiddenFields, screenAnswer } from "./frame.ts";
import { linksNamed } from "./link-names.ts";
import { personNames } from "./person-names.ts";
import type { Screen, ScreenVisit } from "./screen.ts";
import { EDITOR_SCRIPT_PATH } from "./scripts.ts";

const PATH = "/admin/drafts";

interface Problem {
  fault: string;
  /** What was typed and not saved. */
  typed: { parts: Parts; left: Readonly<Record<string, readonly string[]>> };
  conflicts: readonly { where: string }[];
}

const editor: Screen = {
  method: "GET",
  path: `${PATH}/{id}`,
  scope: "content:read",
  answer: async (visit) => await editorAnswer(visit, null),
};

const save: Screen = {
  method: "POST",
  path: `${PATH}/{id}`,
  scope: "content:write",
  async answer(visit, form) {
    const { parts, found, now, requestId } = visit;
    const id = visit.part("id");
    const draft = await readDraft(parts.stores.drafts, found.actor, id);
    const { type, current } = await contextOf(visit, draft);
    const stated = statedIn(form, type, { parts: current, hasItem: draft.itemId !== null });
    const named = await linksNamed(parts.stores, found.actor, {
      type,
      added: stated.added,
      texts: visit.texts,
    });
    const changes = withLinks(stated.changes, named.found);
    try {
      const checked = readDraftChanges(changes);
      const from = { version: Number(form.value("version")) };
      await parts.atomically((stores) =>
        saveDraft(stores, found.actor, id, { from, changes: checked, now, requestId }),
      );
    } catch (error) {
      if (!(error instanceof AppError) || error.code === "forbidden") throw error;
      const typed = { parts: flat(changes), left: named.left };
      return await editorAnswer(visit, { fault: error.message, typed, conflicts: error.problems });
    }
    if (named.faults.length > 0) {
      const typed = { parts: {}, left: named.left };
      return await editorAnswer(visit, { fault: named.faults.join(" "), typed, conflicts: [] });
    }
    return redirectAnswer(nextPath(id, form));
  },
};

/** Saves what the script sends while somebody types. Names of links wait for the button. */
const autosave: Screen = {
  method: "POST",
  path: `${PATH}/{id}/autosave`,
  scope: "content:write",
  async answer(visit, form) {
    const { parts, found, now, requestId } = visit;
    const id = visit.part("id");
    const draft = await readDraft(parts.stores.drafts, found.actor, id);
    const { type, current } = await contextOf(visit, draft);
    const hasItem = draft.itemId !== null;
    const { changes } = statedIn(form, type, { parts: current, hasItem });
    const options = {
      from: { version: Number(form.value("version")) },
      changes: readDraftChanges(changes),
      now,
      requestId,
    };
    const saved = await parts.atomically((stores) => saveDraft(stores, found.actor, id, options));
    const headers = { ...ADMIN_HEADERS, "Content-Type": "application/json" };
    return wholeAnswer(200, headers, JSON.stringify({ version: saved.draft.version }));
  },
};

const discard: Screen = {
  method: "POST",
  path: `${PATH}/{id}/discard`,
  scope: "content:write",
  async answer(visit, form) {
    const { parts, found, now, requestId } = visit;
    const version = Number(form.value("version"));
    await parts.atomically((stores) =>
      discardDraft(stores, found.actor, visit.part("id"), { version, now, requestId }),
    );
    return redirectAnswer(PATH);
  },
};

const create: Screen = {
  method: "POST",
  path: "/admin/new",
  scope: "content:write",
  async answer({ parts, found, now, requestId }, form) {
    const title = form.value("title").slice(0, 300);
    const changes = title === "" ? {} : { title };
    const { draft } = await parts.atomically((stores) =>
      startDraft(stores, found.actor, { type: form.value("type") }, { changes, now, requestId }),
    );
    return redirectAnswer(`${PATH}/${draft.id}`);
  },
};

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
    return redirectAnswer(`${PATH}/${draft.id}`);
  },
};

export const draftScreens: readonly Screen[] = [create, edit, editor, save, autosave, discard];

async function editorAnswer(visit: ScreenVisit, problem: Problem | null): Promise<HttpAnswer> {
  const { texts, parts, found } = visit;
  const draft = await readDraft(parts.stores.drafts, found.actor, visit.part("id"));
  const { type, current } = await contextOf(visit, draft);
  const shown = { ...current, ...problem?.typed.parts };
  const links = await shownLinks(visit, type, { parts: shown, left: problem?.typed.left ?? {} });
  const title = String(shown["title"] ?? "");
  const fields = draftFields({ type, parts: shown, links, texts });
  const path = `${PATH}/${draft.id}`;
  const hidden = { version: draft.version, [FORM_TOKEN_FIELD]: formTokenOf(visit.token) };
  const content = html`<p class="state">${type.label} · <span data-state role="status">${texts.draft.saved(momentText(texts, draft.updatedAt))}</span> ${texts.draft.by((await personNames(visit, draft.editors)).join(", "))}${draft.publishAt !== null && ` · ${texts.desk.scheduled(momentText(texts, draft.publishAt))}`}</p>
${problem !== null && theirsHtml(visit, problem, current)}<form method="post" action="${path}" data-autosave="${path}/autosave" data-saving="${texts.draft.saving}" data-saved="${texts.draft.savedNow}" data-waiting="${texts.draft.waiting}" data-sign-in="${texts.draft.signIn}" data-stale="${texts.draft.stale}">
${hiddenFields(hidden)}${fields}<div class="bar"><button name="next" value="stay">${texts.draft.save}</button><button class="quiet" name="next" value="preview">${texts.draft.preview}</button><button class="quiet" name="next" value="publish">${texts.draft.publish}</button></div>
</form>
<div class="actions">${actionForm(visit, `${path}/discard`, { button: texts.draft.discard, hidden: { version: draft.version }, isQuiet: true })}</div>`;
  return screenAnswer(
    { ...visit, url: PATH },
    {
      title: title === "" ? texts.draft.heading(type.label) : title,
      content,
      fault: problem === null ? undefined : `${texts.draft.notSaved}: ${problem.fault}`,
      status: problem === null ? 200 : 422,
      script: EDITOR_SCRIPT_PATH,
    },
  );
}

/** What others put into the parts that conflict. */
function theirsHtml({ texts }: ScreenVisit, { conflicts }: Problem, current: Parts): SafeHtml {
  const theirs = conflicts.filter(({ where }) => current[where] !== undefined);
  if (theirs.length === 0) return html``;
  const parts = theirs.map(
    ({ where }) =>
      html`<h3>${where}: ${texts.draft.theirs}</h3>\n<pre class="code">${String(current[where])}</pre>\n`,
  );
  return html`<div class="notes"><p>${texts.draft.conflict}</p>${parts}</div>\n`;
}

/** The type of a draft, and what its editor sees: the draft's parts over the item's. */
export async function contextOf(
  { parts: { stores } }: Pick<ScreenVisit, "parts">,
  draft: Draft,
): Promise<{ type: ContentType; current: Parts }> {
  const type = (await stores.content.types()).get(draft.type);
  if (type === undefined) {
    throw new AppError("conflict", `The site no longer has the type ${draft.type}`);
  }
  const { base } = await baseOf(stores, draft);
  return { type, current: { ...(base === null ? {} : partsOfItem(base)), ...draft.parts } };
}

async function shownLinks(
  { parts: { stores } }: ScreenVisit,
  type: ContentType,
  { parts, left }: { parts: Parts; left: Readonly<Record<string, readonly string[]>> },
): Promise<Record<string, ShownLink[]>> {
  const stated = Object.keys(type.relations).map((name) => {
    const value = parts[`relations.${name}`];
    const links: readonly { to: string; note: string | null }[] = Array.isArray(value) ? value : [];
    return [name, links] as const;
  });
  const ids = stated.flatMap(([, links]) => links.map(({ to }) => to));
  const known = await stores.desk.outlines(ids);
  const entries = stated.map(([name, links]) => {
    const shown = links.map(({ to, note }) => {
      const item = known.get(to);
      return { to, note: note ?? null, title: item?.title ?? null, path: item?.path ?? null };
    });
    const missing = (left[name] ?? []).map((to) => ({ to, note: null, title: null, path: null }));
    return [name, [...shown, ...missing]];
  });
  return Object.fromEntries(entries);
}

/** Adds the links that were found by name to those that were kept. */
function withLinks(
  changes: Record<string, unknown>,
  found: Readonly<Record<string, readonly string[]>>,
): Record<string, unknown> {
  const stated = Object.entries(changes["relations"] ?? {});
  const relations = stated.map(([name, links]) => {
    const kept: readonly { to: string }[] = Array.isArray(links) ? links : [];
    const present = new Set(kept.map(({ to }) => to));
    const added = (found[name] ?? []).filter((id) => !present.has(id));
    return [name, [...kept, ...added.map((to) => ({ to, note: null }))]];
  });
  return { ...changes, relations: Object.fromEntries(relations) };
}

/** Typed values by part, as the editor shows them again. */
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
  return next === "preview" || next === "publish" ? `${PATH}/${id}/${next}` : `${PATH}/${id}`;
}
