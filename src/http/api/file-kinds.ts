import { extname } from "node:path";

/**
 * Extensions of import files, keyed by media type. If a file name has none of the listed extensions, the
 * first one is appended.
 */
const EXTENSIONS_BY_TYPE: Readonly<Record<string, readonly string[]>> = {
  "text/csv": [".csv", ".txt"],
  "text/tab-separated-values": [".tsv", ".tab", ".txt"],
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": [".xlsx", ".xlsm"],
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": [".docx"],
  "application/zip": [".zip"],
  "application/xml": [".xml"],
  "text/xml": [".xml"],
  "application/x-bibtex": [".bib", ".bibtex"],
  "application/x-research-info-systems": [".ris"],
  "application/vnd.citationstyles.csl+json": [".json"],
  "text/markdown": [".md", ".markdown"],
  "text/html": [".html", ".htm"],
};

/** Matches names of JSON Lines files. */
export const JSON_LINES_FILE_PATTERN = /\.(?:jsonl|ndjson)$/i;

/**
 * Media types that do not determine the format of a file. For such a file, the extension in the name
 * determines the format.
 */
const GENERIC_TYPES = ["application/octet-stream", "text/plain"];

export const IMPORT_MEDIA_TYPES: readonly string[] = [
  ...Object.keys(EXTENSIONS_BY_TYPE),
  ...GENERIC_TYPES,
];

/** The file name of an import, with an extension that matches its media type. */
export function fileNameForMediaType(fileName: string, mediaType: string): string {
  const extensions = EXTENSIONS_BY_TYPE[mediaType] ?? [];
  const [defaultExtension] = extensions;
  const hasExtension =
    defaultExtension === undefined || extensions.includes(extname(fileName).toLowerCase());
  return hasExtension && fileName !== ""
    ? fileName
    : `${fileName || "file"}${defaultExtension ?? ""}`;
}
