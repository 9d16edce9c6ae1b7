import { isS3Uri, parseS3Uri, S3_URI_ERROR, type S3Location } from "../../config/s3-address.ts";
import type { Config } from "../../config.ts";
import { AppError } from "../../errors.ts";
import type { BackupPlace } from "../../storage/backup/places/backup-place.ts";
import { createFolderBackupPlace } from "../../storage/backup/places/folder-place.ts";
import { createS3BackupPlace } from "../../storage/backup/places/s3-place.ts";

/** Opens a place for backups: a folder, or `s3://BUCKET/PREFIX`. */
export function openBackupPlace(config: Config, address: string): BackupPlace {
  const location = parseS3BackupLocation(address);
  if (location === null) return createFolderBackupPlace(address);
  const { s3 } = config.backup;
  if (s3 !== null) return createS3BackupPlace(s3, location);
  const settings = ["S3_ENDPOINT", "S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY"].join(", ");
  throw new AppError("invalid", {
    en: `Cannot use ${address}: set ${settings}`,
    de: `${address} lässt sich nicht benutzen: Es fehlen Einstellungen von ${settings}`,
  });
}

/** @returns null for a path. @throws {AppError} `invalid` for a malformed S3 address. */
export function parseS3BackupLocation(address: string): S3Location | null {
  if (!isS3Uri(address)) return null;
  const location = parseS3Uri(address);
  if (location !== null) return location;
  throw new AppError("invalid", {
    en: `Cannot use ${address}: ${S3_URI_ERROR}`,
    de: `${address} lässt sich nicht benutzen: Geben Sie s3://BUCKET oder s3://BUCKET/PRÄFIX an, aus Buchstaben, Ziffern, -, _ und .`,
  });
}
