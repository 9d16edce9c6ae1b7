import { AppError } from "../../../errors.ts";

/** Whether passkeys work at a host: the standard allows only host names, not IP addresses. */
export function isPasskeyHost(host: string): boolean {
  return !/^\[|^[\d.]+$/.test(host);
}

/** @throws {AppError} `conflict` when passkeys do not work at the host. */
export function requirePasskeyHost(host: string): void {
  if (isPasskeyHost(host)) return;
  throw new AppError("conflict", {
    en: `Passkeys do not work at ${host}: they need a name instead of an IP address. Set PUBLIC_URL to an address with a name, such as https://example.org or http://localhost:8080, and use that`,
    de: `Unter ${host} gibt es keine Passkeys: Sie brauchen einen Namen statt einer IP-Adresse. Setzen Sie PUBLIC_URL auf eine Adresse mit einem Namen, zum Beispiel https://example.org oder http://localhost:8080, und verwenden Sie diese`,
  });
}
