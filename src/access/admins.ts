import { z } from "zod";
import { AppError } from "../errors.ts";
import { type Actor, actorName, requireScope, SCOPES, type Scope } from "./actor.ts";
import { type AuditEntry, changeEntry } from "./audit.ts";
import { requireMayGrantScopes } from "./keys/grants.ts";
import type { PasswordHash } from "./passwords.ts";
import { emailAddress, oneLine } from "./submissions/visitor-input.ts";

/** Scopes of each role. */
export const ROLE_SCOPES = {
  owner: SCOPES,
  editor: ["content:read", "content:write", "content:publish", "media:write", "audit:read"],
  viewer: ["content:read", "audit:read"],
} as const satisfies Record<string, readonly Scope[]>;

export type Role = keyof typeof ROLE_SCOPES;

export const ROLES = ["owner", "editor", "viewer"] as const satisfies readonly Role[];

export const ADMIN_STATES = ["active", "disabled"] as const;

/** An administrator account. The password hash is stored separately. */
export interface Admin {
  id: string;
  /** Lower case and unique. */
  email: string;
  name: string;
  role: Role;
  state: (typeof ADMIN_STATES)[number];
  /** ISO 8601, UTC, like all times here. */
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
  /** In order of creation, starting after the id, or from the beginning when null. */
  page(options: { after: string | null; limit: number }): Promise<Admin[]>;
  activeOwners(): Promise<number>;
}

export interface AdminStore extends AdminReader {
  /** Runs one transaction; inside it use only the given one. */
  write<T>(change: (transaction: AdminTransaction) => Promise<T>): Promise<T>;
}

export interface AdminTransaction extends AdminReader {
  newId(now: Date): string;
  insert(admin: Admin, password: PasswordHash, entry: AuditEntry): Promise<void>;
  /** A null password keeps the present one. */
  update(admin: Admin, password: PasswordHash | null, entry: AuditEntry): Promise<void>;
}

export interface NewAdmin {
  email: string;
  name: string;
  role: Role;
  password: PasswordHash;
}

/** Omitted members stay unchanged. */
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
 * Creates an account.
 *
 * @throws {AppError} `forbidden` when the role has a scope the actor lacks, `conflict` when the email
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
 * Changes an account.
 *
 * @throws {AppError} `forbidden` when the account has, before or after, a scope the actor lacks; `conflict`
 * when no active owner would be left; `not_found`.
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
 * Disables sign-in. The account stays because the audit log refers to it. Needs only the scope to manage
 * accounts: disabling grants nothing.
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

/** In order of creation. */
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
