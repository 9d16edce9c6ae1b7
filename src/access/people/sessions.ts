import { hash, randomBytes } from "node:crypto";
import { AppError } from "../../errors.ts";
import { newId } from "../../new-id.ts";
import { type Actor, type PersonActor, requireScope } from "../actor.ts";
import { clientNetworkOf } from "../address-limits.ts";
import { auditEntryForChange, type ChangeContext } from "../audit.ts";
import { hasExpired } from "../expiry.ts";
import { hashSecret } from "../keys/key-format.ts";
import { personActorOf, requireExistingAdmin } from "./admins.ts";
import type {
  Admin,
  AdminStore,
  PeopleStores,
  RequestingClient,
  Session,
} from "./people-stores.ts";

const TOKEN_PATTERN = /^cpls_[\w-]{43}$/;
const TOKEN_BYTES = 32;
const MINUTE_MILLISECONDS = 60_000;
const HOUR_MILLISECONDS = 60 * MINUTE_MILLISECONDS;
/** How long sign-in waits for the code of the second factor. */
const SECOND_FACTOR_MILLISECONDS = 10 * MINUTE_MILLISECONDS;
const IDLE_MILLISECONDS = 12 * HOUR_MILLISECONDS;
export const SESSION_SECONDS_MAX = 7 * 24 * 60 * 60;
/** How long a sign-in or an entered password permits actions that require confirmation. */
const CONFIRMED_MILLISECONDS = 15 * MINUTE_MILLISECONDS;
/** Saves the time of the last use at most once in this interval. */
const USE_PRECISION_MILLISECONDS = MINUTE_MILLISECONDS;
const SESSIONS_MAX = 20;
const DEVICE_CHARACTERS_MAX = 300;

/** A session and its account, as stored at the time of the request. */
export interface SessionWithAdmin {
  session: Session;
  admin: Admin;
  actor: PersonActor;
}

/** A new session with its token. The token cannot be read again later. */
export interface SessionWithToken {
  token: string;
  session: Session;
}

/** Starts a session. Ends the oldest session if the account has too many. Call within a transaction. */
export async function createSession(
  { sessions }: Pick<PeopleStores, "sessions">,
  admin: Admin,
  {
    stage,
    client,
    now,
    requestId,
    detail,
  }: Pick<Session, "stage"> & { client: RequestingClient; detail?: string } & ChangeContext,
): Promise<SessionWithToken> {
  const token = `cpls_${randomBytes(TOKEN_BYTES).toString("base64url")}`;
  const at = now.toISOString();
  const session: Session = {
    id: newId(now),
    adminId: admin.id,
    stage,
    device: client.device.slice(0, DEVICE_CHARACTERS_MAX),
    network: clientNetworkOf(client.address),
    createdAt: at,
    usedAt: at,
    confirmedAt: at,
    expiresAt: new Date(now.getTime() + SESSION_SECONDS_MAX * 1000).toISOString(),
  };
  const others = await sessions.ofAdmin(admin.id);
  for (const { id } of others.slice(0, Math.max(0, others.length + 1 - SESSIONS_MAX))) {
    await sessions.remove(id, null);
  }
  const actor = personActorOf(admin, { isConfirmed: true });
  const action = stage === "open" ? "session.start" : "session.ask-second-factor";
  const entry = auditEntryForChange(action, admin.id, { actor, now, requestId });
  await sessions.insert(session, hashSecret(token), {
    ...entry,
    ...(detail === undefined ? {} : { detail }),
  });
  return { token, session };
}

/**
 * Finds the session of a token; null if it has ended. Queries the record every time, so that ending a
 * session takes effect in all processes at once.
 */
export async function findSession(
  { sessions, admins }: Pick<PeopleStores, "sessions" | "admins">,
  token: string,
  now: Date,
): Promise<SessionWithAdmin | null> {
  if (!TOKEN_PATTERN.test(token)) return null;
  const session = await sessions.byHash(hashSecret(token));
  if (session === null || hasEnded(session, now)) return null;
  const admin = await admins.byId(session.adminId);
  if (admin === null || admin.state !== "active") return null;
  if (now.getTime() - Date.parse(session.usedAt) >= USE_PRECISION_MILLISECONDS) {
    await sessions.noteUse(session.id, now.toISOString());
  }
  const age = now.getTime() - Date.parse(session.confirmedAt);
  const actor = personActorOf(admin, { isConfirmed: age <= CONFIRMED_MILLISECONDS });
  return { session, admin, actor };
}

/** Lists the sessions of one's own account or, with `admins:manage`, of another account; newest first. */
export async function listSessions(
  { sessions, admins }: Pick<PeopleStores, "sessions" | "admins">,
  actor: Actor,
  adminId: string,
  now: Date,
): Promise<Session[]> {
  await requireAccountAccess(admins, actor, adminId);
  const found = await sessions.ofAdmin(adminId);
  return found.filter((session) => !hasEnded(session, now)).reverse();
}

/**
 * Ends one session of an account. Call within a transaction.
 *
 * @throws {AppError} `not_found`, `forbidden`.
 */
export async function endSession(
  { sessions, admins }: Pick<PeopleStores, "sessions" | "admins">,
  actor: Actor,
  { adminId, id }: Pick<Session, "adminId" | "id">,
  { now, requestId }: ChangeContext,
): Promise<void> {
  await requireAccountAccess(admins, actor, adminId);
  const found = (await sessions.ofAdmin(adminId)).find((session) => session.id === id);
  if (found === undefined)
    throw new AppError("not_found", {
      en: `There is no session with the id ${id}`,
      de: "Diese Sitzung gibt es nicht mehr: Sie ist schon beendet",
    });
  await sessions.remove(id, auditEntryForChange("session.end", adminId, { actor, now, requestId }));
}

/** Ends all sessions of an account except `keep`. Call within a transaction. @returns how many ended. */
export async function endSessionsOfAccount(
  { sessions, admins }: Pick<PeopleStores, "sessions" | "admins">,
  actor: Actor,
  adminId: string,
  { keep, now, requestId }: { keep: string | null } & ChangeContext,
): Promise<number> {
  await requireAccountAccess(admins, actor, adminId);
  const ended = (await sessions.ofAdmin(adminId)).filter(({ id }) => id !== keep);
  const entry = auditEntryForChange("session.end", adminId, { actor, now, requestId });
  for (const { id } of ended) await sessions.remove(id, entry);
  return ended.length;
}

/** The CSRF token of a session's forms. */
export function csrfTokenOf(sessionToken: string): string {
  return hash("sha256", `form\n${sessionToken}`, "base64url");
}

/** Everyone may access their own account. Other accounts require the scope `admins:manage`. */
async function requireAccountAccess(
  admins: Pick<AdminStore, "byId">,
  actor: Actor,
  adminId: string,
): Promise<void> {
  if (actor.kind === "person" && actor.adminId === adminId) return;
  requireScope(actor, "admins:manage");
  await requireExistingAdmin(admins, adminId);
}

function hasEnded({ stage, usedAt, createdAt, expiresAt }: Session, now: Date): boolean {
  if (hasExpired(expiresAt, now, SESSION_SECONDS_MAX * 1000)) return true;
  const [since, lifetimeMilliseconds] =
    stage === "open" ? [usedAt, IDLE_MILLISECONDS] : [createdAt, SECOND_FACTOR_MILLISECONDS];
  return Date.parse(since) + lifetimeMilliseconds <= now.getTime();
}
