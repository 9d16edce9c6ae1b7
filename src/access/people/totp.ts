import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/** Time-based one-time passwords (RFC 6238), with the parameters that every authenticator app supports. */
const STEP_SECONDS = 30;
const CODE_DIGITS = 6;
/** Number of time steps accepted before and after the current one, for clock differences and slow typing. */
const STEPS_AROUND = 1;
/** The length of a SHA-1 output, as RFC 4226 recommends. */
const SECRET_BYTES = 20;
const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** A new secret in base32 (RFC 4648), without padding. */
export function generateTotpSecret(): string {
  let bits = "";
  for (const byte of randomBytes(SECRET_BYTES)) bits += byte.toString(2).padStart(8, "0");
  const groups = bits.match(/.{5}/g) ?? [];
  return groups.map((group) => BASE32[Number.parseInt(group, 2)]).join("");
}

/** The `otpauth` URI that authenticator apps read from a QR code. */
export function totpUri(secret: string, { site, email }: { site: string; email: string }): string {
  const issuer = encodeURIComponent(site);
  return `otpauth://totp/${issuer}:${encodeURIComponent(email)}?secret=${secret}&issuer=${issuer}`;
}

/**
 * Returns the time step for which the code is right. Returns null if the code is wrong, or if its
 * step is not after `lastStep`, the step of the code accepted last.
 */
export function verifyTotpCode(
  secret: string,
  code: string,
  { now, lastStep }: { now: Date; lastStep: number },
): number | null {
  const currentStep = Math.floor(now.getTime() / 1000 / STEP_SECONDS);
  let found: number | null = null;
  // Compares all steps, so that the duration does not reveal which one matches.
  for (let step = currentStep - STEPS_AROUND; step <= currentStep + STEPS_AROUND; step += 1) {
    if (isSame(code, generateTotpCode(secret, step)) && step > lastStep) found = step;
  }
  return found;
}

/** The six-digit code for a time step; steps of 30 seconds are counted from 1970. */
export function generateTotpCode(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const tag = createHmac("sha1", bytesOf(secret)).update(counter).digest();
  const offset = tag.readUInt8(tag.length - 1) & 0xf;
  const truncated = tag.readUInt32BE(offset) & 0x7fffffff;
  return String(truncated % 10 ** CODE_DIGITS).padStart(CODE_DIGITS, "0");
}

function bytesOf(base32: string): Buffer {
  const bits = [...base32].map((digit) => BASE32.indexOf(digit).toString(2).padStart(5, "0"));
  const bytes = bits.join("").match(/.{8}/g) ?? [];
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)));
}

function isSame(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}
