import { AppError, type Wording } from "../../errors.ts";
import { adminCodeMail } from "../../mail/mails/admin-code.ts";
import { newId } from "../../new-id.ts";
import { type Actor, actorName, requireScope } from "../actor.ts";
import { auditEntryForChange, type ChangeContext } from "../audit.ts";
import { DAY_MILLISECONDS } from "../days.ts";
import { hasExpired } from "../expiry.ts";
import { requireGrantableScopes } from "../keys/grants.ts";
import { hashSecret, mintClaimCode } from "../keys/key-format.ts";
import { readEditorsMailSender } from "../submissions/submissions.ts";
import { type AccountChangeContext, sendAccountChangeNotice } from "./account-notices.ts";
import { createAdmin, type NewAdmin, personActorOf, requireExistingAdmin } from "./admins.ts";
import { hashChosenPassword } from "./chosen-password.ts";
import type { PasswordHash } from "./passwords.ts";
import type {
  Admin,
  AdminCode,
  PeopleRecord,
  PeopleStores,
  RequestingClient,
} from "./people-stores.ts";
import { ROLE_SCOPES } from "./roles.ts";
import { isSecondFactorOn } from "./second-factors.ts";
import { createSession, type SessionWithToken } from "./sessions.ts";
import { adminCodeAttemptLimits, countAttemptOrThrow, deleteAttempts } from "./sign-in-limits.ts";

const INVITATION_DAYS = 7;
const RESET_DAYS = 1;
const CODE_LIFETIME_MILLISECONDS_MAX = INVITATION_DAYS * DAY_MILLISECONDS;

/** One message for unknown, used, replaced and expired codes, so that guessing reveals nothing. */
const CODE_REFUSED: Wording = {
  en: "This code is not valid, has been used or has expired",
  de: "Dieser Code gilt nicht, wurde schon benutzt oder ist abgelaufen: Bitten Sie um einen neuen",
};

/** Decides whether a code is mailed to the person or returned to the caller. */
export interface AdminCodeDelivery extends AccountChangeContext {
  /** Whether to return the code even if the service could mail it. */
  returnsCode?: boolean;
}

export interface AdminWithCode {
  admin: Admin;
  /** The code, to be shown once and passed on to the person; null if the service mails it instead. */
  code: string | null;
  codeExpiresAt: string;
}

/**
 * Creates an account and issues a code with which its holder chooses a password. The code is valid
 * for seven days. Call within a transaction.
 *
 * @throws {AppError} as {@link createAdmin}.
 */
export async function inviteAdmin(
  stores: PeopleStores,
  actor: Actor,
  input: NewAdmin,
  delivery: AdminCodeDelivery,
): Promise<AdminWithCode> {
  const admin = await createAdmin(stores, actor, input, delivery);
  return await issueCode(stores, actor, admin, delivery);
}

/**
 * Issues a new code with which a person chooses a password. The code is valid for seven days if the account
 * is `invited`, and for one day if the account is `active`. The previous code stops working. The password
 * works until the new code is used. Call within a transaction.
 *
 * @throws {AppError} `forbidden` when the account has a scope the actor lacks, since the code gives access to
 * the account; `conflict` for a disabled account; `not_found`.
 */
export async function renewAdminCode(
  stores: PeopleStores,
  actor: Actor,
  id: string,
  delivery: AdminCodeDelivery,
): Promise<AdminWithCode> {
  requireScope(actor, "admins:manage");
  const admin = await requireExistingAdmin(stores.admins, id);
  requireGrantableScopes(actor, ROLE_SCOPES[admin.role]);
  if (admin.state === "disabled") {
    throw new AppError("conflict", {
      en: `Cannot make a code for ${admin.email}: enable the account first`,
      de: `Für ${admin.email} lässt sich kein Code erzeugen: Entsperren Sie zuerst das Konto`,
    });
  }
  return await issueCode(stores, actor, admin, delivery);
}

/**
 * Issues the code that sets up the first account; returns null if an account exists already. The previous
 * code stops working. Call within a transaction.
 */
export async function makeSetupCode(stores: PeopleStores, now: Date): Promise<string | null> {
  if ((await stores.admins.page({ after: null, limit: 1 })).length > 0) return null;
  const operator: Actor = { kind: "operator" };
  const code = mintClaimCode();
  await stores.adminCodes.put(
    newCode(operator, { adminId: null, days: INVITATION_DAYS, now }),
    hashSecret(code),
    null,
  );
  return code;
}

/**
 * Sets a password with a code and opens a session. The session asks for the second factor if the account
 * has one. All other sessions of the account end.
 *
 * @throws {AppError} `invalid` for a bad password (the code stays valid); `not_found` with one
 * message for all invalid codes; `rate_limited`.
 */
export async function claimAccountWithCode(
  record: PeopleRecord,
  { code, password }: { code: string; password: string },
  context: { client: RequestingClient } & AccountChangeContext,
): Promise<SessionWithToken> {
  const { now, client } = context;
  await countAttemptOrThrow(record, adminCodeAttemptLimits(), {
    ...context,
    address: client.address,
  });
  const known = await usableCode(record, code, now);
  const account = await accountOf(record, known);
  // Hashes the password even if the code is wrong, so that wrong and right codes take the same time.
  const hash = await hashChosenPassword(record, password, account);
  return await record.atomically(async (stores) => {
    const found = await usableCode(stores, code, now);
    const admin = await accountOf(stores, found);
    if (admin === null || admin.state === "disabled") throw codeRefusal();
    const isReset = admin.state === "active";
    if (isReset) await sendAccountChangeNotice(stores, admin, "password", context);
    return await redeemCode(stores, { ...admin, state: "active" }, hash, {
      ...context,
      action: isReset ? "admin.reset-password" : "admin.accept",
    });
  });
}

/**
 * Creates the first account, an owner, with the setup code that the server shows to its operator.
 *
 * @throws {AppError} as {@link claimAccountWithCode}.
 */
export async function createFirstOwner(
  record: PeopleRecord,
  { code, password, email, name }: { code: string; password: string } & Omit<NewAdmin, "role">,
  context: { client: RequestingClient } & ChangeContext,
): Promise<SessionWithToken> {
  const { now, client } = context;
  await countAttemptOrThrow(record, adminCodeAttemptLimits(), {
    ...context,
    address: client.address,
  });
  const hash = await hashChosenPassword(record, password, { email, name });
  return await record.atomically(async (stores) => {
    const found = await usableCode(stores, code, now);
    const accounts = await stores.admins.page({ after: null, limit: 1 });
    if (found === null || found.adminId !== null || accounts.length > 0) throw codeRefusal();
    const operator: Actor = { kind: "operator" };
    const admin = await createAdmin(stores, operator, { email, name, role: "owner" }, context);
    return await redeemCode(stores, { ...admin, state: "active" }, hash, {
      ...context,
      action: "admin.accept",
    });
  });
}

async function redeemCode(
  stores: PeopleStores,
  admin: Admin,
  hash: PasswordHash,
  { action, ...context }: { action: string; client: RequestingClient } & ChangeContext,
): Promise<SessionWithToken> {
  const { now, requestId } = context;
  const actor = personActorOf(admin, { isConfirmed: true });
  await stores.adminCodes.removeOf(admin.id);
  await stores.adminCodes.removeOf(null);
  await stores.sessions.removeOf(admin.id);
  await deleteAttempts(stores, adminCodeAttemptLimits(), context.client.address);
  const stage = isSecondFactorOn(await stores.secondFactors.of(admin.id))
    ? "second_factor"
    : "open";
  const at = now.toISOString();
  const updated = {
    ...admin,
    changedAt: at,
    lastLoginAt: stage === "open" ? at : admin.lastLoginAt,
  };
  await stores.admins.update(
    updated,
    hash,
    auditEntryForChange(action, admin.id, { actor, now, requestId }),
  );
  await stores.outbox.withdraw(admin.id, "admin-code");
  return await createSession(stores, updated, { ...context, stage });
}

async function issueCode(
  stores: PeopleStores,
  actor: Actor,
  admin: Admin,
  { returnsCode = false, ...delivery }: AdminCodeDelivery,
): Promise<AdminWithCode> {
  const { now, requestId, sendsMail } = delivery;
  const isInvitation = admin.state === "invited";
  const days = isInvitation ? INVITATION_DAYS : RESET_DAYS;
  const code = mintClaimCode();
  const stored = newCode(actor, { adminId: admin.id, days, now });
  const { expiresAt } = stored;
  const entry = auditEntryForChange("admin.make-code", admin.id, { actor, now, requestId });
  const detail = isInvitation ? "invitation" : "reset";
  await stores.adminCodes.put(stored, hashSecret(code), { ...entry, detail });
  await stores.outbox.withdraw(admin.id, "admin-code");
  if (returnsCode || !sendsMail) return { admin, code, codeExpiresAt: expiresAt };
  const letter = { ...admin, isInvitation, code, codeExpiresAt: expiresAt };
  await stores.outbox.put(
    adminCodeMail(await readEditorsMailSender(stores, delivery), letter),
    now,
  );
  return { admin, code: null, codeExpiresAt: expiresAt };
}

function newCode(
  actor: Actor,
  { adminId, days, now }: { adminId: string | null; days: number; now: Date },
): AdminCode {
  return {
    id: newId(now),
    adminId,
    createdAt: now.toISOString(),
    createdBy: actorName(actor),
    expiresAt: new Date(now.getTime() + days * DAY_MILLISECONDS).toISOString(),
  };
}

async function accountOf(
  { admins }: Pick<PeopleStores, "admins">,
  code: AdminCode | null,
): Promise<Admin | null> {
  const id = code?.adminId ?? null;
  return id === null ? null : await admins.byId(id);
}

async function usableCode(
  { adminCodes }: Pick<PeopleStores, "adminCodes">,
  code: string,
  now: Date,
): Promise<AdminCode | null> {
  const found = await adminCodes.byHash(hashSecret(code.trim()));
  return found === null || hasExpired(found.expiresAt, now, CODE_LIFETIME_MILLISECONDS_MAX)
    ? null
    : found;
}

function codeRefusal(): AppError {
  return new AppError("not_found", CODE_REFUSED, {
    problems: [{ where: "code", message: CODE_REFUSED }],
  });
}
