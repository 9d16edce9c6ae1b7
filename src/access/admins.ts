import { z } from "zod";
import { AppError } from "../errors.ts";
import { type Actor, actorName, requireScope, SCOPES, type Scope } from "./actor.ts";
import { type AuditEntry, changeEntry } from "./audit.ts";
import { requireMayGrantScopes } from "./keys/grants.ts";
import type { PasswordHash } from "./passwords.ts";
import { emailAddress, oneLine } from "./submissions/visitor-input.ts";

/** What each role may do. */
export const ROLE_SCOPES = {
  owner: SCOPES,
  editor: ["content:read", "content:write", "content:publish", "media:write", "audit:read"],
  viewer: ["content:read", "audit:read"],
} as const satisfies Record<string, readonly Scope[]>;

export type Role = keyof typeof ROLE_SCOPES;

export const ROLES = ["owner", "editor", "viewer"] as const satisfies readonly Role[];

export const ADMIN_STATES = ["active", "disabled"] as const;

/** Somebody who may sign in; what proves a password is kept apart. */
export interface Admin {
  id: string;
  /** In lower case; nobody else's. */
  email: string;
  name: string;
  role: Role;
  state: (typeof ADMIN_STATES)[number];
  /** ISO 8601, UTC, as all times. */
  createdAt: string;
  createdBy: string;
  changedAt: string;
  lastLoginAt: string | null;
}

export const adminNameSchema = oneLine({ charactersMax: 100, whenEmpty: "is empty" });
export const adminEmailSchema = emailAddress.transform((email) => email.toLowerCase());
export const roleSchema = z.enum(ROLES);

export interface AdminReader {
  byId(id: string): Promise<Admin | null>;
  byEmail(email: string): Promise<Admin | null>;
  /** In the order in which they were created, those after an id; from the first without one. */
  page(options: { after: string | null; limit: number }): Promise<Admin[]>;
  activeOwners(): Promise<number>;
}

export interface AdminStore extends AdminReader {
  /** One transaction; inside it use only what it is given. */
  write<T>(change: (transaction: AdminTransaction) => Promise<T>): Promise<T>;
}

export interface AdminTransaction extends AdminReader {
  newId(now: Date): string;
  insert(admin: Admin, password: PasswordHash, entry: AuditEntry): Promise<void>;
  /** Without a password the one there is stays. */
  update(admin: Admin, password: PasswordHash | null, entry: AuditEntry): Promise<void>;
}

export interface NewAdmin {
  email: string;
  name: string;
  role: Role;
  password: PasswordHash;
}

/** What is not said stays as it is. */
export interface AdminChange {
  name?: string;
  role?: Role;
  state?: Admin["state"];
  password?: PasswordHash;
}

interface Moment {
  now: Date;
  requestId?: string | null;
}

/**
 * Lets somebody sign in.
 *
 * @throws {AppError} `forbidden` for a role that may do what the actor may not, `conflict` when the
 * address is taken.
 */
export async function createAdmin(
  admins: AdminStore,
  actor: Actor,
  { password, ...input }: NewAdmin,
  { now, requestId = null }: Moment,
): Promise<Admin> {
  requireScope(actor, "admins:manage");
  requireMayGrantScopes(actor, ROLE_SCOPES[input.role]);
  return await admins.write(async (transaction) => {
    const other = await transaction.byEmail(input.email);
    if (other !== null) throw emailTaken(other);
    const at = now.toISOString();
    const admin: Admin = {
      id: transaction.newId(now),
      ...input,
      state: "active",
      createdAt: at,
      createdBy: actorName(actor),
      changedAt: at,
      lastLoginAt: null,
    };
    const detail = `role: ${admin.role}`;
    const entry = changeEntry("admin.create", admin.id, { actor, now, requestId });
    await transaction.insert(admin, password, { ...entry, detail });
    return admin;
  });
}

/**
 * Says something else of an account.
 *
 * @throws {AppError} `forbidden` when the account may do, before or after, what the actor may not;
 * `conflict` when no active owner would be left; `not_found`.
 */
export async function changeAdmin(
  admins: AdminStore,
  actor: Actor,
  id: string,
  { change, now, requestId = null }: { change: AdminChange } & Moment,
): Promise<Admin> {
  requireScope(actor, "admins:manage");
  return await admins.write(async (transaction) => {
    const before = await existing(transaction, id);
    const { password = null, ...rest } = change;
    const after: Admin = { ...before, ...rest };
    const changes = changesOf(before, after, password !== null);
    if (changes.length === 0) return before;
    requireMayGrantScopes(actor, ROLE_SCOPES[before.role]);
    requireMayGrantScopes(actor, ROLE_SCOPES[after.role]);
    await requireOwnerLeft(transaction, before, after);
    const action = before.state === after.state ? "admin.change" : STATE_ACTIONS[after.state];
    const changed: Admin = { ...after, changedAt: now.toISOString() };
    const detail = changes.join("; ");
    const entry = changeEntry(action, id, { actor, now, requestId });
    await transaction.update(changed, password, { ...entry, detail });
    return changed;
  });
}

/**
 * Lets somebody sign in no more; the account stays, for the audit log names it. Whoever manages
 * accounts may do so to any: it gives nobody anything.
 *
 * @throws {AppError} `conflict` when no active owner would be left; `not_found`.
 */
export async function disableAdmin(
  admins: AdminStore,
  actor: Actor,
  id: string,
  { now, requestId = null }: Moment,
): Promise<Admin> {
  requireScope(actor, "admins:manage");
  return await admins.write(async (transaction) => {
    const before = await existing(transaction, id);
    if (before.state === "disabled") return before;
    const after: Admin = { ...before, state: "disabled", changedAt: now.toISOString() };
    await requireOwnerLeft(transaction, before, after);
    const entry = changeEntry("admin.disable", id, { actor, now, requestId });
    await transaction.update(after, null, entry);
    return after;
  });
}

/** In the order in which they were created. */
export async function listAdmins(
  admins: AdminReader,
  actor: Actor,
  { after = null, limit }: { after?: string | null; limit: number },
): Promise<{ admins: Admin[]; hasMore: boolean }> {
  requireScope(actor, "admins:manage");
  const found = await admins.page({ after, limit: limit + 1 });
  return { admins: found.slice(0, limit), hasMore: found.length > limit };
}

/** @throws {AppError} `not_found`, `forbidden`. */
export async function inspectAdmin(admins: AdminReader, actor: Actor, id: string): Promise<Admin> {
  requireScope(actor, "admins:manage");
  return await existing(admins, id);
}

const STATE_ACTIONS = { active: "admin.enable", disabled: "admin.disable" } as const;

async function requireOwnerLeft(
  transaction: AdminReader,
  before: Admin,
  after: Admin,
): Promise<void> {
  if (!isActiveOwner(before) || isActiveOwner(after)) return;
  if ((await transaction.activeOwners()) > 1) return;
  throw new AppError(
    "conflict",
    `Cannot disable or demote ${before.email}: no other owner is active. Make somebody else an owner first`,
  );
}

function isActiveOwner({ role, state }: Admin): boolean {
  return role === "owner" && state === "active";
}

function changesOf(before: Admin, after: Admin, hasNewPassword: boolean): string[] {
  const changes: string[] = [];
  if (after.name !== before.name) changes.push("name");
  if (after.role !== before.role) changes.push(`role: ${after.role}`);
  if (after.state !== before.state) changes.push(`state: ${after.state}`);
  if (hasNewPassword) changes.push("password");
  return changes;
}

async function existing(admins: AdminReader, id: string): Promise<Admin> {
  const admin = await admins.byId(id);
  if (admin === null)
    throw new AppError("not_found", `There is no administrator with the id ${id}`);
  return admin;
}

function emailTaken({ id, email, state }: Admin): AppError {
  const hint = state === "disabled" ? ", which is disabled: enable it" : ": change that";
  return new AppError("conflict", `${email} has an account already (${id})${hint}`, {
    problems: [{ where: "email", message: "has an account already" }],
  });
}
