import { hash } from "node:crypto";
import { AppError, englishOnlyWording } from "../../errors.ts";
import { HttpError } from "./api-problem.ts";

const TAG_CHARACTERS = 22;
const ETAG_PATTERN = /^(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"$/;

/** The ETag of a state: a revision number is used as it is, anything else is hashed as JSON. */
export function entityTag(state: unknown): string {
  if (typeof state === "number") return `"${state}"`;
  const digest = hash("sha256", JSON.stringify(state) ?? "", "base64url");
  return `"${digest.slice(0, TAG_CHARACTERS)}"`;
}

/**
 * Checks `If-Match` (RFC 9110, section 13.1.1): strong comparison with each listed validator; `*`
 * matches any state.
 *
 * @throws {HttpError} 428 without the header. @throws {AppError} `precondition` when no validator
 * matches, `invalid` when the header is not a list of ETags.
 */
export function requireMatchingEntityTag(ifMatch: string | undefined, state: unknown): void {
  if (ifMatch === undefined || ifMatch.trim() === "") {
    throw new HttpError(
      428,
      "This changes what exists: send If-Match with the ETag that a GET of it gave you",
    );
  }
  if (ifMatch.trim() === "*") return;
  const listed = ifMatch.split(",").map((tag) => tag.trim());
  if (!listed.every((tag) => ETAG_PATTERN.test(tag))) {
    throw new AppError(
      "invalid",
      englishOnlyWording('If-Match must be ETags in double quotes, as "7", or *'),
    );
  }
  const current = entityTag(state);
  if (listed.includes(current)) return;
  throw new AppError(
    "precondition",
    englishOnlyWording(
      `It has changed since you read it, and nothing was written: its ETag is ${current} now. Read it again, put your change into what you find, and send that ETag`,
    ),
  );
}
