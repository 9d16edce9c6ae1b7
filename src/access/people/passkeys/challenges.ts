import { hash, randomBytes } from "node:crypto";
import { hasExpired } from "../../expiry.ts";
import { hashSecret } from "../../keys/key-format.ts";
import type { PeopleStores } from "../people-stores.ts";

const SECRET_BYTES = 32;
/** Lifetime of a challenge, and of the secret that the browser keeps. */
export const CHALLENGE_SECONDS_MAX = 300;

type Stores = Pick<PeopleStores, "passkeys">;

/** A new challenge, and the secret that binds it to one browser. */
export interface StartedChallenge {
  secret: string;
  challenge: string;
}

/** Stores a challenge under the hash of its secret. Call within a transaction. */
export async function startChallenge(
  { passkeys }: Stores,
  adminId: string | null,
  now: Date,
): Promise<StartedChallenge> {
  const secret = randomBytes(SECRET_BYTES).toString("base64url");
  const expiresAt = new Date(now.getTime() + CHALLENGE_SECONDS_MAX * 1000).toISOString();
  await passkeys.putChallenge({ hash: hashSecret(secret), adminId, expiresAt });
  return { secret, challenge: challengeOf(secret) };
}

/**
 * Returns the challenge issued to a browser, and deletes the challenge. Call in a transaction of its own, so
 * that the challenge is deleted even if the browser's response is invalid.
 *
 * @param adminId the account that adds a passkey; null: the challenge is for a sign-in.
 * @returns the challenge; null if there is none, or if it has expired or is for another account or purpose.
 */
export async function consumeChallenge(
  { passkeys }: Stores,
  { secret, adminId }: { secret: string | null; adminId: string | null },
  now: Date,
): Promise<string | null> {
  if (secret === null) return null;
  const found = await passkeys.takeChallenge(hashSecret(secret));
  if (found === null || found.adminId !== adminId) return null;
  if (hasExpired(found.expiresAt, now, CHALLENGE_SECONDS_MAX * 1000)) return null;
  return challengeOf(secret);
}

/** Derives a challenge from the secret. The challenge does not reveal the secret. */
function challengeOf(secret: string): string {
  return hash("sha256", `passkey challenge\n${secret}`, "base64url");
}
