/** The value of `WWW-Authenticate` for a request without a key that opens this realm (RFC 6750). */
export function bearerChallenge(realm: string, detail: Readonly<Record<string, string>>): string {
  const parameters = Object.entries({ realm, ...detail }).map(
    ([name, value]) => `${name}="${value.replaceAll(/[^\x20-\x7e]|["\\]/g, "'")}"`,
  );
  return `Bearer ${parameters.join(", ")}`;
}

/** What to do without a key, in a sentence. */
export function howToGetKey(origin: string): string {
  return `Send the header "Authorization: Bearer <key>"; ask for a key at ${origin}/contact`;
}
