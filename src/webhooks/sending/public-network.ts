import type { LookupAddress } from "node:dns";
import type { LookupFunction } from "node:net";
import type { Wording } from "../../errors.ts";
import {
  CERTIFICATE_NOT_TRUSTED,
  CONNECTION_FAILED,
  CONNECTION_REFUSED,
  CONNECTION_RESET,
  DNS_LOOKUP_FAILED,
  HOST_NOT_FOUND,
  HOST_UNREACHABLE,
  NOT_AN_HTTP_RESPONSE,
  PRIVATE_NETWORK_ERROR,
  TLS_FAILED,
} from "../connection-errors.ts";
import { isPublicIpAddress } from "../destination.ts";

export type DnsLookup = (
  hostname: string,
  options: { all: true },
  done: (error: Error | null, addresses: LookupAddress[]) => void,
) => void;

/** No response arrived; the message says why and is safe to show. */
export class PostError extends Error {}

/** Returns a DNS look-up that fails if any resolved address is private. */
export function createPublicDnsLookup(lookup: DnsLookup): LookupFunction {
  return (hostname, options, done) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return done(error, []);
      if (!addresses.every(({ address }) => isPublicIpAddress(address))) {
        return done(new PostError(PRIVATE_NETWORK_ERROR.en), []);
      }
      const [first] = addresses;
      if (options.all === true || first === undefined) done(null, addresses);
      else done(null, first.address, first.family);
    });
  };
}

const FAULTS_BY_CODE: Readonly<Record<string, Wording>> = {
  ENOTFOUND: HOST_NOT_FOUND,
  EAI_AGAIN: DNS_LOOKUP_FAILED,
  ECONNREFUSED: CONNECTION_REFUSED,
  ECONNRESET: CONNECTION_RESET,
  EPIPE: CONNECTION_RESET,
  ETIMEDOUT: HOST_UNREACHABLE,
  EHOSTUNREACH: HOST_UNREACHABLE,
  ENETUNREACH: HOST_UNREACHABLE,
};

/** Why no response arrived, in words that are safe to show. */
export function describePostError(error: unknown): string {
  if (error instanceof PostError) return error.message;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code.startsWith("HPE_")) return NOT_AN_HTTP_RESPONSE.en;
  if (/CERT|SIGNATURE|ISSUER/.test(code)) return CERTIFICATE_NOT_TRUSTED.en;
  if (/SSL|TLS|EPROTO/.test(code)) return TLS_FAILED.en;
  return (FAULTS_BY_CODE[code] ?? CONNECTION_FAILED).en;
}
