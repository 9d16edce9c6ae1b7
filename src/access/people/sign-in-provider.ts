import { hash } from "node:crypto";
import { AppError } from "../../errors.ts";
import { auditEntryForChange, type ChangeContext } from "../audit.ts";
import { normalizeAccountEmail, personActorOf } from "./admins.ts";
import type { PeopleRecord, RequestingClient } from "./people-stores.ts";
import { isSecondFactorOn } from "./second-factors.ts";
import { createSession, type SessionWithToken } from "./sessions.ts";
import { countAttemptOrThrow, deleteAttempts, providerAttemptLimits } from "./sign-in-limits.ts";

/** An external service that authenticates people, such as the association's own directory. */
export interface SignInProvider {
  /** Host name, as shown to people. */
  name: string;
  /**
   * Returns the address to send the browser to, and the pending state that the browser must send
   * back.
   *
   * @throws {AppError} `unavailable` when the provider does not answer.
   */
  begin(): Promise<{ address: string; pending: string }>;
  /**
   * Returns the verified e-mail address, in lower case, of the person who has just signed in at the provider.
   *
   * @param callback the full URL to which the provider sent the browser.
   * @throws {AppError} `unauthenticated` for a response that is forged, late, reused or incomplete.
   */
  finish(callback: URL, pending: string): Promise<string>;
}

/**
 * Signs in a person whom the provider has identified. There must be an account with the person's
 * e-mail address. If the account is `invited`, the sign-in accepts the invitation. If the account's
 * second factor is on, a code is still required.
 *
 * @throws {AppError} `unauthenticated`; `rate_limited`.
 */
export async function signInThroughProvider(
  record: PeopleRecord,
  provider: SignInProvider,
  { callback, pending }: { callback: URL; pending: string },
  context: { client: RequestingClient } & ChangeContext,
): Promise<SessionWithToken> {
  const { now, requestId, client } = context;
  const limits = providerAttemptLimits();
  await countAttemptOrThrow(record, limits, { ...context, address: client.address });
  const email = normalizeAccountEmail(await provider.finish(callback, pending));
  const responseName = `sign-in:${hash("sha256", pending, "base64url")}`;
  return await record.atomically(async (stores) => {
    if ((await stores.idempotentResponses.find(responseName)) !== null) {
      throw new AppError("unauthenticated", {
        en: "This sign-in was used before: begin again",
        de: "Diese Anmeldung wurde schon benutzt: Beginnen Sie noch einmal",
      });
    }
    await stores.idempotentResponses.store({
      name: responseName,
      fingerprint: "",
      sealed: "",
      storedAt: now.toISOString(),
    });
    const account = await stores.admins.byEmail(email);
    if (account === null || account.state === "disabled") {
      throw new AppError("unauthenticated", {
        en: `There is no account here for ${email}: ask an owner`,
        de: `Für ${email} gibt es hier kein Konto: Bitten Sie eine Inhaberin oder einen Inhaber der Website um eine Einladung`,
      });
    }
    await deleteAttempts(stores, limits, client.address);
    const stage = isSecondFactorOn(await stores.secondFactors.of(account.id))
      ? "second_factor"
      : "open";
    const at = now.toISOString();
    if (account.state === "active") {
      if (stage === "open") await stores.admins.noteLogin(account.id, at);
      return await createSession(stores, account, { ...context, stage });
    }
    const accepted = { ...account, state: "active" as const, changedAt: at, lastLoginAt: at };
    const actor = personActorOf(accepted, { isConfirmed: true });
    const entry = auditEntryForChange("admin.accept", account.id, { actor, now, requestId });
    await stores.admins.update(accepted, null, { ...entry, detail: "through the provider" });
    await stores.adminCodes.removeOf(account.id);
    await stores.outbox.withdraw(account.id, "admin-code");
    return await createSession(stores, accepted, { ...context, stage });
  });
}
