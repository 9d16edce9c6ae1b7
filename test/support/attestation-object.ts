import { createHash, createPrivateKey, createSign, type KeyObject } from "node:crypto";

interface Attested {
  /** Authenticator data that includes the credential. */
  data: Buffer;
  clientData: Buffer;
  id: Buffer;
  publicKey: KeyObject;
  privateKey: KeyObject;
}

/** A self-signed P-256 certificate, valid until 2126, and its key. */
const CERTIFICATE = Buffer.from(
  "MIIBbjCCARWgAwIBAgIUPLQOleSgYHW3w5lVDNCAAgvWXRkwCgYIKoZIzj0EAwIwDDEKMAgGA1UEAwwBeDAgFw0yNjExMjMyMzEzMjlaGA8yMTI2MTAzMDIzMTMyOVowDDEKMAgGA1UEAwwBeDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABFxaEtaS0THfkZTNAW8q3IoofpnQ1A2KsHHsuYyEcD123Qi74QPwRY4CRX5nBKXDaQrOUJoptrQAg2tXZqjqT3OjUzBRMB0GA1UdDgQWBBTYgXSLwQpSIXVNSZUxC3JXLUgv2zAfBgNVHSMEGDAWgBTYgXSLwQpSIXVNSZUxC3JXLUgv2zAPBgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0cAMEQCIEGsHiUfeEDrWgUc9ONiI/hdAZjQxkQk6bQ5Fa1tclM4AiB2T7hAWVjxr176ahl5JgyRhpiNSFiwoEKgRDb80JykFQ==",
  "base64",
);
const CERTIFICATE_KEY = createPrivateKey({
  key: Buffer.from(
    "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgKiwPfJ2I5HnuiPCeIby1o4jfkKY8Nx4piUmwR2cjo+OhRANCAARcWhLWktEx35GUzQFvKtyKKH6Z0NQNirBx7LmMhHA9dt0Iu+ED8EWOAkV+ZwSlw2kKzlCaKba0AINrV2ao6k9z",
    "base64",
  ),
  format: "der",
  type: "pkcs8",
});

/**
 * CBOR of an attestation object without a statement, or with one signed by the passkey or by a certificate.
 */
export function attestationObject(
  format: "none" | "packed" | "fido-u2f",
  attested: Attested,
): Buffer {
  const parts = [Buffer.from([0xa3]), text("fmt"), text(format), text("attStmt")];
  return Buffer.concat([
    ...[...parts, statement(format, attested), text("authData"), bytes(attested.data)],
  ]);
}

function statement(format: string, { data, clientData, id, publicKey, privateKey }: Attested) {
  const hash = createHash("sha256").update(clientData).digest();
  if (format === "none") return Buffer.from([0xa0]);
  if (format === "packed") {
    const signature = createSign("sha256").update(data).update(hash).sign(privateKey);
    const algorithm = [text("alg"), Buffer.from([0x26])];
    return Buffer.concat([Buffer.from([0xa2]), ...algorithm, text("sig"), bytes(signature)]);
  }
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const point = [Buffer.from([4]), Buffer.from(x, "base64url"), Buffer.from(y, "base64url")];
  const signed = Buffer.concat([Buffer.from([0]), data.subarray(0, 32), hash, id, ...point]);
  const signature = createSign("sha256").update(signed).sign(CERTIFICATE_KEY);
  const certificates = [text("x5c"), Buffer.from([0x81]), bytes(CERTIFICATE)];
  return Buffer.concat([Buffer.from([0xa2]), ...certificates, text("sig"), bytes(signature)]);
}

function text(value: string): Buffer {
  return Buffer.concat([Buffer.from([0x60 | value.length]), Buffer.from(value)]);
}

function bytes(value: Buffer): Buffer {
  return Buffer.concat([Buffer.from([0x59, value.length >> 8, value.length & 0xff]), value]);
}
