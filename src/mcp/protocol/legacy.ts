import { ERROR_CODES, ProtocolError } from "./protocol-error.ts";
import { LEGACY_VERSIONS, SUPPORTED_VERSIONS } from "./versions.ts";

/**
 * Requests after `initialize` may name the revision agreed on, or none; the oldest revisions knew no
 * such header.
 *
 * @throws {ProtocolError} for a revision nobody can have agreed on.
 */
export function checkLegacyVersion(header: string | undefined): void {
  if (header === undefined || LEGACY_VERSIONS.includes(header)) return;
  const requested = header.slice(0, 80);
  throw new ProtocolError(
    ERROR_CODES.unsupportedVersion,
    `Protocol version "${requested}" is not supported; use one of ${SUPPORTED_VERSIONS.join(", ")}`,
    { status: 400, data: { supported: SUPPORTED_VERSIONS, requested } },
  );
}
