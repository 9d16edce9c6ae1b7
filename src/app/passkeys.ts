import type { PasskeyVerifier } from "../access/people/passkeys/verifier.ts";

/** Passkeys for the site's public address. The library is loaded on first use, because it takes 30 MB. */
export function openPasskeyVerifier(origin: string): PasskeyVerifier {
  const open = async () => {
    const { createPasskeyVerifier: webAuthenticationVerifier } = await import(
      "../passkeys/web-authentication.ts"
    );
    return webAuthenticationVerifier(origin);
  };
  return {
    host: new URL(origin).hostname,
    creationOptions: async (input) => await (await open()).creationOptions(input),
    requestOptions: async (challenge) => await (await open()).requestOptions(challenge),
    verifyCreation: async (...input) => await (await open()).verifyCreation(...input),
    readClaim: async (response) => await (await open()).readClaim(response),
    verifyRequest: async (...input) => await (await open()).verifyRequest(...input),
  };
}
