import { AppError } from "../errors.ts";

const HAS_SCHEME = /^[a-z][a-z\d+.-]*:/i;
/** `example.org:8443` has a port, although it looks like a scheme. */
const HAS_PORT = /^[^:/?#]+:\d+(?:[/?#]|$)/;

/**
 * Returns the address of a live site as an absolute URL without a fragment. An address without a scheme gets
 * `https:`.
 *
 * @throws {AppError} `invalid` if it is not a web address, or contains a user name or password.
 */
export function parseSiteUrl(text: string): string {
  const address = text.trim();
  const isWhole = HAS_SCHEME.test(address) && !HAS_PORT.test(address);
  const url = URL.parse(isWhole ? address : `https://${address}`);
  const isOfWeb = url !== null && /^https?:$/.test(url.protocol);
  if (!isOfWeb || !(isWhole || url.hostname.includes("."))) {
    throw new AppError("invalid", {
      en: `${address} is not an address: give one such as https://example.org/`,
      de: `${address} ist keine Adresse: Geben Sie eine wie https://example.org/ an`,
    });
  }
  if (url.username !== "" || url.password !== "") {
    throw new AppError("invalid", {
      en: "The address contains a name or password: leave it out, only public pages are copied",
      de: "Die Adresse enthält einen Namen oder ein Passwort: Lassen Sie es weg, denn nur öffentliche Seiten werden kopiert",
    });
  }
  url.hash = "";
  return url.href;
}
