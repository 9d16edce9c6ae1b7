import type { Wording } from "../errors.ts";

export const PRIVATE_NETWORK_ERROR: Wording = {
  en: "Not sent: the address leads into a private network",
  de: "Nicht gesendet: Die Adresse führt in ein privates Netz",
};
export const HOST_NOT_FOUND: Wording = {
  en: "There is no such host",
  de: "Diesen Rechner gibt es nicht",
};
export const DNS_LOOKUP_FAILED: Wording = {
  en: "The host's address could not be looked up",
  de: "Die Adresse des Rechners ließ sich nicht nachschlagen",
};
export const CONNECTION_REFUSED: Wording = {
  en: "Nothing listens at that address",
  de: "Unter dieser Adresse antwortet niemand",
};
export const CONNECTION_RESET: Wording = {
  en: "The connection was cut",
  de: "Die Verbindung wurde abgebrochen",
};
export const HOST_UNREACHABLE: Wording = {
  en: "The host cannot be reached",
  de: "Der Rechner ist nicht erreichbar",
};
export const NOT_AN_HTTP_RESPONSE: Wording = {
  en: "The answer was not HTTP",
  de: "Die Antwort war kein HTTP",
};
export const CERTIFICATE_NOT_TRUSTED: Wording = {
  en: "The host's TLS certificate is not trusted",
  de: "Dem Zertifikat des Rechners ist nicht zu trauen",
};
export const TLS_FAILED: Wording = {
  en: "The TLS connection failed",
  de: "Die verschlüsselte Verbindung kam nicht zustande",
};
export const CONNECTION_FAILED: Wording = {
  en: "The connection failed",
  de: "Die Verbindung kam nicht zustande",
};

const CONNECTION_FAULTS: readonly Wording[] = [
  PRIVATE_NETWORK_ERROR,
  HOST_NOT_FOUND,
  DNS_LOOKUP_FAILED,
  CONNECTION_REFUSED,
  CONNECTION_RESET,
  HOST_UNREACHABLE,
  NOT_AN_HTTP_RESPONSE,
  CERTIFICATE_NOT_TRUSTED,
  TLS_FAILED,
  CONNECTION_FAILED,
];

/** The fault of a host that does not answer in time. */
export function noResponseWithin(seconds: number): Wording {
  return {
    en: `No answer within ${seconds} seconds`,
    de: `Keine Antwort in ${seconds} Sekunden`,
  };
}

const NO_ANSWER = /^No answer within (\d+(?:\.\d+)?) seconds$/;

/**
 * Returns a connection fault in every language, given the stored English text. Unknown texts stay
 * unchanged.
 */
export function translateConnectionError(fault: string): Wording {
  const seconds = NO_ANSWER.exec(fault)?.[1];
  if (seconds !== undefined) return noResponseWithin(Number(seconds));
  return CONNECTION_FAULTS.find(({ en }) => en === fault) ?? { en: fault, de: fault };
}
