import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { parseMediaFileName } from "../../content/media/media-kinds.ts";
import { AppError, type Wording } from "../../errors.ts";
import { systemErrorCode, writeNewFile } from "../../files/durable-files.ts";
import type { FileFingerprint } from "../../files/file-facts.ts";

export const MANIFEST_NAME = "manifest.json";
const FORMAT_VERSION = 1;

const fileSchema = z.object({
  /** Path within the backup, with `/` as separator. */
  path: z.string(),
  bytes: z.int().min(0),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

const manifestSchema = z.object({
  format: z.literal(FORMAT_VERSION),
  /** Version of the program that made the backup. */
  version: z.string(),
  /** Name of the site; null if the store has none. */
  site: z.string().nullable(),
  /** ISO 8601, UTC. */
  madeAt: z.iso.datetime(),
  files: z.array(fileSchema),
});

/** Lists the files of a backup, so that a restore can check that none is missing or changed. */
export type Manifest = z.output<typeof manifestSchema>;
export type ManifestFile = Manifest["files"][number];

/** Writes the manifest. Call this after writing all other files, then sync the folder. */
export async function writeManifest(
  backup: string,
  facts: Omit<Manifest, "format">,
): Promise<void> {
  const manifest: Manifest = { format: FORMAT_VERSION, ...facts };
  await writeNewFile(join(backup, MANIFEST_NAME), `${JSON.stringify(manifest, null, 1)}\n`);
}

/**
 * @returns null if there is no manifest, as in backups of earlier versions.
 * @throws {AppError} `invalid` when the manifest is malformed, does not list `store`, or lists a file other
 * than `store` and those in `media`.
 */
export async function readManifest(
  backup: string,
  { store, media }: { store: string; media: string },
): Promise<Manifest | null> {
  const text = await readFile(join(backup, MANIFEST_NAME), "utf8").catch((error: unknown) => {
    if (systemErrorCode(error) === "ENOENT") return null;
    throw error;
  });
  if (text === null) return null;
  const { success, data } = manifestSchema.safeParse(jsonOrNull(text));
  const isOurs = (path: string) => path === store || isMedium(path, media);
  const paths = success ? data.files.map(({ path }) => path) : [];
  if (success && paths.includes(store) && paths.every(isOurs)) return data;
  throw new AppError("invalid", {
    en: `Cannot restore ${backup}: its ${MANIFEST_NAME} is damaged, or of a newer version of this program`,
    de: `${backup} lässt sich nicht wiederherstellen: Die Datei ${MANIFEST_NAME} darin ist beschädigt oder stammt von einer neueren Version dieses Programms`,
  });
}

/** Describes how a copied file differs from the manifest; null if it does not. */
export function describeManifestMismatch(
  { bytes, sha256 }: FileFingerprint,
  expected: ManifestFile,
): Wording | null {
  if (bytes !== expected.bytes) {
    return {
      en: `${bytes} bytes instead of ${expected.bytes}`,
      de: `${bytes} Bytes statt ${expected.bytes}`,
    };
  }
  return sha256 === expected.sha256 ? null : { en: "other bytes", de: "anderer Inhalt" };
}

function isMedium(path: string, media: string): boolean {
  const [folder, name, ...more] = path.split("/");
  return folder === media && more.length === 0 && parseMediaFileName(name ?? "") !== null;
}

function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
