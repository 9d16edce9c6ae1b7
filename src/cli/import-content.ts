import { dirname } from "node:path";
import type { Actor } from "../access/actor.ts";
import {
  type FiledProblem,
  type ImportCounts,
  importItems,
} from "../content/import/import-items.ts";
import type { OnUnknown } from "../content/import/parsed-item.ts";
import { parseSiteProfile, parseTypeFile } from "../content/import/site-file.ts";
import type { ContentRecord } from "../content/record.ts";
import type { SiteProfile } from "../content/site/site.ts";
import { saveSite } from "../content/site/site-saving.ts";
import type { ContentType } from "../content/types/content-type.ts";
import { AppError } from "../errors.ts";
import { type ImportFiles, readText } from "./import-files.ts";
import { type FilePublisher, publishSiteMedia } from "./import-media.ts";
import { readItems } from "./import-reading.ts";

export interface ContentOptions {
  now: Date;
  unknown: OnUnknown;
  status?: "draft" | "published";
  /** Publishes files that texts link to; without it links stay unchanged. */
  publisher?: FilePublisher;
  onProblem: (problem: FiledProblem) => void;
  onProgress?: (done: { items: number; bytes: number }) => void;
}

const OPERATOR: Actor = { kind: "operator" };

/**
 * Imports the site profile and types of site folders, then all items.
 *
 * @throws {AppError} `invalid` for an invalid `site.yaml` or type; nothing is imported then.
 */
export async function importContent(
  record: ContentRecord,
  sources: readonly ImportFiles[],
  { now, unknown, status, publisher, onProblem, onProgress = () => {} }: ContentOptions,
): Promise<ImportCounts> {
  for (const source of sources) {
    if (source.siteFile === null) continue;
    const { profile, types } = readSite(source.siteFile, source.typeFiles, onProblem);
    await saveSite(record, OPERATOR, profile, types, now);
    if (publisher !== undefined)
      await publishSiteMedia(dirname(source.siteFile), publisher, onProblem);
  }
  const types = await record.types();
  const reading = { types, unknown, now, ...(publisher === undefined ? {} : { publisher }) };
  let bytes = 0;
  const onBytes = (more: number) => {
    bytes += more;
  };
  return await importItems(record, OPERATOR, readItems(sources, { ...reading, onBytes }), {
    now,
    onProblem,
    ...(status === undefined ? {} : { status }),
    onProgress: (items) => onProgress({ items, bytes }),
  });
}

function readSite(
  siteFile: string,
  typeFiles: readonly string[],
  onProblem: ContentOptions["onProblem"],
): { profile: SiteProfile; types: ContentType[] } {
  const profile = readPart(siteFile, parseSiteProfile, onProblem);
  const types = typeFiles.map((file) => readPart(file, parseTypeFile, onProblem));
  const read = types.filter((type) => type !== null);
  if (profile !== null && read.length === types.length) return { profile, types: read };
  throw new AppError("invalid", "Nothing was imported: correct the description of the site first");
}

function readPart<T>(
  file: string,
  parse: (text: string) => { value: T | null; problems: readonly Omit<FiledProblem, "file">[] },
  onProblem: ContentOptions["onProblem"],
): T | null {
  const read = readText(file);
  if ("fault" in read) {
    onProblem({ file, line: 1, field: "", message: read.fault, severity: "error" });
    return null;
  }
  const { value, problems } = parse(read.text);
  for (const problem of problems) onProblem({ ...problem, file });
  return value;
}
