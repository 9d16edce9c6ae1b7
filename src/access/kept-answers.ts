import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
} from "node:crypto";
import { AppError } from "../errors.ts";

const KEPT_HOURS = 24;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const PRINTABLE = /^[\x20-\x7e]{1,255}$/;

/** An answer given to a request that may be repeated, as it is stored: nothing in it can be read. */
export interface KeptAnswer {
  /** Tells the requests of one key and one `Idempotency-Key` from all others. */
  name: string;
  /** Tells this request from others under the same name. */
  fingerprint: string;
  sealed: string;
  /** ISO 8601, UTC. */
  keptAt: string;
}

export interface KeptAnswers {
  find(name: string): Promise<KeptAnswer | null>;
  /** Call in the transaction of the effect, so that both are there or neither. */
  keep(answer: KeptAnswer): Promise<void>;
  /** Lets go of what was kept before that time; costs no write when there is nothing. */
  forget(before: Date): Promise<void>;
}

/** A request that its sender may repeat without a second effect. */
export interface RepeatableRequest {
  keyId: string;
  /** The access key itself, as it was sent. */
  key: string;
  /** The value of the `Idempotency-Key` header. */
  idempotencyKey: string;
  /** Everything that makes it this request: method, address, body. */
  content: string;
}

/** What opens and makes the kept answer of one request. */
export interface Seal {
  name: string;
  /** Null: it was kept for another request. */
  open(kept: KeptAnswer): string | null;
  close(answer: string, now: Date): KeptAnswer;
}

/**
 * Answers are encrypted under a key made of the caller's access key and the `Idempotency-Key`, which
 * are both not stored: a replay can show a secret once more to whoever was to see it, and to nobody
 * who reads the store.
 *
 * @throws {AppError} `invalid` for an `Idempotency-Key` that cannot be one.
 */
export function sealFor({ keyId, key, idempotencyKey, content }: RepeatableRequest): Seal {
  if (!PRINTABLE.test(idempotencyKey)) {
    throw new AppError(
      "invalid",
      "The Idempotency-Key must be 1 to 255 printable ASCII characters; a new UUID serves well",
    );
  }
  const name = createHash("sha256").update(`${keyId}\n${idempotencyKey}`).digest("base64url");
  const secrets = Buffer.from(hkdfSync("sha256", key, name, "commonplace kept answer", 64));
  const cipherKey = secrets.subarray(0, 32);
  const fingerprint = createHmac("sha256", secrets.subarray(32))
    .update(content)
    .digest("base64url");
  return {
    name,
    open: (kept) => (kept.fingerprint === fingerprint ? decrypted(kept.sealed, cipherKey) : null),
    close: (answer, now) => ({
      name,
      fingerprint,
      sealed: encrypted(answer, cipherKey),
      keptAt: now.toISOString(),
    }),
  };
}

/** For the clock. */
export async function forgetOldAnswers(answers: KeptAnswers, now: Date): Promise<void> {
  await answers.forget(new Date(now.getTime() - KEPT_HOURS * 60 * 60 * 1000));
}

/** AES-256-GCM: nonce, ciphertext and tag in one. */
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
