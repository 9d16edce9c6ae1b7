import { type Actor, actorName, requireScope } from "../../access/actor.ts";
import type { DraftStore } from "./draft.ts";
import { requireExistingDraft } from "./draft-at-version.ts";

/** Interval of the pings from an editor's browser. */
export const PRESENCE_PING_SECONDS = 15;
/** How long a person counts as present after a ping: three intervals, so that two pings can be lost. */
const PRESENT_MILLISECONDS = 3 * PRESENCE_PING_SECONDS * 1000;
/** Tolerated difference between the clocks of instances that share a record. */
const SKEW_MILLISECONDS = 60_000;

/** A person who has a draft open. Others may open and change the same draft. */
export interface Presence {
  draftId: string;
  /** The person, as the audit log names them. */
  actor: string;
  name: string;
  /** ISO 8601, UTC. */
  seenAt: string;
}

export interface PresenceStore {
  /** People seen between `since` and `until`, sorted by name. */
  of(draftId: string, since: Date, until: Date): Promise<Presence[]>;
  put(presence: Presence): Promise<void>;
  remove(draftId: string, actor: string): Promise<void>;
  removeBefore(time: Date): Promise<void>;
}

interface PresenceStores {
  drafts: DraftStore;
  presence: PresenceStore;
}

/**
 * Records that a person has a draft open.
 *
 * @returns the other people who have the draft open.
 * @throws {AppError} `not_found`.
 */
export async function recordPresence(
  stores: PresenceStores,
  actor: Actor,
  draftId: string,
  now: Date,
): Promise<Presence[]> {
  requireScope(actor, "content:write");
  const { id } = await requireExistingDraft(stores.drafts, draftId);
  const loggedName = actorName(actor);
  const name = "name" in actor ? actor.name : loggedName;
  await stores.presence.put({ draftId: id, actor: loggedName, name, seenAt: now.toISOString() });
  const since = new Date(now.getTime() - PRESENT_MILLISECONDS);
  const until = new Date(now.getTime() + SKEW_MILLISECONDS);
  const present = await stores.presence.of(id, since, until);
  return present.filter((each) => each.actor !== loggedName);
}

/** Records that a person has closed a draft. */
export async function endPresence(
  { presence }: PresenceStores,
  actor: Actor,
  draftId: string,
): Promise<void> {
  requireScope(actor, "content:write");
  await presence.remove(draftId, actorName(actor));
}
