import { VersionedCache } from "../caching/versioned-cache.ts";
import type { DocumentContext } from "./document.ts";
import { type FoundDocument, findDocument } from "./documents.ts";

/** Files at fixed paths of the service. They are neither pages nor discovery documents. */
const SERVICE_FILES: ReadonlySet<string> = new Set(["/favicon.svg", "/status.json"]);
const PATHS_REMEMBERED_MAX = 10_000;

/** Returns a function that checks whether the site has a document or file at a decoded path. */
export function createDocumentExistenceCheck({
  now,
  ...site
}: Omit<DocumentContext, "now"> & { now: () => Date }): (path: string) => boolean {
  const version = () => site.reading.version();
  // Caches whether a document exists, because finding out requires rendering the document, and many
  // items link to the same document.
  const remembered = new VersionedCache<boolean>(PATHS_REMEMBERED_MAX, version);
  return (path) => {
    if (SERVICE_FILES.has(path)) return true;
    const found = findDocument(path);
    if (found === null) return false;
    const known = remembered.get(path);
    if (known !== undefined) return known;
    const at = version();
    const exists = isThere(found, { ...site, now: now() });
    remembered.set(path, exists, { size: 1, version: at });
    return exists;
  };
}

function isThere({ document, parameters }: FoundDocument, context: DocumentContext): boolean {
  return document.render(context, parameters) !== null;
}
