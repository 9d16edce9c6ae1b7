import { type Actor, requireScope } from "../access/actor.ts";
import type { ChangeContext } from "../access/audit.ts";
import { isTableFile } from "../content/import/file-path.ts";
import { AppError } from "../errors.ts";
import { newId } from "../new-id.ts";
import type { FileReadChoices, ImportChoices, Job, JobFiles, JobStore } from "./job.ts";
import { importInputId } from "./job-inputs.ts";
import { queueJob, requireJob } from "./jobs.ts";
import { packFilesAsFolder, requireValidFileName, type UploadedFile } from "./pack-as-folder.ts";
import { parseSiteUrl } from "./site-address.ts";

const TABLE_BYTES_MAX = 64 * 1024 * 1024;
/**
 * Limit on the size of a file. The texts of the upload form repeat this limit
 * (`src/http/admin/texts/running/`).
 */
const FILE_BYTES_MAX = 1024 ** 3;

/** An upload to be imported. */
interface ImportUpload {
  file: UploadedFile;
  /** Files sent after `file`. They are imported together with `file`, as one folder. */
  others?: AsyncGenerator<UploadedFile>;
  /** A lower bound of the size, from what the client declares; 0: unknown. */
  bytesAtLeast: number;
  /** How to read the file if there are no other files. */
  choices: ImportChoices;
}

/**
 * Queues an import of JSON lines, of another file or of several files. The import runs with the actor's
 * current scopes.
 *
 * @throws {AppError} `forbidden`; `invalid` for names that no file can have, and for files that do not
 * fit in one folder; `too_large`; `unavailable` if too many jobs are queued.
 */
export async function requestImport(
  { jobs, files }: { jobs: JobStore; files: JobFiles },
  actor: Actor,
  { file, others, bytesAtLeast, choices, ...options }: ChangeContext & ImportUpload,
): Promise<Job> {
  requireImporter(actor, choices);
  if (choices.file !== undefined) {
    requireValidFileName(choices.file.name);
    requireSize(bytesAtLeast, choices.file);
  }
  const id = newId(options.now);
  const lines = await files.storeInput(id, limitedBytes(file.bytes(), choices.file));
  try {
    const storedFile = { name: file.name, bytes: () => files.readInput(id) };
    const folder =
      others === undefined ? null : await packFilesAsFolder(storedFile, others, options.now);
    if (folder === null) {
      const total = choices.file === undefined ? lines : 0;
      return await queueJob(jobs, actor, { id, kind: "import", choices, total, ...options });
    }
    const fileChoices = { ...NO_CHOICES, ...choices.file };
    const zip = { ...fileChoices, name: "folder.zip" };
    requireImporter(actor, { ...choices, file: zip });
    await files.storeInput(id, limitedBytes(folder.zip, zip));
    const named = { ...choices, file: { ...fileChoices, name: folder.name(), isSeveral: true } };
    const job = { id, kind: "import", choices: named, total: 0 } as const;
    return await queueJob(jobs, actor, { ...job, ...options });
  } catch (error) {
    await files.removeInput(id);
    throw error;
  }
}

const NO_CHOICES = { type: null, sheet: null, columns: {} };

/**
 * Queues a dry run of importing a live site, which is copied first. {@link repeatImport} imports the copy.
 *
 * @param address may lack its scheme. `isWordPress`: copies it through the REST interface of WordPress.
 * @throws {AppError} `forbidden`; `invalid` for a malformed address; `unavailable` if too many jobs are
 * queued.
 */
export async function requestSiteImport(
  jobs: JobStore,
  actor: Actor,
  address: string,
  { isWordPress, ...options }: ChangeContext & { isWordPress: boolean },
): Promise<Job> {
  const url = parseSiteUrl(address);
  const name = `${new URL(url).hostname.replace(/[^\w.-]/g, "")}.${isWordPress ? "xml" : "zip"}`;
  const choices: ImportChoices = {
    ...{ status: null, isLenient: false, isDryRun: true, address: url },
    ...(isWordPress ? { isWordPress } : {}),
    file: { name, ...NO_CHOICES },
  };
  requireImporter(actor, choices);
  const id = newId(options.now);
  return await queueJob(jobs, actor, { id, kind: "import", choices, total: 0, ...options });
}

/**
 * Queues another import of the same file with different choices: a real run after a dry run, or a corrected
 * mapping.
 *
 * @throws {AppError} `forbidden`, `not_found`, `unavailable`; `conflict` if the job is not an
 * import or has not ended.
 */
export async function repeatImport(
  jobs: JobStore,
  actor: Actor,
  id: string,
  { changes, ...options }: ChangeContext & { changes: ChangedChoices },
): Promise<Job> {
  const before = await requireJob(jobs, id);
  if (before.choices === null) {
    throw new AppError("conflict", {
      en: "Cannot repeat this job: only imports are repeated",
      de: "Dieser Auftrag lässt sich nicht wiederholen: Das geht nur bei Importen",
    });
  }
  if (before.endedAt === null) {
    throw new AppError("conflict", {
      en: `Cannot repeat this import: it is ${before.state}`,
      de: "Dieser Import lässt sich nicht wiederholen, solange er noch läuft: Warten Sie, oder brechen Sie ihn ab",
    });
  }
  const { status, prefer, isDryRun, isLenient, ...fileChoices } = changes;
  const { file, address, isWordPress } = before.choices;
  const choices: ImportChoices = {
    ...{ status, isDryRun, isLenient, inputOf: importInputId(before) },
    ...(prefer === undefined ? {} : { prefer }),
    ...(address === undefined ? {} : { address }),
    ...(isWordPress === undefined ? {} : { isWordPress }),
    ...(file === undefined ? {} : { file: { ...fileIdentity(file), ...fileChoices } }),
  };
  requireImporter(actor, choices);
  const repeated = { id: newId(options.now), kind: "import", choices, total: 0 } as const;
  return await queueJob(jobs, actor, { ...repeated, ...options });
}

/**
 * Returns the properties that describe the file itself. These properties stay the same when the choices
 * for reading the file change.
 */
function fileIdentity({
  name,
  isSeveral,
}: FileReadChoices): Pick<FileReadChoices, "name" | "isSeveral"> {
  return isSeveral === undefined ? { name } : { name, isSeveral };
}

type ChangedChoices = Pick<ImportChoices, "status" | "prefer" | "isDryRun" | "isLenient"> &
  Omit<FileReadChoices, "name" | "isSeveral">;

/**
 * Checks the scopes for an import. Files other than tables and JSON lines need more scopes, because
 * they may contain pictures and redirects.
 *
 * @throws {AppError} `forbidden`, naming the missing scope.
 */
export function requireImporter(
  actor: Actor,
  { status, file }: Pick<ImportChoices, "status" | "file">,
): void {
  requireScope(actor, "transfer:run");
  requireScope(actor, "content:write");
  if (status === "published") requireScope(actor, "content:publish");
  if (file === undefined || isTableFile(file.name)) return;
  requireScope(actor, "content:publish");
  requireScope(actor, "media:write");
}

/** @param file absent for JSON lines, whose size is not limited. */
async function* limitedBytes(
  bytes: AsyncIterable<Uint8Array>,
  file: FileReadChoices | undefined,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const piece of bytes) {
    size += piece.length;
    if (file !== undefined) requireSize(size, file);
    yield piece;
  }
}

function requireSize(bytes: number, { name }: FileReadChoices): void {
  const isTable = isTableFile(name);
  const limit = isTable ? TABLE_BYTES_MAX : FILE_BYTES_MAX;
  if (bytes <= limit) return;
  const limitText = isTable ? `${limit / 1024 ** 2} MB` : `${limit / 1024 ** 3} GB`;
  throw new AppError("too_large", {
    en: `The ${isTable ? "table" : "file"} is larger than ${limitText}; split it, or import it with the command line`,
    de: `Die ${isTable ? "Tabelle" : "Datei"} ist größer als ${limitText}: Teilen Sie sie auf, oder bitten Sie, wer den Server betreibt, sie einzuspielen`,
  });
}
