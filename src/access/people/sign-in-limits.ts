import { hash } from "node:crypto";
import { AppError } from "../../errors.ts";
import { newId } from "../../new-id.ts";
import { clientNetworkOf } from "../address-limits.ts";
import type { ChangeContext } from "../audit.ts";
import type { PeopleRecord, PeopleStores, SignInAttempt } from "./people-stores.ts";

export const ATTEMPT_WINDOW_MILLISECONDS = 60 * 60 * 1000;
/** Limit on the attempts of one network, over all accounts and codes. */
const ATTEMPTS_PER_NETWORK_MAX = 50;

/** How often one secret, such as an account's password, may be guessed in an hour. */
interface AttemptLimits {
  subject: string;
  perNetwork: number;
  /**
   * When the attempts of all networks exceed this number, each network is limited to `perNetworkWhenBusy`.
   */
  busyAbove: number;
  perNetworkWhenBusy: number;
}

/**
 * Limits attempts at the password of an account, whether the account exists or not. Attempts are counted per
 * network, so that guessing from one network never locks out the person in another network.
 */
export function passwordAttemptLimits(email: string): AttemptLimits {
  const subject = subjectOf("password", email);
  return { subject, perNetwork: 10, busyAbove: 100, perNetworkWhenBusy: 3 };
}

/**
 * Limits attempts at the six-digit code of a second factor. All networks share one limit, because
 * there are only a million codes. Only someone who knows the password can use up this limit.
 * Recovery codes work even when the limit is used up.
 */
export function totpAttemptLimits(adminId: string): AttemptLimits {
  const subject = subjectOf("second factor", adminId);
  return { subject, perNetwork: 5, busyAbove: 20, perNetworkWhenBusy: 0 };
}

/** Limits attempts at a recovery code of a second factor. */
export function recoveryCodeAttemptLimits(adminId: string): AttemptLimits {
  return longSecretAttempts(subjectOf("recovery code", adminId));
}

/** Limits attempts at invitation, reset and setup codes. */
export function adminCodeAttemptLimits(): AttemptLimits {
  return longSecretAttempts(subjectOf("code", ""));
}

/** Limits responses that browsers deliver from the sign-in provider. */
export function providerAttemptLimits(): AttemptLimits {
  return longSecretAttempts(subjectOf("provider", ""));
}

/** Limits challenges for a sign-in with a passkey. */
export function passkeyAttemptLimits(): AttemptLimits {
  return longSecretAttempts(subjectOf("passkey", ""));
}

/**
 * Counts an attempt at a secret. Call it before checking the secret. The count is exact across
 * processes and restarts.
 *
 * @throws {AppError} `rate_limited` when the network has used up its attempts.
 */
export async function countAttemptOrThrow(
  record: Pick<PeopleRecord, "atomically">,
  limits: AttemptLimits,
  { address, now }: { address: string } & ChangeContext,
): Promise<void> {
  const network = clientNetworkOf(address);
  await record.atomically(async ({ signInAttempts }) => {
    const since = new Date(now.getTime() - ATTEMPT_WINDOW_MILLISECONDS);
    const fromNetwork = await signInAttempts.ofNetwork(network, since);
    const onSubject = fromNetwork.filter(({ subject }) => subject === limits.subject);
    const { subject, busyAbove } = limits;
    const all = await signInAttempts.countOf(subject, since, busyAbove + 1);
    const limit = all > busyAbove ? limits.perNetworkWhenBusy : limits.perNetwork;
    const blocking =
      onSubject.length >= limit
        ? onSubject
        : fromNetwork.length >= ATTEMPTS_PER_NETWORK_MAX
          ? fromNetwork
          : null;
    if (blocking !== null) throw tooManyAttempts(blocking[0], now);
    const id = newId(now);
    await signInAttempts.insert({ id, at: now.toISOString(), subject, network });
  });
}

/** Deletes a network's attempts on a secret, once an attempt has succeeded. Call within a transaction. */
export async function deleteAttempts(
  { signInAttempts }: Pick<PeopleStores, "signInAttempts">,
  { subject }: AttemptLimits,
  address: string,
): Promise<void> {
  await signInAttempts.forget(subject, clientNetworkOf(address));
}

function longSecretAttempts(subject: string): AttemptLimits {
  return {
    subject,
    perNetwork: 10,
    busyAbove: Number.MAX_SAFE_INTEGER - 1,
    perNetworkWhenBusy: 10,
  };
}

/**
 * Hashes the name. For passwords, the name is the e-mail address as typed, and people sometimes type a
 * password into the e-mail field.
 */
function subjectOf(kind: string, name: string): string {
  return hash("sha256", `${kind}\n${name}`, "base64url");
}

function tooManyAttempts(oldest: SignInAttempt | undefined, now: Date): AppError {
  const freeAt =
    (oldest === undefined ? now.getTime() : Date.parse(oldest.at)) + ATTEMPT_WINDOW_MILLISECONDS;
  const retryAfterSeconds = Math.max(1, Math.ceil((freeAt - now.getTime()) / 1000));
  const minutes = Math.ceil(retryAfterSeconds / 60);
  return new AppError(
    "rate_limited",
    {
      en: `Too many attempts from your network: try again in ${minutes} minutes`,
      de:
        minutes === 1
          ? "Zu viele Versuche aus Ihrem Netz: Versuchen Sie es in einer Minute wieder"
          : `Zu viele Versuche aus Ihrem Netz: Versuchen Sie es in ${minutes} Minuten wieder`,
    },
    { retryAfterSeconds },
  );
}
