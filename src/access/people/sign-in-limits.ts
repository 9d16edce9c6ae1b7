import { hash } from "node:crypto";
import { AppError } from "../../errors.ts";
import { newId } from "../../new-id.ts";
import { networkOf } from "../address-limits.ts";
import type { Moment, PeopleRecord, PeopleStores, SignInAttempt } from "./people-stores.ts";

export const ATTEMPT_WINDOW_MILLISECONDS = 60 * 60 * 1000;
/** Limit on the attempts of one network, over all accounts and codes. */
const PER_NETWORK = 50;

/** Something that can be guessed, and the hourly limits on attempts. */
interface AttemptLimits {
  subject: string;
  perNetwork: number;
  /** Above this total over all networks, each network is limited to `perNetworkWhenBusy`. */
  busyAbove: number;
  perNetworkWhenBusy: number;
}

/**
 * A password of an account, known or not. Every network has attempts of its own, so that guessing
 * from elsewhere never locks an owner out.
 */
export function passwordAttempts(email: string): AttemptLimits {
  const subject = subjectOf("password", email);
  return { subject, perNetwork: 10, busyAbove: 100, perNetworkWhenBusy: 3 };
}

/**
 * The six digits of a second factor. As there are few of them, all networks share one limit; only
 * someone who knows the password can use it up, and recovery codes still work then.
 */
export function totpAttempts(adminId: string): AttemptLimits {
  const subject = subjectOf("second factor", adminId);
  return { subject, perNetwork: 5, busyAbove: 20, perNetworkWhenBusy: 0 };
}

export function recoveryAttempts(adminId: string): AttemptLimits {
  return longCode(subjectOf("recovery code", adminId));
}

/** An invitation, reset or setup code. */
export function codeAttempts(): AttemptLimits {
  return longCode(subjectOf("code", ""));
}

/** The response that a browser brings back from the sign-in provider. */
export function providerAttempts(): AttemptLimits {
  return longCode(subjectOf("provider", ""));
}

/** A challenge for a passkey. */
export function passkeyAttempts(): AttemptLimits {
  return longCode(subjectOf("passkey", ""));
}

/**
 * Counts an attempt before it is checked. The count is exact across processes and restarts.
 *
 * @throws {AppError} `rate_limited` when the network has used up its attempts.
 */
export async function countAttempt(
  record: Pick<PeopleRecord, "atomically">,
  target: AttemptLimits,
  { address, now }: { address: string } & Moment,
): Promise<void> {
  const network = networkOf(address);
  await record.atomically(async ({ signInAttempts }) => {
    const since = new Date(now.getTime() - ATTEMPT_WINDOW_MILLISECONDS);
    const ofNetwork = await signInAttempts.ofNetwork(network, since);
    const own = ofNetwork.filter(({ subject }) => subject === target.subject);
    const { subject, busyAbove } = target;
    const all = await signInAttempts.countOf(subject, since, busyAbove + 1);
    const limit = all > busyAbove ? target.perNetworkWhenBusy : target.perNetwork;
    const blocking = own.length >= limit ? own : ofNetwork.length >= PER_NETWORK ? ofNetwork : null;
    if (blocking !== null) throw tooMany(blocking[0], now);
    const id = newId(now);
    await signInAttempts.insert({ id, at: now.toISOString(), subject, network });
  });
}

/**
 * Deletes a network's attempts on a target, after one that succeeded. Call within a transaction.
 */
export async function forgetAttempts(
  { signInAttempts }: Pick<PeopleStores, "signInAttempts">,
  { subject }: AttemptLimits,
  address: string,
): Promise<void> {
  await signInAttempts.forget(subject, networkOf(address));
}

function longCode(subject: string): AttemptLimits {
  return {
    subject,
    perNetwork: 10,
    busyAbove: Number.MAX_SAFE_INTEGER - 1,
    perNetworkWhenBusy: 10,
  };
}

/** Hashed, because people type passwords into the wrong field. */
function subjectOf(kind: string, name: string): string {
  return hash("sha256", `${kind}\n${name}`, "base64url");
}

function tooMany(oldest: SignInAttempt | undefined, now: Date): AppError {
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
