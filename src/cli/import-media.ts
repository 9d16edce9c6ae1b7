import { lstatSync, readdirSync, realpathSync } from "node:fs";
import { basename, extname, join } from "node:path";
import { namedFiles } from "../content/import/file-path.ts";
import type { FiledProblem } from "../content/import/import-items.ts";
import { linesOf } from "../content/import/lines.ts";
import { filesNamedIn, type MarkdownFile } from "../content/import/markdown-file.ts";
import type { NamedFile } from "../content/import/markdown-links.ts";
import { parseMediaLine } from "../content/import/media-line.ts";
import type { MediaFiles, MediaStore } from "../content/media/media.ts";
import { addMedium, type MediumInput, mediumInputOf } from "../content/media/media-editing.ts";
import { mediaIn, mediumPath } from "../content/media/media-kinds.ts";
import { AppError } from "../errors.ts";
import { pathBelow } from "../files/path-below.ts";
import { fileBytes } from "./file-bytes.ts";

/** Publishes files that texts name. */
export interface FileTaker {
  /** What is `said` holds for a file the site does not have yet. */
  take(path: string, said?: MediumInput): Promise<NamedFile>;
  /** Is there a published file with this id? */
  has(id: string): Promise<boolean>;
}

/** What became of the files that a Markdown file names, by the link as it is written. */
export async function takeNamed(
  markdown: MarkdownFile,
  root: string,
  taker: FileTaker,
): Promise<Map<string, NamedFile>> {
  const named = new Map<string, NamedFile>();
  for (const { link, isImage } of filesNamedIn(markdown)) {
    const place = namedFiles(link, markdown.file).find((file) => isFileBelow(root, file));
    if (place !== undefined) named.set(link, await taker.take(join(root, place)));
    else if (isImage && isFromRoot(link) && !(await isPublished(link, taker))) {
      named.set(link, { fault: "there is no such file" });
    }
  }
  return named;
}

/** Publishes what a site folder has in `media/`, with what its `media.jsonl` says of it. */
export async function takeSiteMedia(
  folder: string,
  taker: FileTaker,
  onProblem: (problem: FiledProblem) => void,
): Promise<void> {
  const place = join(folder, "media");
  if (lstatSync(place, { throwIfNoEntry: false })?.isDirectory() !== true) return;
  const described = await readDescriptions(join(folder, "media.jsonl"), onProblem);
  for (const name of readdirSync(place).sort()) {
    if (name.startsWith(".") || !isFileBelow(place, name)) continue;
    const taken = await taker.take(join(place, name), described.get(name));
    if (!("fault" in taken)) continue;
    const file = join(place, name);
    onProblem({ file, line: 1, field: "", message: taken.fault, severity: "error" });
  }
}

async function readDescriptions(
  file: string,
  onProblem: (problem: FiledProblem) => void,
): Promise<Map<string, MediumInput>> {
  const described = new Map<string, MediumInput>();
  if (lstatSync(file, { throwIfNoEntry: false })?.isFile() !== true) return described;
  for await (const { number, text } of linesOf(fileBytes(file))) {
    if (text?.trim() === "") continue;
    const read = parseMediaLine(text ?? "");
    if ("file" in read) described.set(read.file, read.said);
    else onProblem({ file, line: number, field: "", message: read.fault, severity: "error" });
  }
  return described;
}

function isFromRoot(link: string): boolean {
  return /^\/(?![/\\])/.test(link);
}

async function isPublished(link: string, taker: FileTaker): Promise<boolean> {
  const [id] = mediaIn({ body: link, fields: {} }).keys();
  return id !== undefined && (await taker.has(id));
}

export interface FileTaking extends FileTaker {
  /** Files that were taken, by ending, whether the site had them before or not. */
  taken: ReadonlyMap<string, number>;
}

/** Takes each file once. A dry run looks at the bytes and keeps nothing. */
export function fileTaking(
  { media, files }: { media: MediaStore; files: MediaFiles },
  {
    now,
    isDryRun,
    onNotice,
  }: { now: Date; isDryRun: boolean; onNotice: (path: string, message: string) => void },
): FileTaking {
  const known = new Map<string, NamedFile>();
  const taken = new Map<string, number>();
  const publish = async (path: string, said: MediumInput): Promise<NamedFile> => {
    await using file = await files.receive(fileBytes(path));
    for (const notice of file.notices) onNotice(path, notice);
    if (isDryRun) return { address: mediumPath(file) };
    const input = { ...mediumInputOf({ name: basename(path) }), ...said };
    const { medium } = await addMedium(media, { kind: "operator" }, file, input, { now });
    return { address: mediumPath(medium) };
  };
  return {
    taken,
    has: async (id) => (await media.knownMedia([id])).has(id),
    async take(path, said = {}) {
      const before = known.get(path);
      if (before !== undefined) return before;
      const named = await publish(path, said).catch(faultOf);
      known.set(path, named);
      const ending = extname(path).toLowerCase();
      if ("address" in named) taken.set(ending, (taken.get(ending) ?? 0) + 1);
      return named;
    },
  };
}

/** What concerns one file is told beside it; a full disk ends the import. */
function faultOf(error: unknown): NamedFile {
  const isAboutFile = error instanceof AppError && error.code !== "unavailable";
  if (!isAboutFile) throw error;
  return { fault: error.message };
}

/** Without symbolic links on the way, so that an import never leaves its folder. */
function isFileBelow(root: string, file: string): boolean {
  try {
    const path = pathBelow(root, ...file.split("/"));
    return lstatSync(path).isFile() && realpathSync(path) === join(realpathSync(root), file);
  } catch {
    return false;
  }
}
