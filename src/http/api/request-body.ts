import { SECRET_IN_INPUT_ERROR } from "../../access/credentials.ts";
import { containsKey } from "../../access/keys/key-format.ts";
import { AppError, englishOnlyWording } from "../../errors.ts";
import { readBody } from "../body-reading.ts";
import type { HttpRequest } from "../exchange.ts";
import { HttpError } from "./api-problem.ts";

const BODY_BYTES_MAX = 2 * 1024 * 1024;
const DEPTH_MAX = 100;

const UTF_8 = new TextDecoder("utf-8", { fatal: true });

const JSON_TYPES: readonly string[] = ["application/json"];
/** Media types of PATCH requests. Both mean JSON Merge Patch (RFC 7396). */
const PATCH_TYPES: readonly string[] = ["application/merge-patch+json", "application/json"];

/**
 * Parses the JSON body of a request. Returns undefined if the body is missing or empty.
 *
 * @throws {HttpError} 415.
 * @throws {AppError} `too_large`; `invalid` for JSON that is malformed or that the service does not
 * accept.
 */
export async function readJson(
  request: HttpRequest,
  { mayOmitType }: { mayOmitType: boolean },
): Promise<unknown> {
  if (request.body === null) return undefined;
  const hasType = request.header("content-type") !== undefined;
  const types = request.method === "PATCH" ? PATCH_TYPES : JSON_TYPES;
  if (hasType) requireMediaType(request, types);
  const bytes = await readBody(request.body, BODY_BYTES_MAX);
  if (bytes.length === 0) return undefined;
  if (!hasType && !mayOmitType) requireMediaType(request, types);
  const value = parseJson(decodeUtf8(bytes));
  checkValue(value, "", 0);
  return value;
}

/** Accepted media type of routes that detect the type from the bytes. */
export const ANY_MEDIA_TYPE = "*/*";

/** @throws {HttpError} 415, naming the accepted media types. */
export function requireMediaType(request: HttpRequest, types: readonly string[]): void {
  const contentType = request.header("content-type") ?? "";
  if (
    !types.includes(ANY_MEDIA_TYPE) &&
    !types.includes(contentType) &&
    !isOneOf(contentType, types)
  ) {
    const isText = types.some((each) => each.includes("json"));
    throw new HttpError(
      415,
      `The Content-Type must be ${types.join(" or ")}${isText ? ", in UTF-8" : ""}`,
      request.method === "PATCH"
        ? { "Accept-Patch": types.join(", ") }
        : { Accept: types.join(", ") },
    );
  }
  const encoding = request.header("content-encoding")?.trim().toLowerCase() ?? "identity";
  if (encoding !== "identity") {
    throw new HttpError(415, "Send the body without Content-Encoding", {
      "Accept-Encoding": "identity",
    });
  }
}

/** Compares media types without case or parameters, but refuses charsets other than UTF-8. */
function isOneOf(contentType: string, types: readonly string[]): boolean {
  const [type = "", ...parameters] = contentType.toLowerCase().split(";");
  const charset = parameters.map((each) => each.trim()).find((each) => each.startsWith("charset="));
  const isUtf8 = charset === undefined || /^charset="?utf-?8"?$/.test(charset);
  return types.includes(type.trim()) && isUtf8;
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return UTF_8.decode(bytes);
  } catch {
    throw new AppError("invalid", englishOnlyWording("The body is not UTF-8"));
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const position =
      error instanceof Error ? /at position (\d+)/.exec(error.message)?.[1] : undefined;
    const hint = position === undefined ? "" : `: look at character ${Number(position) + 1}`;
    throw new AppError("invalid", englishOnlyWording(`The body is not well-formed JSON${hint}`));
  }
}

/**
 * Rejects values that are nested too deep, text that {@link requireStorableText} rejects, and the name
 * `__proto__`.
 */
function checkValue(value: unknown, where: string, depth: number): void {
  if (typeof value === "string") requireStorableText(value, where);
  if (typeof value !== "object" || value === null) return;
  if (depth >= DEPTH_MAX) throw unusable(where, `is nested deeper than ${DEPTH_MAX} levels`);
  for (const [name, entry] of Object.entries(value)) {
    const path = where === "" ? name : `${where}.${name}`;
    if (name === "__proto__") throw unusable(path, "is not a name that can be used");
    requireStorableText(name, where);
    checkValue(entry, path, depth + 1);
  }
}

/** @throws {AppError} `invalid` for text with NUL characters, lone surrogates or an access key. */
export function requireStorableText(text: string, where: string): void {
  if (text.includes("\u0000")) throw unusable(where, "holds the character U+0000");
  if (!text.isWellFormed()) throw unusable(where, "holds half a character (a lone surrogate)");
  if (containsKey(text)) throw unusable(where, SECRET_IN_INPUT_ERROR.en);
}

function unusable(where: string, message: string): AppError {
  const shownPath = where.length > 200 ? `${where.slice(0, 200)}…` : where;
  return new AppError(
    "invalid",
    englishOnlyWording(`Something is wrong with the request: ${shownPath}: ${message}`),
    {
      problems: [{ where: shownPath, message: englishOnlyWording(message) }],
    },
  );
}
