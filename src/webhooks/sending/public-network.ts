import type { LookupAddress } from "node:dns";
import type { LookupFunction } from "node:net";
import type { Wording } from "../../errors.ts";
import {
  CERTIFICATE_NOT_TRUSTED,
  CONNECTION_CUT,
  CONNECTION_FAILED,
  DNS_LOOKUP_FAILED,
  HOST_NOT_FOUND,
  HOST_UNREACHABLE,
  NOT_HTTP,
  NOTHING_LISTENS,
  PRIVATE_NETWORK_FAULT,
  TLS_FAILED,
} from "../connection-faults.ts";
import { isPublicAddress } from "../destination.ts";

export type DnsLookup = (
  hostname: string,
  options: { all: true },
  done: (error: Error | null, addresses: LookupAddress[]) => void,
) => void;

/** No response arrived; the message says why and is safe to show. */
export class PostFault extends Error {}

/** Returns a DNS look-up that fails if any resolved address is private. */
export function publicAddressLookup(lookup: DnsLookup): LookupFunction {
  return (hostname, options, done) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return done(error, []);
      if (!addresses.every(({ address }) => isPublicAddress(address))) {
        return done(new PostFault(PRIVATE_NETWORK_FAULT.en), []);
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
  ECONNREFUSED: NOTHING_LISTENS,
  ECONNRESET: CONNECTION_CUT,
  EPIPE: CONNECTION_CUT,
  ETIMEDOUT: HOST_UNREACHABLE,
  EHOSTUNREACH: HOST_UNREACHABLE,
  ENETUNREACH: HOST_UNREACHABLE,
};

/** Why no response arrived, in words that are safe to show. */
export function postFaultMessage(error: unknown): string {
  if (error instanceof PostFault) return error.message;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code.startsWith("HPE_")) return NOT_HTTP.en;
  if (/CERT|SIGNATURE|ISSUER/.test(code)) return CERTIFICATE_NOT_TRUSTED.en;
  if (/SSL|TLS|EPROTO/.test(code)) return TLS_FAILED.en;
  return (FAULTS_BY_CODE[code] ?? CONNECTION_FAILED).en;
}
