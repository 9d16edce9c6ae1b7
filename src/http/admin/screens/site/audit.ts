import { type AuditEntry, readAuditLogPage } from "../../../../access/audit.ts";
import { html } from "../../../../render/html.ts";
import { dateAndTimeText } from "../../texts/choose.ts";
import { findActorLabels, unnamedActorLabel } from "../content/person-names.ts";
import { cardList, nextPageLink } from "../frame/cards.ts";
import { screenResponse } from "../frame/frame.ts";
import type { Screen, ScreenVisit } from "../frame/screen.ts";
import { translateAuditDetail } from "./audit-details.ts";

const SCREEN_PATH = "/admin/audit";
const ENTRIES_PER_PAGE = 100;
/** The target of audit entries about the settings. */
const SITE_TARGET = "site";
/** Matches an id, with or without the prefix `person:` or `key:`. */
const ID_OR_ACTOR =
  /\b((?:person:|key:)?)([0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12})\b/g;

/**
 * Matches a target that is still an id after names were filled in. Such a target is not shown, because it
 * means nothing to people.
 */
const BARE_ID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;

/**
 * Maps the first part of an action, such as `key` in `key.change`, to the prefix of an actor. Entries with
 * such an action refer to the actor by its id without the prefix.
 */
const ACTOR_PREFIXES: ReadonlyMap<string, string> = new Map([
  ["admin", "person:"],
  ["session", "person:"],
  ["key", "key:"],
  ["request", "key:"],
]);

/** The audit log, latest entry first. */
export const auditLogScreen: Screen = {
  method: "GET",
  path: SCREEN_PATH,
  scope: "audit:read",
  async answer(visit) {
    const { texts, parts, signedIn, query } = visit;
    const before = Number(query.get("before") ?? 0);
    const entries = await readAuditLogPage(parts.stores.audit, signedIn.actor, {
      limit: ENTRIES_PER_PAGE,
      ...(Number.isSafeInteger(before) && before > 0 ? { before } : {}),
    });
    const last = entries.length === ENTRIES_PER_PAGE ? entries.at(-1) : undefined;
    const withNames = await nameReplacer(visit, entries);
    const cards = entries.map(
      ({ at, actor, actorName, action, target, detail }) =>
        html`<li><strong>${texts.actions[action] ?? action}</strong> ${target !== SITE_TARGET && withNames(target).replace(BARE_ID, "")}
<div class="state">${dateAndTimeText(visit, at)} · ${actorName ?? unnamedActorLabel(texts, actor)}${detail !== null && ` · ${translateAuditDetail(visit, action, withNames(detail))}`}</div></li>\n`,
    );
    const content = html`${cardList(cards, texts.audit.none)}${nextPageLink(texts, last === undefined ? null : `${SCREEN_PATH}?before=${last.number}`)}`;
    return screenResponse({ ...visit, url: SCREEN_PATH }, { title: texts.audit.title, content });
  },
};

/**
 * Returns a function that replaces ids in a text with the names of items, accounts, keys and files.
 */
async function nameReplacer(
  visit: ScreenVisit,
  entries: readonly AuditEntry[],
): Promise<(text: string) => string> {
  const mentioned = entries.flatMap(({ action, target, detail }) =>
    [...`${target} ${detail ?? ""}`.matchAll(ID_OR_ACTOR)].map(([, prefix, id = ""]) => {
      const kind = prefix || ACTOR_PREFIXES.get(action.replace(/\..*$/, ""));
      return { id, actor: `${kind ?? ""}${id}` };
    }),
  );
  const items = await visit.parts.stores.desk.outlines(mentioned.map(({ id }) => id));
  const actors = [...new Set(mentioned.map(({ actor }) => actor))];
  const actorNames = await findActorLabels(visit, actors);
  const nameByActor = new Map(actors.map((actor, at) => [actor, actorNames[at] ?? actor]));
  const names = new Map<string, string>();
  for (const { id, actor } of mentioned) {
    const name = items.get(id)?.title ?? nameByActor.get(actor);
    if (name !== undefined && name !== "" && name !== actor) names.set(id, name);
  }
  await addOtherNames(visit, entries, names);
  return (text) =>
    names.get(text) ??
    text.replaceAll(ID_OR_ACTOR, (whole, _kind, id: string) => names.get(id) ?? whole);
}

/** Adds to `names` the names of files and imports, and of senders whose data is not erased. */
async function addOtherNames(
  { parts: { stores } }: ScreenVisit,
  entries: readonly AuditEntry[],
  names: Map<string, string>,
): Promise<void> {
  for (const { action, target } of entries) {
    if (names.has(target)) continue;
    const name = await NAME_READERS.get(action.replace(/\..*$/, ""))?.(stores, target);
    if (name !== undefined && name !== "") names.set(target, name);
  }
}

type Stores = ScreenVisit["parts"]["stores"];

/**
 * Functions that read the name of an entry's target, keyed by the first part of the action. They
 * return undefined if the target has no name or no longer exists.
 */
const NAME_READERS: ReadonlyMap<
  string,
  (stores: Stores, target: string) => Promise<string | undefined>
> = new Map([
  ["request", async ({ keyRequests }: Stores, id: string) => (await keyRequests.byId(id))?.name],
  ["message", async ({ messages }: Stores, id: string) => (await messages.byId(id))?.name],
  ["transfer", async ({ jobs }: Stores, id: string) => (await jobs.job(id))?.choices?.file?.name],
  [
    "media",
    async ({ media }: Stores, path: string) => {
      const id = /^\/media\/([0-9a-f]+)\./.exec(path)?.[1] ?? "";
      const medium = (await media.medium(id)) ?? (await media.removedMedium(id))?.medium;
      return medium?.name;
    },
  ],
]);
