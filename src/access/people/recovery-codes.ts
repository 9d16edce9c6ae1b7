import { randomInt } from "node:crypto";
import { hashSecret } from "../keys/key-format.ts";

const RECOVERY_CODES = 10;
/** Excludes letters and digits that look alike. */
const RECOVERY_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz";
const RECOVERY_CHARACTERS = 24;

/** Creates the codes for signing in without the authenticator app. Each code works once. */
export function generateRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
}

/**
 * Creates a random code of about 119 bits, in six groups. For codes of at least 112 bits, ASVS
 * 6.5.2 allows an ordinary hash function.
 */
function newRecoveryCode(): string {
  const characters = Array.from(
    { length: RECOVERY_CHARACTERS },
    () => RECOVERY_ALPHABET[randomInt(RECOVERY_ALPHABET.length)],
  );
  return characters.join("").replaceAll(/(.{4})(?!$)/g, "$1-");
}

/** The hash of a code as a person types it: capitals, spaces and hyphens make no difference. */
export function hashRecoveryCode(code: string): string {
  return hashSecret(normalizedRecoveryCode(code));
}

function normalizedRecoveryCode(code: string): string {
  return code.toLowerCase().replaceAll(/[\s-]/g, "");
}
