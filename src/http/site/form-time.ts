import { createHmac, timingSafeEqual } from "node:crypto";

/** Below the time a person needs for any form. */
const SECONDS_MIN = 3;
/** Pages stay in caches and open tabs for up to that long. */
const SECONDS_MAX = 24 * 60 * 60;
const TOKEN = /^([0-9a-z]{1,9})\.([\w-]{22})$/;

/** The time a form was opened, signed, so that bots cannot forge it. */
export function signTime(secret: string, now: Date): string {
  const seconds = Math.floor(now.getTime() / 1000).toString(36);
  return `${seconds}.${signatureOf(secret, seconds)}`;
}

/** The message for a form with an invalid time; null: it is valid. */
export function timeFault(secret: string, token: string, now: Date): string | null {
  const [, seconds = "", signature = ""] = TOKEN.exec(token) ?? [];
  if (signature === "" || !isSame(signature, signatureOf(secret, seconds))) {
    return "The form did not come from this page as it is now: look it over and send it again";
  }
  const age = now.getTime() / 1000 - Number.parseInt(seconds, 36);
  if (age > SECONDS_MAX) {
    return "This form was opened more than a day ago: look it over and send it again";
  }
  if (age < SECONDS_MIN) {
    return "That was faster than a person fills in a form: look it over and send it again";
  }
  return null;
}

/** Whether a form shown again can keep its time, which saves the visitor another wait. */
export function canReuseTime(secret: string, token: string, now: Date): boolean {
  const later = new Date(now.getTime() + SECONDS_MIN * 1000);
  return timeFault(secret, token, later) === null;
}

function signatureOf(secret: string, seconds: string): string {
  return createHmac("sha256", secret).update(seconds).digest("base64url").slice(0, 22);
}

function isSame(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(one), Buffer.from(other));
}
