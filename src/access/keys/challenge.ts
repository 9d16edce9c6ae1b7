/** The `WWW-Authenticate` value for a request that lacks a valid key (RFC 6750). */
export function formatBearerChallenge(
  realm: string,
  detail: Readonly<Record<string, string>>,
): string {
  const parameters = Object.entries({ realm, ...detail }).map(
    ([name, value]) => `${name}="${value.replaceAll(/[^\x20-\x7e]|["\\]/g, "'")}"`,
  );
  return `Bearer ${parameters.join(", ")}`;
}

export function keyRequestInstructions(origin: string): string {
  return `Send the header "Authorization: Bearer <key>"; ask for a key at ${origin}/contact`;
}
