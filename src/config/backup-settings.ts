import { z } from "zod";
import { parseS3Endpoint } from "./addresses.ts";
import { isS3Uri, parseS3Uri, S3_URI_ERROR } from "./s3-address.ts";

export const asciiWithoutSpacesSchema = z
  .string()
  .regex(/^[\x21-\x7e]+$/, { error: "use ASCII letters, digits and punctuation, without spaces" });

const count = z.coerce.number({ error: "use a whole number" }).int();

export const backupSettingSchemas = {
  BACKUP_AT: z
    .string()
    .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, { error: "give a time of day, such as 03:30" })
    .exactOptional(),
  BACKUP_TO: z
    .string()
    .transform(splitList)
    .refine((places) => places.every((each) => !isS3Uri(each) || parseS3Uri(each) !== null), {
      error: S3_URI_ERROR,
    })
    .default([]),
  BACKUP_KEEP: count.min(1).max(10_000).default(14),
  BACKUP_KEEP_WEEKLY: count.min(0).max(1000).default(0),
  BACKUP_RECIPIENTS: z
    .string()
    .transform(splitList)
    .refine((keys) => keys.every((key) => /^age1[0-9a-z]+$/.test(key)), {
      error: "give public keys of age, as age1…, with commas between them; never a private key",
    })
    .default([]),
  S3_ENDPOINT: z.string().transform(parseS3Endpoint).exactOptional(),
  S3_REGION: z
    .string()
    .regex(/^[\w-]+$/, { error: "give a name, as eu-central-1" })
    .default("us-east-1"),
  S3_ACCESS_KEY_ID: asciiWithoutSpacesSchema.exactOptional(),
  S3_SECRET_ACCESS_KEY: asciiWithoutSpacesSchema.exactOptional(),
} as const;

/** How to reach an S3-compatible store. */
export interface S3Access {
  /** The origin of the store. */
  endpoint: string;
  region: string;
  keyId: string;
  secret: string;
}

export interface BackupSettings {
  /** `HH:MM` in the time zone of the site; null: the server makes no backups. */
  at: string | null;
  /** Folders and `s3://BUCKET/PREFIX`. */
  to: readonly string[];
  keep: number;
  keepWeekly: number;
  /** Public keys of age; empty: backups are not encrypted. */
  recipients: readonly string[];
  s3: S3Access | null;
}

type Fields = z.output<z.ZodObject<typeof backupSettingSchemas>>;

/** Lists missing settings that other backup settings require, each with a message that says what to set. */
export function findMissingBackupSettings(settings: Fields): [name: string, message: string][] {
  const { BACKUP_AT: at, BACKUP_TO: to, S3_ENDPOINT: endpoint } = settings;
  const { S3_ACCESS_KEY_ID: keyId, S3_SECRET_ACCESS_KEY: secret } = settings;
  const missing: [string, string][] = [];
  if (at !== undefined && to.length === 0) {
    missing.push(["BACKUP_TO", "say where backups go: a folder, or s3://BUCKET/PREFIX"]);
  }
  const usesS3 = to.some(isS3Uri) || (endpoint ?? keyId ?? secret) !== undefined;
  if (!usesS3) return missing;
  if (endpoint === undefined) {
    missing.push(["S3_ENDPOINT", "give the address of the store, as https://s3.example.org"]);
  }
  if (keyId === undefined) missing.push(["S3_ACCESS_KEY_ID", "give the id of a key for the store"]);
  if (secret === undefined) missing.push(["S3_SECRET_ACCESS_KEY", "give the secret of that key"]);
  return missing;
}

export function backupSettingsFromEnvironment(settings: Fields): BackupSettings {
  const { S3_ENDPOINT: endpoint, S3_REGION: region } = settings;
  const { S3_ACCESS_KEY_ID: keyId, S3_SECRET_ACCESS_KEY: secret } = settings;
  const hasS3 = endpoint !== undefined && keyId !== undefined && secret !== undefined;
  return {
    at: settings.BACKUP_AT ?? null,
    to: settings.BACKUP_TO,
    keep: settings.BACKUP_KEEP,
    keepWeekly: settings.BACKUP_KEEP_WEEKLY,
    recipients: settings.BACKUP_RECIPIENTS,
    s3: hasS3 ? { endpoint, region, keyId, secret } : null,
  };
}

/** Splits a comma-separated list. */
function splitList(text: string): string[] {
  return text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}
