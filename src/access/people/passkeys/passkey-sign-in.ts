import { AppError } from "../../../errors.ts";
import type { ChangeContext } from "../../audit.ts";
import type { Passkey, PeopleRecord, RequestingClient } from "../people-stores.ts";
import { createSession, type SessionWithToken } from "../sessions.ts";
import { countAttemptOrThrow, deleteAttempts, passkeyAttemptLimits } from "../sign-in-limits.ts";
import { consumeChallenge, startChallenge } from "./challenges.ts";
import { requirePasskeyHost } from "./passkey-host.ts";
import type { PasskeyCeremony } from "./passkeys.ts";
import type { PasskeyVerifier } from "./verifier.ts";

type Context = { client: RequestingClient } & ChangeContext;

/**
 * Starts a sign-in with a passkey. Each challenge counts as an attempt, since every response needs a
 * new challenge.
 *
 * @throws {AppError} `rate_limited`; `conflict` when passkeys do not work at the site's address.
 */
export async function beginPasskeySignIn(
  record: PeopleRecord,
  verifier: PasskeyVerifier,
  { now, client }: Context,
): Promise<PasskeyCeremony> {
  requirePasskeyHost(verifier.host);
  await countAttemptOrThrow(record, passkeyAttemptLimits(), { now, address: client.address });
  const { secret, challenge } = await record.atomically((stores) =>
    startChallenge(stores, null, now),
  );
  const options = await verifier.requestOptions(challenge);
  return { secret, options };
}

/**
 * Signs in with a passkey, without password and second factor, since the device has verified the user.
 *
 * @param secret the secret that the browser kept; null: the browser sent no secret.
 * @throws {AppError} `unauthenticated`, with one message for all reasons.
 */
export async function signInWithPasskey(
  record: PeopleRecord,
  verifier: PasskeyVerifier,
  { response, secret }: { response: string; secret: string | null },
  context: Context,
): Promise<SessionWithToken> {
  const { now, client } = context;
  const challenge = await record.atomically((stores) =>
    consumeChallenge(stores, { secret, adminId: null }, now),
  );
  const claim = await verifier.readClaim(response);
  if (challenge === null || claim === null) throw signInRefused();
  const known = await record.passkeys.byCredential(claim.credentialId);
  if (known === null || known.adminId !== claim.adminId) throw signInRefused();
  const proof = await verifier.verifyRequest(response, challenge, known);
  if (proof === null) throw signInRefused();
  return await record.atomically(async (stores) => {
    const passkey = await stores.passkeys.byCredential(known.credentialId);
    const admin = await stores.admins.byId(known.adminId);
    // Checks the state again: meanwhile, the passkey may have been removed or used, or the account
    // disabled.
    if (passkey === null || admin?.state !== "active" || !isCounterValid(passkey, proof)) {
      throw signInRefused();
    }
    const usedAt = now.toISOString();
    await stores.passkeys.noteUse(passkey.id, { ...proof, usedAt });
    await deleteAttempts(stores, passkeyAttemptLimits(), client.address);
    await stores.admins.noteLogin(admin.id, usedAt);
    return await createSession(stores, admin, {
      ...context,
      stage: "open",
      detail: "with a passkey",
    });
  });
}

/** Detects cloned authenticators: the signature counter must increase, unless the device keeps no counter. */
function isCounterValid(
  before: Pick<Passkey, "counter">,
  { counter }: { counter: number },
): boolean {
  return counter > before.counter || (counter === 0 && before.counter === 0);
}

function signInRefused(): AppError {
  return new AppError("unauthenticated", {
    en: "This passkey does not sign in here: it is not known, was removed, or took longer than five minutes. Try again, or use your password",
    de: "Mit diesem Passkey geht die Anmeldung hier nicht: Er ist nicht bekannt, wurde entfernt, oder es hat länger als fünf Minuten gedauert. Versuchen Sie es noch einmal, oder melden Sie sich mit Ihrem Passwort an",
  });
}
