import { createHmac, timingSafeEqual } from "node:crypto";

/** Minimum time to fill in a form. Only bots are faster. */
const AGE_SECONDS_MIN = 3;
/** Maximum age of a form. The limit is long, because a form can stay in a cache or an open tab. */
const AGE_SECONDS_MAX = 24 * 60 * 60;
const TOKEN_PATTERN = /^([0-9a-z]{1,9})\.([\w-]{22})$/;

/** The time a form was opened, signed so that bots cannot forge it. */
export function signFormTime(secret: string, now: Date): string {
  const seconds = Math.floor(now.getTime() / 1000).toString(36);
  return `${seconds}.${signatureOf(secret, seconds)}`;
}

/** Why the time of a form is invalid, as a key of the text catalogue; null: it is valid. */
export function findFormTimeError(
  secret: string,
  token: string,
  now: Date,
): "formTampered" | "formOld" | "formTooFast" | null {
  const [, seconds = "", signature = ""] = TOKEN_PATTERN.exec(token) ?? [];
  if (signature === "" || !isSame(signature, signatureOf(secret, seconds))) {
    return "formTampered";
  }
  const age = now.getTime() / 1000 - Number.parseInt(seconds, 36);
  if (age > AGE_SECONDS_MAX) return "formOld";
  return age < AGE_SECONDS_MIN ? "formTooFast" : null;
}

/**
 * Whether a form that is shown again can keep its signed time. If so, the visitor need not wait
 * again before sending the form.
 */
export function canReuseFormTime(secret: string, token: string, now: Date): boolean {
  const resubmittedAt = new Date(now.getTime() + AGE_SECONDS_MIN * 1000);
  return findFormTimeError(secret, token, resubmittedAt) === null;
}

function signatureOf(secret: string, seconds: string): string {
  return createHmac("sha256", secret).update(seconds).digest("base64url").slice(0, 22);
}

function isSame(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(one), Buffer.from(other));
}
