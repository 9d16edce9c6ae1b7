import type { Wording } from "../errors.ts";

/** Matches an access key anywhere in a text: a prefix, 32 random characters and a 6-character checksum. */
export const KEY_PATTERN = /cpl_[0-9A-Za-z]{38}/;

/**
 * Matches the secrets that the service issues: access keys, claim codes, session tokens and webhook signing
 * secrets.
 */
const SECRET_PATTERN =
  /(cplc?_[0-9A-Za-z]{38}|cpls_[0-9A-Za-z_-]{43}|whsec_[0-9A-Za-z+/_-]{16,}={0,2})/;
const EVERY_SECRET = new RegExp(SECRET_PATTERN, "g");
const EVERY_USERINFO = /\b([a-z][a-z0-9+.-]{0,20}:\/\/)[^\s/?#"'\\]+@/gi;
const EVERY_AUTHORIZATION = /\b(bearer|basic)\s+[^\s"',;\\]+/gi;
const SECRET_NAME =
  "(?:(?:x[-_]?)?api[-_]?)?key|(?:access|auth|bearer|id|refresh)?[-_]?token|(?:access|secret)[-_]?key|(?:api|client)?[-_]?secret|passwo?r?d|authorization";
const SECRET_PARAMETER = new RegExp(`[?&;#](?:${SECRET_NAME})=`, "i");
const EVERY_SECRET_PARAMETER = new RegExp(`([?&;#](?:${SECRET_NAME})=)[^&#;\\s"\\\\]*`, "gi");

/** The error message for an input that contains a secret. */
export const SECRET_IN_INPUT_ERROR: Wording = {
  en: "holds a secret: leave that out, and have it replaced",
  de: "enthält einen geheimen Schlüssel: Lassen Sie ihn weg, und lassen Sie ihn ersetzen",
};

/**
 * Redacts the service's own secrets, Authorization values, userinfo in URLs, and query parameters that look
 * secret.
 */
export function redactCredentials(text: string): string {
  return redactIssuedSecrets(text)
    .replace(EVERY_USERINFO, "$1[redacted]@")
    .replace(EVERY_AUTHORIZATION, "$1 [redacted]")
    .replace(EVERY_SECRET_PARAMETER, "$1[redacted]");
}

/** Redacts only the secrets that the service issues. */
export function redactIssuedSecrets(text: string): string {
  return text.replace(
    EVERY_SECRET,
    (secret) => `${secret.slice(0, secret.indexOf("_"))}_[redacted]`,
  );
}

/** Decodes at most this many levels of percent-encoding. Each proxy may have added one level. */
const DECODINGS_MAX = 4;

/**
 * Whether a request target contains a credential. Checks every level of percent-encoding, because `%63pl_…`
 * and `%2563pl_…` are keys too.
 */
export function containsCredential(target: string): boolean {
  let text = target;
  for (let decodings = 0; decodings <= DECODINGS_MAX; decodings += 1) {
    if (SECRET_PATTERN.test(text) || SECRET_PARAMETER.test(text)) return true;
    const decoded = decodeOnce(text);
    if (decoded === text) return false;
    text = decoded;
  }
  return false;
}

function decodeOnce(target: string): string {
  if (!target.includes("%")) return target;
  return target.replaceAll(/%([0-7][0-9a-f])/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}
