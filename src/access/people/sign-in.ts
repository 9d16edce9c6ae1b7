import { AppError } from "../../errors.ts";
import type { ChangeContext } from "../audit.ts";
import { normalizeAccountEmail } from "./admins.ts";
import { isCorrectPassword } from "./passwords.ts";
import type { Admin, PeopleRecord, PeopleStores, RequestingClient } from "./people-stores.ts";
import { consumeSecondFactorCode, isSecondFactorOn, isTotpCode } from "./second-factors.ts";
import { createSession, findSession, type SessionWithToken } from "./sessions.ts";
import {
  countAttemptOrThrow,
  deleteAttempts,
  passwordAttemptLimits,
  recoveryCodeAttemptLimits,
  totpAttemptLimits,
} from "./sign-in-limits.ts";

export interface SignInContext extends ChangeContext {
  client: RequestingClient;
}

/**
 * Signs a person in. The response and its timing are the same for unknown addresses, wrong passwords
 * and accounts that may not sign in.
 *
 * @returns a session; its stage is `second_factor` if a code is needed next.
 * @throws {AppError} `unauthenticated`; `rate_limited`; `unavailable` when too many people sign in at
 * once.
 */
export async function signIn(
  record: PeopleRecord,
  { email, password }: { email: string; password: string },
  context: SignInContext,
): Promise<SessionWithToken> {
  const { client } = context;
  const normalizedEmail = normalizeAccountEmail(email);
  const limits = passwordAttemptLimits(normalizedEmail);
  await countAttemptOrThrow(record, limits, { ...context, address: client.address });
  const account = await record.admins.byEmail(normalizedEmail);
  const hash = await record.admins.passwordOf(account?.id ?? "");
  const isRight = await isCorrectPassword(password, account?.state === "active" ? hash : null);
  if (account === null || !isRight) throw signInRefusal();
  return await record.atomically(async (stores) => {
    const admin = await stores.admins.byId(account.id);
    const currentHash = await stores.admins.passwordOf(account.id);
    // Checks the state again: meanwhile, the account or its password may have changed.
    if (admin?.state !== "active" || currentHash?.phc !== hash?.phc) throw signInRefusal();
    if (isSecondFactorOn(await stores.secondFactors.of(admin.id))) {
      return await createSession(stores, admin, { ...context, stage: "second_factor" });
    }
    await deleteAttempts(stores, limits, client.address);
    return await startSession(stores, admin, context);
  });
}

/**
 * Completes a sign-in with a code from the authenticator app or a recovery code. The session gets a new
 * token.
 *
 * @throws {AppError} `unauthenticated` for a wrong or used code, or when the sign-in took too long;
 * `rate_limited`.
 */
export async function completeSignIn(
  record: PeopleRecord,
  token: string,
  code: string,
  context: SignInContext,
): Promise<SessionWithToken> {
  const { now, client } = context;
  const pending = await findSession(record, token, now);
  if (pending?.session.stage !== "second_factor") throw signInExpired();
  const { id: adminId, email } = pending.admin;
  const limits = isTotpCode(code) ? totpAttemptLimits(adminId) : recoveryCodeAttemptLimits(adminId);
  await countAttemptOrThrow(record, limits, { ...context, address: client.address });
  const opened = await record.atomically(async (stores) => {
    const found = await findSession(stores, token, now);
    if (found?.session.stage !== "second_factor") throw signInExpired();
    const { admin, session, actor } = found;
    const factor = await stores.secondFactors.of(admin.id);
    const isRight =
      !isSecondFactorOn(factor) ||
      (await consumeSecondFactorCode(stores, factor, code, { ...context, actor }));
    if (!isRight) return null;
    await stores.sessions.remove(session.id, null);
    for (const attempts of [
      passwordAttemptLimits(email),
      totpAttemptLimits(adminId),
      recoveryCodeAttemptLimits(adminId),
    ]) {
      await deleteAttempts(stores, attempts, client.address);
    }
    return await startSession(stores, admin, context);
  });
  if (opened !== null) return opened;
  throw new AppError(
    "unauthenticated",
    {
      en: "This code is wrong, has been used or is too old",
      de: "Dieser Code ist falsch, wurde schon benutzt oder ist zu alt: Geben Sie den ein, den die App jetzt zeigt",
    },
    {
      problems: [
        {
          where: "code",
          message: {
            en: "is wrong, has been used or is too old",
            de: "ist falsch, benutzt oder zu alt",
          },
        },
      ],
    },
  );
}

async function startSession(
  stores: PeopleStores,
  admin: Admin,
  context: SignInContext,
): Promise<SessionWithToken> {
  await stores.admins.noteLogin(admin.id, context.now.toISOString());
  return await createSession(stores, admin, { ...context, stage: "open" });
}

function signInRefusal(): AppError {
  return new AppError("unauthenticated", {
    en: "The e-mail address or the password is wrong",
    de: "Die E-Mail-Adresse oder das Passwort stimmt nicht",
  });
}

function signInExpired(): AppError {
  return new AppError("unauthenticated", {
    en: "This sign-in took too long: sign in again",
    de: "Diese Anmeldung hat zu lange gedauert: Melden Sie sich noch einmal an",
  });
}
