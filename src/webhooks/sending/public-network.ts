import type { LookupAddress } from "node:dns";
import type { LookupFunction } from "node:net";
import { isPublicAddress } from "../destination.ts";

export type Lookup = (
  hostname: string,
  options: { all: true },
  done: (error: Error | null, addresses: LookupAddress[]) => void,
) => void;

/** No response arrived; the message says why and is safe to show. */
export class PostFault extends Error {}

/** A look-up that fails if any resolved address is private. */
export function publicOnly(lookup: Lookup): LookupFunction {
  return (hostname, options, done) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return done(error, []);
      if (!addresses.every(({ address }) => isPublicAddress(address))) {
        return done(new PostFault("Not sent: the address leads into a private network"), []);
      }
      const [first] = addresses;
      if (options.all === true || first === undefined) done(null, addresses);
      else done(null, first.address, first.family);
    });
  };
}

const FAULTS: Readonly<Record<string, string>> = {
  ENOTFOUND: "There is no such host",
  EAI_AGAIN: "The host's address could not be looked up",
  ECONNREFUSED: "Nothing listens at that address",
  ECONNRESET: "The connection was cut",
  EPIPE: "The connection was cut",
  ETIMEDOUT: "The host cannot be reached",
  EHOSTUNREACH: "The host cannot be reached",
  ENETUNREACH: "The host cannot be reached",
};

/** Why no response arrived, in words that are safe to show. */
export function faultMessage(error: unknown): string {
  if (error instanceof PostFault) return error.message;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code.startsWith("HPE_")) return "The answer was not HTTP";
  if (/CERT|SIGNATURE|ISSUER/.test(code)) return "The host's TLS certificate is not trusted";
  if (/SSL|TLS|EPROTO/.test(code)) return "The TLS connection failed";
  return FAULTS[code] ?? "The connection failed";
}
