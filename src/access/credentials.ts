/** A key of ours wherever it stands in a text: prefix, 32 random characters, 6 of checksum. */
export const KEY_PATTERN = /cpl_[0-9A-Za-z]{38}/;

const EVERY_KEY = new RegExp(KEY_PATTERN, "g");
const EVERY_BEARER = /\b(bearer|basic)\s+[^\s"',;\\]+/gi;
const EVERY_PARAMETER =
  /([?&;](?:api[-_]?key|access[-_]?token|token|key|secret|password|authorization)=)[^&#;\s"\\]*/gi;

/** The text with every key, Authorization value and secret-looking query parameter blotted out. */
export function redactCredentials(text: string): string {
  return text
    .replace(EVERY_KEY, "cpl_[redacted]")
    .replace(EVERY_BEARER, "$1 [redacted]")
    .replace(EVERY_PARAMETER, "$1[redacted]");
}

const SECRET_PARAMETERS: ReadonlySet<string> = new Set([
  "apikey",
  "accesstoken",
  "token",
  "key",
  "secret",
  "password",
  "authorization",
]);

/**
 * Does a request target carry a credential? Judged on the raw target and on its decoded form, since
 * `%63pl_…` is a key as well.
 */
export function carriesCredential(target: string): boolean {
  if (KEY_PATTERN.test(target) || KEY_PATTERN.test(decoded(target))) return true;
  const query = target.indexOf("?");
  if (query === -1) return false;
  return [...new URLSearchParams(target.slice(query + 1)).keys()].some((name) =>
    SECRET_PARAMETERS.has(name.toLowerCase().replaceAll(/[-_]/g, "")),
  );
}

function decoded(target: string): string {
  return target.replaceAll(/%([0-7][0-9a-f])/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}
