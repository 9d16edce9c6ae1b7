import type { LookupAddress } from "node:dns";
import type { LookupFunction } from "node:net";
import type { Wording } from "../../errors.ts";
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
        return done(new PostFault(PRIVATE.en), []);
      }
      const [first] = addresses;
      if (options.all === true || first === undefined) done(null, addresses);
      else done(null, first.address, first.family);
    });
  };
}

const PRIVATE: Wording = {
  en: "Not sent: the address leads into a private network",
  de: "Nicht gesendet: Die Adresse führt in ein privates Netz",
};
const NO_HOST: Wording = { en: "There is no such host", de: "Diesen Rechner gibt es nicht" };
const NOT_LOOKED_UP: Wording = {
  en: "The host's address could not be looked up",
  de: "Die Adresse des Rechners ließ sich nicht nachschlagen",
};
const NOTHING_LISTENS: Wording = {
  en: "Nothing listens at that address",
  de: "Unter dieser Adresse antwortet niemand",
};
const CUT: Wording = { en: "The connection was cut", de: "Die Verbindung wurde abgebrochen" };
const UNREACHABLE: Wording = {
  en: "The host cannot be reached",
  de: "Der Rechner ist nicht erreichbar",
};
const NOT_HTTP: Wording = { en: "The answer was not HTTP", de: "Die Antwort war kein HTTP" };
const NOT_TRUSTED: Wording = {
  en: "The host's TLS certificate is not trusted",
  de: "Dem Zertifikat des Rechners ist nicht zu trauen",
};
const TLS_FAILED: Wording = {
  en: "The TLS connection failed",
  de: "Die verschlüsselte Verbindung kam nicht zustande",
};
const FAILED: Wording = { en: "The connection failed", de: "Die Verbindung kam nicht zustande" };

const FAULTS: Readonly<Record<string, Wording>> = {
  ENOTFOUND: NO_HOST,
  EAI_AGAIN: NOT_LOOKED_UP,
  ECONNREFUSED: NOTHING_LISTENS,
  ECONNRESET: CUT,
  EPIPE: CUT,
  ETIMEDOUT: UNREACHABLE,
  EHOSTUNREACH: UNREACHABLE,
  ENETUNREACH: UNREACHABLE,
};

const NETWORK_FAULTS: readonly Wording[] = [
  ...[PRIVATE, NOT_HTTP, NOT_TRUSTED, TLS_FAILED, FAILED],
  ...Object.values(FAULTS),
];

/** Why no response arrived, in words that are safe to show. */
export function faultMessage(error: unknown): string {
  if (error instanceof PostFault) return error.message;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code.startsWith("HPE_")) return NOT_HTTP.en;
  if (/CERT|SIGNATURE|ISSUER/.test(code)) return NOT_TRUSTED.en;
  if (/SSL|TLS|EPROTO/.test(code)) return TLS_FAILED.en;
  return (FAULTS[code] ?? FAILED).en;
}

/** Of a host that takes too long. */
export function noAnswerWithin(seconds: number): Wording {
  return {
    en: `No answer within ${seconds} seconds`,
    de: `Keine Antwort in ${seconds} Sekunden`,
  };
}

const NO_ANSWER = /^No answer within (\d+(?:\.\d+)?) seconds$/;

/** A fault of a connection in every language; it is stored in English. Another text stays as it is. */
export function connectionFault(fault: string): Wording {
  const seconds = NO_ANSWER.exec(fault)?.[1];
  if (seconds !== undefined) return noAnswerWithin(Number(seconds));
  return NETWORK_FAULTS.find(({ en }) => en === fault) ?? { en: fault, de: fault };
}
