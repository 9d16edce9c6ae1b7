import { readFile } from "node:fs/promises";
import { Decrypter, Encrypter } from "age-encryption";
import { AppError, englishOnlyWording } from "../../../errors.ts";
import { systemErrorCode } from "../../../files/durable-files.ts";

const SECRET_KEY = /^AGE-SECRET-KEY-(?:PQ-)?1[0-9A-Z]+$/;

/** Encrypts in the `age` format. `recipients` are public keys, `age1…`. */
export async function encrypt(
  content: AsyncIterable<Uint8Array>,
  recipients: readonly string[],
): Promise<AsyncIterable<Uint8Array>> {
  const encrypter = new Encrypter();
  for (const recipient of recipients) {
    try {
      encrypter.addRecipient(recipient);
    } catch (error) {
      const wording = {
        en: `BACKUP_RECIPIENTS: ${recipient} is not a public key of age, as age-keygen prints it`,
        de: `BACKUP_RECIPIENTS: ${recipient} ist kein öffentlicher Schlüssel von age, wie age-keygen ihn ausgibt`,
      };
      throw new AppError("invalid", wording, { cause: error });
    }
  }
  return await encrypter.encrypt(ReadableStream.from(content));
}

/**
 * Decrypts content in the `age` format. `identityFile` has the private keys, as written by
 * `age-keygen`.
 *
 * @throws {AppError} `invalid` when `identityFile` has no usable key, no key matches, or the
 * content is not in the `age` format. Reading the result throws `unavailable` when bytes are
 * damaged or missing.
 */
export async function decrypt(
  content: AsyncIterable<Uint8Array>,
  { label, identityFile }: { label: string; identityFile: string },
): Promise<AsyncIterable<Uint8Array>> {
  const decrypter = new Decrypter();
  for (const key of await readIdentities(identityFile)) decrypter.addIdentity(key);
  try {
    return decrypted(await decrypter.decrypt(ReadableStream.from(content)), label);
  } catch (error) {
    if (error instanceof AppError) throw error;
    const isForOtherKeys =
      error instanceof Error && error.message.startsWith("no identity matched");
    const message = isForOtherKeys
      ? `Cannot decrypt ${label}: it was encrypted for other keys than those in ${identityFile}`
      : `Cannot decrypt ${label}: it is damaged, not encrypted with age, or armored, which age -d undoes`;
    throw new AppError("invalid", englishOnlyWording(message), { cause: error });
  }
}

async function* decrypted(
  content: AsyncIterable<Uint8Array>,
  label: string,
): AsyncGenerator<Uint8Array> {
  try {
    yield* content;
  } catch (error) {
    if (error instanceof AppError) throw error;
    const message = `Cannot decrypt ${label}: it is damaged or cut off`;
    throw new AppError("unavailable", englishOnlyWording(message), { cause: error });
  }
}

/** Error messages never quote the file, because it may contain private keys. */
async function readIdentities(file: string): Promise<string[]> {
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    const code = systemErrorCode(error);
    if (code === "") throw error;
    const reason = code === "ENOENT" ? "it does not exist" : `the system says ${code}`;
    throw new AppError(
      "invalid",
      englishOnlyWording(`Cannot read the identity file ${file}: ${reason}`),
    );
  });
  const keys = text.split(/\s*\n\s*/).filter((line) => SECRET_KEY.test(line.trim()));
  if (keys.length > 0) return keys.map((key) => key.trim());
  throw new AppError(
    "invalid",
    englishOnlyWording(
      `There is no private key in ${file}: name a file that age-keygen wrote, with a line that begins with AGE-SECRET-KEY-1`,
    ),
  );
}
