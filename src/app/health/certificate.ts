import { isIP } from "node:net";
import { connect } from "node:tls";
import type { Wording } from "../../errors.ts";
import type { CertificateMeasurements } from "../../health/facts.ts";
import {
  CONNECTION_FAILED,
  CONNECTION_REFUSED,
  CONNECTION_RESET,
  DNS_LOOKUP_FAILED,
  HOST_NOT_FOUND,
  noResponseWithin,
} from "../../webhooks/connection-errors.ts";

const TLS_PORT = 443;
const LOCAL_HOSTS: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);
const CONNECTION_FAULTS: Readonly<Record<string, Wording>> = {
  ENOTFOUND: HOST_NOT_FOUND,
  EAI_AGAIN: DNS_LOOKUP_FAILED,
  ECONNREFUSED: CONNECTION_REFUSED,
  ECONNRESET: CONNECTION_RESET,
};

/** Reads the certificate that the public address presents to this machine. */
export async function readCertificate(
  origin: string,
  { milliseconds }: { milliseconds: number },
): Promise<CertificateMeasurements> {
  const url = new URL(origin);
  if (url.protocol !== "https:") return { kind: "plain", isLocal: LOCAL_HOSTS.has(url.hostname) };
  const host = url.hostname.replace(/^\[|\]$/g, "");
  return await new Promise((resolve) => {
    const socket = connect({
      host,
      port: Number(url.port) || TLS_PORT,
      // Accepts an invalid certificate, because its fault has to be read and reported.
      rejectUnauthorized: false,
      ...(isIP(host) === 0 ? { servername: host } : {}),
    });
    const end = (facts: CertificateMeasurements) => {
      socket.destroy();
      resolve(facts);
    };
    const seconds = milliseconds / 1000;
    socket.setTimeout(milliseconds, () =>
      end({ kind: "unread", fault: noResponseWithin(seconds) }),
    );
    socket.on("error", (error) => end({ kind: "unread", fault: connectionFault(error) }));
    socket.on("secureConnect", () => {
      const { valid_to: endsAt } = socket.getPeerCertificate();
      const fault = socket.authorized ? null : certificateFault(socket.authorizationError);
      end({ kind: "read", endsAt: new Date(endsAt).toISOString(), fault });
    });
  });
}

function connectionFault(error: Error): Wording {
  const code = "code" in error ? String(error.code) : "";
  return CONNECTION_FAULTS[code] ?? CONNECTION_FAILED;
}

/** Describes an OpenSSL error code in words; keeps unknown codes unchanged. */
function certificateFault(error: unknown): Wording {
  const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
  if (code === "CERT_HAS_EXPIRED") return { en: "it has ended", de: "Es ist abgelaufen" };
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID") {
    return { en: "it is for another name", de: "Es gilt für einen anderen Namen" };
  }
  if (/SELF_SIGNED|UNABLE_TO|ISSUER/.test(code)) {
    return {
      en: "no authority that browsers know made it",
      de: "Keine Stelle, die Browser kennen, hat es ausgestellt",
    };
  }
  return { en: code, de: code };
}
