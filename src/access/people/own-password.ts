import { AppError } from "../../errors.ts";
import { auditEntryForChange } from "../audit.ts";
import { type AccountChangeContext, sendAccountChangeNotice } from "./account-notices.ts";
import { personActorOf, requireExistingAdmin } from "./admins.ts";
import { hashChosenPassword } from "./chosen-password.ts";
import { isCorrectPassword } from "./passwords.ts";
import type { Admin, PeopleRecord } from "./people-stores.ts";
import { endSessionsOfAccount, type SessionWithAdmin } from "./sessions.ts";
import type { SignInContext } from "./sign-in.ts";
import { countAttemptOrThrow, deleteAttempts, passwordAttemptLimits } from "./sign-in-limits.ts";

/**
 * Checks the person's password again and records the time, for actions that require a recent
 * password.
 *
 * @throws {AppError} `unauthenticated` for a wrong password; `rate_limited`.
 */
export async function confirmIdentityWithPassword(
  record: PeopleRecord,
  { session, admin }: SessionWithAdmin,
  password: string,
  context: SignInContext,
): Promise<void> {
  await requireOwnPassword(record, admin, password, context);
  await record.atomically(async (stores) => {
    await deleteAttempts(stores, passwordAttemptLimits(admin.email), context.client.address);
    await stores.sessions.noteConfirmed(session.id, context.now.toISOString());
  });
}

/**
 * Changes one's own password and ends all other sessions.
 *
 * @throws {AppError} `unauthenticated` for a wrong current password, or when the session has ended meanwhile;
 * `invalid` for a bad new password; `rate_limited`.
 */
export async function changeOwnPassword(
  record: PeopleRecord,
  { session, admin: { id, email, name } }: SessionWithAdmin,
  { current, next }: { current: string; next: string },
  context: SignInContext & AccountChangeContext,
): Promise<void> {
  const { now, requestId, client } = context;
  await requireOwnPassword(record, { id, email }, current, context);
  const hash = await hashChosenPassword(record, next, { email, name });
  await record.atomically(async (stores) => {
    const sessions = await stores.sessions.ofAdmin(id);
    // Checks the session again: meanwhile, another session may have changed the password.
    if (!sessions.some((each) => each.id === session.id)) throw sessionEnded();
    const admin = await requireExistingAdmin(stores.admins, id);
    const actor = personActorOf(admin, { isConfirmed: true });
    const changed = { ...admin, changedAt: now.toISOString() };
    const entry = auditEntryForChange("admin.change-password", id, { actor, now, requestId });
    await stores.admins.update(changed, hash, entry);
    await stores.adminCodes.removeOf(id);
    await stores.outbox.withdraw(id, "admin-code");
    await deleteAttempts(stores, passwordAttemptLimits(email), client.address);
    await endSessionsOfAccount(stores, actor, id, { keep: session.id, now, requestId });
    await sendAccountChangeNotice(stores, admin, "password", context);
  });
}

async function requireOwnPassword(
  record: PeopleRecord,
  { id, email }: Pick<Admin, "id" | "email">,
  password: string,
  { now, client }: SignInContext,
): Promise<void> {
  await countAttemptOrThrow(record, passwordAttemptLimits(email), {
    now,
    address: client.address,
  });
  if (await isCorrectPassword(password, await record.admins.passwordOf(id))) return;
  throw new AppError(
    "unauthenticated",
    { en: "This is not your password", de: "Das ist nicht Ihr Passwort" },
    {
      problems: [
        {
          where: "password",
          message: { en: "is not your password", de: "ist nicht Ihr Passwort" },
        },
      ],
    },
  );
}

function sessionEnded(): AppError {
  return new AppError("unauthenticated", {
    en: "Your password was not changed here, because this session has ended meanwhile: sign in again",
    de: "Ihr Passwort wurde hier nicht geändert, weil diese Sitzung inzwischen beendet ist: Melden Sie sich noch einmal an",
  });
}
