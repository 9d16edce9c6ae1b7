import { isIP } from "node:net";
import { anyNetworkContains } from "../access/keys/networks.ts";
import type { Wording } from "../errors.ts";

const URL_CHARACTERS_MAX = 2000;
const HTTPS_PORT = 443;
/**
 * Ports below this belong to mail, remote shells and similar services. All of these ports except the
 * HTTPS port are refused.
 */
const FREE_PORT_MIN = 1024;

/** Special-purpose networks of the IANA registries. None of them has public sites. */
const PRIVATE_IPV4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
];

/** NAT64 prefix: private IPv4 addresses embedded in it are private as well. */
const NAT64 = "64:ff9b::";

const PUBLIC_RANGES = ["0.0.0.0/0", "2000::/3", `${NAT64}/96`];
const PRIVATE_RANGES = [
  ...PRIVATE_IPV4,
  ...PRIVATE_IPV4.map((network) => {
    const [address, bits] = network.split("/");
    return `${NAT64}${address}/${96 + Number(bits)}`;
  }),
  "2001::/23",
  "2001:db8::/32",
  "2002::/16",
  "3fff::/20",
];

/** Whether an IP address is on the public Internet. Recognises IPv4 addresses embedded in IPv6. */
export function isPublicIpAddress(address: string): boolean {
  return anyNetworkContains(PUBLIC_RANGES, address) && !anyNetworkContains(PRIVATE_RANGES, address);
}

/** The IP address in a URL, in any notation; null if the host is a name. */
function literalAddress(url: URL): string | null {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  return isIP(host) === 0 ? null : host;
}

/**
 * Why a webhook may not use a URL; null if it may. Does not resolve the host: `post` checks the
 * resolved addresses.
 */
export function findWebhookUrlError(text: string, privateNetworks: boolean): Wording | null {
  if (text.length > URL_CHARACTERS_MAX) {
    return {
      en: `is longer than ${URL_CHARACTERS_MAX} characters`,
      de: `ist länger als ${URL_CHARACTERS_MAX} Zeichen`,
    };
  }
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    return {
      en: "is not an absolute address, such as https://example.org/hook",
      de: "ist nicht vollständig; schreiben Sie zum Beispiel https://example.org/hook",
    };
  }
  if (url.username !== "" || url.password !== "") {
    return {
      en: "must have no name and password: deliveries are signed instead",
      de: "darf weder Namen noch Passwort enthalten: Zustellungen werden unterschrieben",
    };
  }
  if (url.port === "0") {
    return { en: "must not lead to port 0", de: "darf nicht zu Port 0 führen" };
  }
  return privateNetworks ? null : publicFault(url);
}

function publicFault(url: URL): Wording | null {
  if (url.protocol !== "https:") {
    return { en: "must start with https://", de: "muss mit https:// beginnen" };
  }
  const port = Number(url.port || HTTPS_PORT);
  if (port !== HTTPS_PORT && port < FREE_PORT_MIN) {
    return {
      en: `must use port ${HTTPS_PORT}, or one from ${FREE_PORT_MIN} up`,
      de: `muss Port ${HTTPS_PORT} verwenden oder einen ab ${FREE_PORT_MIN}`,
    };
  }
  const address = literalAddress(url);
  const isLocal = /(^|\.)localhost\.?$/.test(url.hostname);
  if (isLocal || (address !== null && !isPublicIpAddress(address))) {
    return {
      en: "leads into a private network, which this server does not allow",
      de: "führt in ein privates Netz, was dieser Server nicht erlaubt",
    };
  }
  return null;
}
