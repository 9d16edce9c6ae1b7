import { ERROR_CODES, ProtocolError } from "./protocol-error.ts";
import { LEGACY_VERSIONS, SUPPORTED_VERSIONS } from "./versions.ts";

/**
 * Checks the version header of requests that follow the `initialize` request. The header may be missing,
 * because the oldest revisions did not define it.
 *
 * @throws {ProtocolError} for an unsupported revision.
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
