import {
  isS3Address,
  parseS3Address,
  S3_ADDRESS_FAULT,
  type S3Location,
} from "../../config/s3-address.ts";
import type { Config } from "../../config.ts";
import { AppError } from "../../errors.ts";
import type { BackupPlace } from "../../storage/backup/places/backup-place.ts";
import { folderPlace } from "../../storage/backup/places/folder-place.ts";
import { s3Place } from "../../storage/backup/places/s3-place.ts";

/** Opens a place for backups: a folder, or `s3://BUCKET/PREFIX`. */
export function openBackupPlace(config: Config, address: string): BackupPlace {
  const location = s3LocationUnlessPath(address);
  if (location === null) return folderPlace(address);
  const { s3 } = config.backup;
  if (s3 !== null) return s3Place(s3, location);
  const settings = ["S3_ENDPOINT", "S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY"].join(", ");
  throw new AppError("invalid", {
    en: `Cannot use ${address}: set ${settings}`,
    de: `${address} lässt sich nicht benutzen: Es fehlen Einstellungen von ${settings}`,
  });
}

/** @returns null for a path. @throws {AppError} `invalid` for a malformed S3 address. */
export function s3LocationUnlessPath(address: string): S3Location | null {
  if (!isS3Address(address)) return null;
  const location = parseS3Address(address);
  if (location !== null) return location;
  throw new AppError("invalid", {
    en: `Cannot use ${address}: ${S3_ADDRESS_FAULT}`,
    de: `${address} lässt sich nicht benutzen: Geben Sie s3://BUCKET oder s3://BUCKET/PRÄFIX an, aus Buchstaben, Ziffern, -, _ und .`,
  });
}
