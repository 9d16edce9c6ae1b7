import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
} from "node:crypto";
import { AppError, englishOnlyWording } from "../errors.ts";

const RETENTION_HOURS = 24;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const IDEMPOTENCY_KEY = /^[\x20-\x7e]{1,255}$/;

/**
 * The encrypted response to a request with an `Idempotency-Key`; `sealed` is the ciphertext. A sign-in through
 * the external sign-in provider is stored in the same way, but with an empty `sealed`, so that the sign-in
 * cannot be repeated.
 */
export interface IdempotentResponse {
  /** Identifies the pair of access key and `Idempotency-Key`, or the sign-in. */
  name: string;
  /** Identifies the content of the request, so that reuse of the name for another request is detected. */
  fingerprint: string;
  sealed: string;
  /** ISO 8601, UTC. */
  storedAt: string;
}

export interface IdempotentResponseStore {
  find(name: string): Promise<IdempotentResponse | null>;
  /** Call in the transaction of the request's change, so that change and response are committed together. */
  store(response: IdempotentResponse): Promise<void>;
  /** Deletes responses stored earlier than `before`. Writes nothing if there are no such responses. */
  deleteBefore(before: Date): Promise<void>;
}

/** A request with an `Idempotency-Key`. */
export interface RequestWithIdempotencyKey {
  keyId: string;
  /** The access key in plain text, as sent. */
  key: string;
  /** The value of the `Idempotency-Key` header. */
  idempotencyKey: string;
  /** Method, target and body. */
  content: string;
}

/** Encrypts and decrypts the stored response of one request. */
export interface ResponseCipher {
  name: string;
  /** Decrypts the response. Returns null if it was stored for another request. */
  decrypt(response: IdempotentResponse): string | null;
  encrypt(response: string, now: Date): IdempotentResponse;
}

/**
 * Returns the cipher for the stored response to a request. The cipher's key is derived from the caller's
 * access key and the `Idempotency-Key`, which are not stored. Only the original caller can have the response
 * decrypted, so the response is allowed to contain secrets.
 *
 * @throws {AppError} `invalid` for a malformed `Idempotency-Key`.
 */
export function responseCipherFor({
  keyId,
  key,
  idempotencyKey,
  content,
}: RequestWithIdempotencyKey): ResponseCipher {
  if (!IDEMPOTENCY_KEY.test(idempotencyKey)) {
    throw new AppError(
      "invalid",
      englishOnlyWording(
        "The Idempotency-Key must be 1 to 255 printable ASCII characters; a new UUID serves well",
      ),
    );
  }
  const name = createHash("sha256").update(`${keyId}\n${idempotencyKey}`).digest("base64url");
  const derivedKeys = Buffer.from(hkdfSync("sha256", key, name, "commonplace kept answer", 64));
  const cipherKey = derivedKeys.subarray(0, 32);
  const fingerprint = createHmac("sha256", derivedKeys.subarray(32))
    .update(content)
    .digest("base64url");
  return {
    name,
    decrypt: (response) =>
      response.fingerprint === fingerprint ? decrypted(response.sealed, cipherKey) : null,
    encrypt: (response, now) => ({
      name,
      fingerprint,
      sealed: encrypted(response, cipherKey),
      storedAt: now.toISOString(),
    }),
  };
}

/** Clock task: deletes responses past their retention period. */
export async function purgeOldResponses(
  responses: IdempotentResponseStore,
  now: Date,
): Promise<void> {
  await responses.deleteBefore(new Date(now.getTime() - RETENTION_HOURS * 60 * 60 * 1000));
}

/** AES-256-GCM; returns nonce, ciphertext and tag in one string. */
function encrypted(text: string, key: Uint8Array): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key, nonce, { authTagLength: TAG_BYTES });
  const parts = [nonce, cipher.update(text), cipher.final(), cipher.getAuthTag()];
  return Buffer.concat(parts).toString("base64url");
}

function decrypted(sealed: string, key: Uint8Array): string {
  const bytes = Buffer.from(sealed, "base64url");
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
  return Buffer.concat([text, decipher.final()]).toString();
}
