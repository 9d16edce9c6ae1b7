import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from "@simplewebauthn/server";
import { decodeAttestationObject, isoBase64URL } from "@simplewebauthn/server/helpers";
import { z } from "zod";
import type { PasskeyVerifier } from "../access/people/passkeys/verifier.ts";

/**
 * The COSE numbers of EdDSA, ES256 and RS256, the algorithms of common devices. The library's
 * default list also has algorithms that are experimental in Node.
 */
const COSE_ALGORITHMS = [-8, -7, -257];
const CHARACTERS_MAX = 8192;
const base64url = z.base64url().min(1).max(CHARACTERS_MAX);
const credential = z.object({
  id: base64url,
  rawId: base64url,
  type: z.literal("public-key"),
  clientExtensionResults: z.object({}).prefault({}),
});
const creationSchema = credential.extend({
  response: z.object({ clientDataJSON: base64url, attestationObject: base64url }),
});
const requestSchema = credential.extend({
  response: z.object({
    clientDataJSON: base64url,
    authenticatorData: base64url,
    signature: base64url,
    userHandle: base64url,
  }),
});

/**
 * Verifies passkeys with `@simplewebauthn/server`: discoverable credentials with user verification.
 * Attestation is not requested, so any authenticator may be used, and certificates are refused.
 */
export function createPasskeyVerifier(origin: string): PasskeyVerifier {
  const rpID = new URL(origin).hostname;
  const expected = { expectedOrigin: origin, expectedRPID: rpID, requireUserVerification: true };
  return {
    host: rpID,
    async creationOptions({ challenge, siteName, admin, credentialIds }) {
      return await generateRegistrationOptions({
        rpName: siteName,
        rpID,
        userName: admin.email,
        userDisplayName: admin.name,
        userID: new Uint8Array(Buffer.from(admin.id)),
        challenge: new Uint8Array(Buffer.from(challenge, "base64url")),
        excludeCredentials: credentialIds.map((id) => ({ id })),
        authenticatorSelection: { residentKey: "required", userVerification: "required" },
        attestationType: "none",
        supportedAlgorithmIDs: COSE_ALGORITHMS,
      });
    },
    async requestOptions(challenge) {
      return await generateAuthenticationOptions({
        rpID,
        challenge: new Uint8Array(Buffer.from(challenge, "base64url")),
        userVerification: "required",
      });
    },
    async verifyCreation(sent, expectedChallenge) {
      const response = parsed(creationSchema, sent);
      if (response === null || hasCertificates(response.response.attestationObject)) return null;
      const options = {
        ...{ ...expected, response, expectedChallenge },
        supportedAlgorithmIDs: COSE_ALGORITHMS,
      };
      const registration = await verified(verifyRegistrationResponse(options));
      if (registration?.registrationInfo === undefined) return null;
      const { credential, credentialBackedUp: isBackedUp } = registration.registrationInfo;
      return {
        credentialId: credential.id,
        publicKey: Buffer.from(credential.publicKey).toString("base64url"),
        counter: credential.counter,
        isBackedUp,
      };
    },
    async readClaim(sent) {
      const response = parsed(requestSchema, sent);
      if (response === null) return null;
      const adminId = Buffer.from(response.response.userHandle, "base64url").toString();
      return { credentialId: response.id, adminId };
    },
    async verifyRequest(sent, expectedChallenge, { credentialId, publicKey, counter }) {
      const response = parsed(requestSchema, sent);
      if (response === null) return null;
      const key = new Uint8Array(Buffer.from(publicKey, "base64url"));
      const credential = { id: credentialId, publicKey: key, counter };
      const options = { ...expected, response, expectedChallenge, credential };
      const proof = await verified(verifyAuthenticationResponse(options));
      if (proof === null) return null;
      const { newCounter, credentialBackedUp } = proof.authenticationInfo;
      return { counter: newCounter, isBackedUp: credentialBackedUp };
    },
  };
}

/**
 * Whether a response contains certificates. Browsers remove them unless attestation is requested.
 * The library must not see certificates: to check revocation, it would send requests to addresses
 * that the client chose.
 */
function hasCertificates(attestationObject: string): boolean {
  try {
    const attestation = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject));
    const format = attestation.get("fmt");
    const isSigned = format === "packed" && attestation.get("attStmt").get("x5c") === undefined;
    return format !== "none" && !isSigned;
  } catch {
    return true;
  }
}

/** Returns the library's result; null if the library throws or rejects the response. */
async function verified<Result extends { verified: boolean }>(
  verification: Promise<Result>,
): Promise<Result | null> {
  try {
    const result = await verification;
    return result.verified ? result : null;
  } catch {
    return null;
  }
}

function parsed<Schema extends z.ZodType>(schema: Schema, sent: string): z.output<Schema> | null {
  try {
    return schema.safeParse(JSON.parse(sent)).data ?? null;
  } catch {
    return null;
  }
}
