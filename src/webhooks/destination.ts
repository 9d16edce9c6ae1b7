import { isIP } from "node:net";
import { contains } from "../access/keys/networks.ts";

const URL_CHARACTERS_MAX = 2000;
const HTTPS_PORT = 443;
/** Excludes the ports of mail, remote shells and similar services. */
const FREE_PORT_MIN = 1024;

/** Special-purpose networks of the IANA registries, none of them a public site. */
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

const PUBLIC = ["0.0.0.0/0", "2000::/3", `${NAT64}/96`];
const NOT_PUBLIC = [
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

/** Whether a public webhook may lead to an IP address. Recognises IPv4 embedded in IPv6. */
export function isPublicAddress(address: string): boolean {
  return contains(PUBLIC, address) && !contains(NOT_PUBLIC, address);
}

/** The IP address in a URL, in any notation; null if the host is a name. */
function literalAddress(url: URL): string | null {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  return isIP(host) === 0 ? null : host;
}

/** Why a webhook may not use an address; null if nothing is wrong before DNS resolution. */
export function destinationFault(text: string, privateNetworks: boolean): string | null {
  if (text.length > URL_CHARACTERS_MAX) return `is longer than ${URL_CHARACTERS_MAX} characters`;
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    return "is not an absolute address, as https://example.org/hook";
  }
  if (url.username !== "" || url.password !== "") {
    return "must have no name and password: deliveries are signed instead";
  }
  if (url.port === "0") return "must not lead to port 0";
  return privateNetworks ? null : publicFault(url);
}

function publicFault(url: URL): string | null {
  if (url.protocol !== "https:") return "must start with https://";
  const port = Number(url.port || HTTPS_PORT);
  if (port !== HTTPS_PORT && port < FREE_PORT_MIN) {
    return `must use port ${HTTPS_PORT}, or one from ${FREE_PORT_MIN} up`;
  }
  const address = literalAddress(url);
  const isLocal = /(^|\.)localhost\.?$/.test(url.hostname);
  if (isLocal || (address !== null && !isPublicAddress(address))) {
    return "leads into a private network, which this server does not allow";
  }
  return null;
}
