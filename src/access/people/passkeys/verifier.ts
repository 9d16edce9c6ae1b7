/** A challenge for a browser to create or use a passkey, as JSON for the Web Authentication API. */
export type WebAuthnOptions = object;

/** A new passkey whose response was verified. */
export interface VerifiedPasskey {
  /** Base64url. */
  credentialId: string;
  /** COSE key as base64url. */
  publicKey: string;
  counter: number;
  isBackedUp: boolean;
}

/** An unverified response to a challenge for sign-in. */
export interface UnverifiedPasskeyAssertion {
  credentialId: string;
  /** Id of the account that the passkey was made for. */
  adminId: string;
}

/**
 * Web Authentication for the site's public address. Challenges, credential ids and public keys are
 * base64url.
 */
export interface PasskeyVerifier {
  /** Host of the public address; passkeys are made for this host. */
  host: string;
  creationOptions(input: {
    challenge: string;
    siteName: string;
    admin: { id: string; email: string; name: string };
    /**
     * Existing credentials of the person. A device that has one of these credentials creates no new
     * credential.
     */
    credentialIds: readonly string[];
  }): Promise<WebAuthnOptions>;
  requestOptions(challenge: string): Promise<WebAuthnOptions>;
  /** Returns null if the response is not valid for the challenge and the site's address. */
  verifyCreation(response: string, challenge: string): Promise<VerifiedPasskey | null>;
  /** Reads a response without verifying it; null: the response is malformed. */
  readClaim(response: string): Promise<UnverifiedPasskeyAssertion | null>;
  /** Returns null if the response is not valid for the challenge, the site's address and the passkey. */
  verifyRequest(
    response: string,
    challenge: string,
    passkey: { credentialId: string; publicKey: string; counter: number },
  ): Promise<{ counter: number; isBackedUp: boolean } | null>;
}
