import { AppError } from "../../errors.ts";
import { newId } from "../../new-id.ts";
import { type Actor, actorName, type PersonActor, requireScope } from "../actor.ts";
import { auditEntryForChange, type ChangeContext } from "../audit.ts";
import { requireGrantableScopes } from "../keys/grants.ts";
import { emailAddressSchema, singleLineTextSchema } from "../submissions/visitor-input.ts";
import { type AccountChangeContext, sendAccountChangeNotice } from "./account-notices.ts";
import { NO_PASSWORD } from "./passwords.ts";
import type { Admin, AdminStore, PeopleStores } from "./people-stores.ts";
import { ROLE_SCOPES, type Role } from "./roles.ts";

export const adminNameSchema = singleLineTextSchema({ charactersMax: 100, whenEmpty: "is empty" });
export const adminEmailSchema = emailAddressSchema.transform((email) => email.toLowerCase());

/** The domain of the addresses that replace those of erased people. */
export const ERASED_EMAIL_DOMAIN = "erased.invalid";

/**
 * Normalizes an e-mail address in the same way as the addresses of accounts. A malformed address is only
 * trimmed and converted to lower case.
 */
export function normalizeAccountEmail(email: string): string {
  const parsed = adminEmailSchema.safeParse(email);
  return parsed.success ? parsed.data : email.trim().toLowerCase();
}

export interface NewAdmin {
  email: string;
  name: string;
  role: Role;
}

/** Omitted members stay unchanged. */
export interface AdminChange {
  name?: string;
  role?: Role;
  state?: "active" | "disabled";
}

/**
 * Creates an account without a password. Call within a transaction.
 *
 * @throws {AppError} `forbidden` when the role has a scope the actor lacks, `conflict` when the e-mail
 * address is taken.
 */
export async function createAdmin(
  { admins }: Pick<PeopleStores, "admins">,
  actor: Actor,
  input: NewAdmin,
  { now, requestId }: ChangeContext,
): Promise<Admin> {
  requireScope(actor, "admins:manage");
  requireGrantableScopes(actor, ROLE_SCOPES[input.role]);
  const other = await admins.byEmail(input.email);
  if (other !== null) throw emailTaken(other);
  const at = now.toISOString();
  const admin: Admin = {
    id: newId(now),
    ...input,
    state: "invited",
    createdAt: at,
    createdBy: actorName(actor),
    changedAt: at,
    lastLoginAt: null,
  };
  const entry = auditEntryForChange("admin.invite", admin.id, { actor, now, requestId });
  await admins.insert(admin, NO_PASSWORD, { ...entry, detail: `role: ${admin.role}` });
  return admin;
}

/**
 * Changes an account; disabling ends its sessions. Enabling an account that never signed in makes it `invited`
 * again, because nobody can sign in to it without a new code. Call within a transaction.
 *
 * @throws {AppError} `forbidden` when the account has a scope, before or after the change, that the
 * actor lacks; `conflict` when no active owner would be left, when the invitation has not been accepted yet,
 * or when an erased account would be enabled; `not_found`.
 */
export async function changeAdmin(
  stores: PeopleStores,
  actor: Actor,
  id: string,
  { change, ...context }: { change: AdminChange } & AccountChangeContext,
): Promise<Admin> {
  requireScope(actor, "admins:manage");
  const { now, requestId } = context;
  const before = await requireExistingAdmin(stores.admins, id);
  const after: Admin = { ...before, ...change };
  if (before.state === "disabled" && after.state === "active") {
    requireNotErased(before);
    if (before.lastLoginAt === null) after.state = "invited";
  }
  const changes = changedProperties(before, after);
  if (changes.length === 0) return before;
  requireGrantableScopes(actor, ROLE_SCOPES[before.role]);
  requireGrantableScopes(actor, ROLE_SCOPES[after.role]);
  if (before.state === "invited" && after.state === "active") {
    throw new AppError("conflict", {
      en: `Cannot enable ${before.email}: the invitation is not accepted yet`,
      de: `${before.email} lässt sich nicht entsperren: Die Einladung ist noch nicht angenommen`,
    });
  }
  await requireRemainingOwner(stores.admins, before, after);
  const action = before.state === after.state ? "admin.change" : STATE_ACTIONS[after.state];
  const changed: Admin = { ...after, changedAt: now.toISOString() };
  const entry = auditEntryForChange(action, id, { actor, now, requestId });
  await stores.admins.update(changed, null, { ...entry, detail: changes.join("; ") });
  if (changed.state === "disabled") await revokeAccess(stores, id);
  if (after.role !== before.role) await sendAccountChangeNotice(stores, changed, "role", context);
  return changed;
}

/**
 * Disables sign-in and ends all sessions. The account stays because the audit log refers to it. Requires
 * only the scope to manage accounts, because disabling grants nothing. Call within a transaction.
 *
 * @throws {AppError} `conflict` when no active owner would be left; `not_found`.
 */
export async function disableAdmin(
  stores: PeopleStores,
  actor: Actor,
  id: string,
  { now, requestId }: ChangeContext,
): Promise<Admin> {
  requireScope(actor, "admins:manage");
  const before = await requireExistingAdmin(stores.admins, id);
  if (before.state === "disabled") return before;
  const after: Admin = { ...before, state: "disabled", changedAt: now.toISOString() };
  await requireRemainingOwner(stores.admins, before, after);
  const entry = auditEntryForChange("admin.disable", id, { actor, now, requestId });
  await stores.admins.update(after, null, entry);
  await revokeAccess(stores, id);
  return after;
}

/** Lists accounts in order of creation. */
export async function listAdmins(
  admins: Pick<AdminStore, "page">,
  actor: Actor,
  { after = null, limit }: { after?: string | null; limit: number },
): Promise<{ admins: Admin[]; hasMore: boolean }> {
  requireScope(actor, "admins:manage");
  const found = await admins.page({ after, limit: limit + 1 });
  return { admins: found.slice(0, limit), hasMore: found.length > limit };
}

/**
 * Whether an account other than the actor's own exists. The actor need not have entered the password
 * recently, because the result reveals nothing about the other account.
 */
export async function hasOtherAdmins(
  admins: Pick<AdminStore, "page">,
  actor: PersonActor,
): Promise<boolean> {
  const found = await admins.page({ after: null, limit: 2 });
  return found.some(({ id }) => id !== actor.adminId);
}

/** Reads one account. @throws {AppError} `not_found`, `forbidden`. */
export async function inspectAdmin(
  admins: Pick<AdminStore, "byId">,
  actor: Actor,
  id: string,
): Promise<Admin> {
  requireScope(actor, "admins:manage");
  return await requireExistingAdmin(admins, id);
}

/** @throws {AppError} `not_found`. */
export async function requireExistingAdmin(
  admins: Pick<AdminStore, "byId">,
  id: string,
): Promise<Admin> {
  const admin = await admins.byId(id);
  if (admin === null)
    throw new AppError("not_found", {
      en: `There is no administrator with the id ${id}`,
      de: "Diese Person gibt es nicht: Suchen Sie sie in der Liste der Mitwirkenden",
    });
  return admin;
}

/** Returns the actor for the person with this account. */
export function personActorOf(
  { id, name, role }: Admin,
  { isConfirmed }: Pick<PersonActor, "isConfirmed">,
): PersonActor {
  return { kind: "person", adminId: id, name, scopes: ROLE_SCOPES[role], isConfirmed };
}

const STATE_ACTIONS = {
  invited: "admin.change",
  active: "admin.enable",
  disabled: "admin.disable",
} as const;

async function revokeAccess(
  { sessions, adminCodes, outbox }: PeopleStores,
  id: string,
): Promise<void> {
  await sessions.removeOf(id);
  await adminCodes.removeOf(id);
  await outbox.withdraw(id, "admin-code");
}

/** @throws {AppError} `conflict` when the change leaves no active owner. */
export async function requireRemainingOwner(
  admins: Pick<AdminStore, "activeOwners">,
  before: Admin,
  after: Admin,
): Promise<void> {
  if (!isActiveOwner(before) || isActiveOwner(after)) return;
  if ((await admins.activeOwners()).length > 1) return;
  throw new AppError("conflict", {
    en: `Cannot disable or demote ${before.email}: no other owner is active. Make somebody else an owner first`,
    de: `${before.email} lässt sich nicht sperren oder herabstufen: Es gibt sonst niemanden mit der Rolle „Inhaberin oder Inhaber“. Geben Sie diese Rolle zuerst jemand anderem`,
  });
}

/** @throws {AppError} `conflict` for an account without a person. */
function requireNotErased({ id, email }: Admin): void {
  if (!email.endsWith(`@${ERASED_EMAIL_DOMAIN}`)) return;
  throw new AppError("conflict", {
    en: `Cannot enable ${id}: the data of this person was erased; invite them again`,
    de: "Dieses Konto lässt sich nicht entsperren: Die Daten der Person wurden gelöscht. Laden Sie sie neu ein",
  });
}

function isActiveOwner({ role, state }: Admin): boolean {
  return role === "owner" && state === "active";
}

function changedProperties(before: Admin, after: Admin): string[] {
  const changes: string[] = [];
  if (after.name !== before.name) changes.push("name");
  if (after.role !== before.role) changes.push(`role: ${after.role}`);
  if (after.state !== before.state) changes.push(`state: ${after.state}`);
  return changes;
}

function emailTaken({ id, email, state }: Admin): AppError {
  const hint = state === "disabled" ? ", which is disabled: enable it" : ": change that";
  return new AppError(
    "conflict",
    {
      en: `${email} has an account already (${id})${hint}`,
      de: `${email} hat schon ein Konto${state === "disabled" ? "; es ist gesperrt: Entsperren Sie es" : ": Ändern Sie dieses"}`,
    },
    {
      problems: [
        { where: "email", message: { en: "has an account already", de: "hat schon ein Konto" } },
      ],
    },
  );
}
