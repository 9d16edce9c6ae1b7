import { createHash } from "node:crypto";
import { mediumId, readMediumFile } from "../../content/media-kinds.ts";
import type { MovedFiles } from "./sides.ts";

/** Folders of files that belong to the record. */
const FOLDERS = ["media", "jobs"];

export interface ComparedFiles {
  /** At the source. */
  files: number;
  bytes: number;
  /** In words. */
  differences: readonly string[];
  /** Files of the site whose bytes at the source are not those they were published with. */
  damaged: readonly string[];
}

export type OnFiles = (done: number, total: number) => void;

/** Copies the files that the target does not have yet, or has otherwise. */
export async function copyFiles(
  source: MovedFiles,
  target: MovedFiles,
  onFiles: OnFiles,
): Promise<void> {
  const names = await namesIn(source);
  for (const [done, name] of names.entries()) {
    onFiles(done, names.length);
    const file = await source.find(name);
    if (file === null || (await isSame(source, target, name))) continue;
    await using received = await target.receive(file.pieces());
    await received.keep(name);
  }
}

/** Reads all files of both sides. */
export async function compareFiles(
  source: MovedFiles,
  target: MovedFiles,
  onFiles: OnFiles,
): Promise<ComparedFiles> {
  const names = await namesIn(source);
  const differences: string[] = [];
  const damaged: string[] = [];
  let bytes = 0;
  for (const [done, name] of names.entries()) {
    onFiles(done, names.length);
    const here = await hashOf(source, name);
    const there = await hashOf(target, name);
    bytes += here?.bytes ?? 0;
    if (there === null) differences.push(`${name} is missing in the target`);
    else if (here?.sha256 !== there.sha256)
      differences.push(`${name} has other bytes in the target`);
    if (here !== null && !isAsPublished(name, here.sha256)) damaged.push(name);
  }
  const known = new Set(names);
  for (const name of await namesIn(target)) {
    if (!known.has(name)) differences.push(`${name} is in the target only`);
  }
  return { files: names.length, bytes, differences, damaged };
}

async function isSame(source: MovedFiles, target: MovedFiles, name: string): Promise<boolean> {
  const there = await hashOf(target, name);
  return there !== null && there.sha256 === (await hashOf(source, name))?.sha256;
}

async function hashOf(
  files: MovedFiles,
  name: string,
): Promise<{ sha256: string; bytes: number } | null> {
  const file = await files.find(name);
  if (file === null) return null;
  const hash = createHash("sha256");
  for await (const piece of file.pieces()) hash.update(piece);
  return { sha256: hash.digest("hex"), bytes: file.bytes };
}

/** The name of a file of the site comes of its bytes. */
function isAsPublished(name: string, sha256: string): boolean {
  const medium = readMediumFile(name.slice(name.indexOf("/") + 1));
  return medium === null || medium.id === mediumId(sha256);
}

async function namesIn(files: MovedFiles): Promise<string[]> {
  const found = await Promise.all(FOLDERS.map(async (folder) => await files.list(folder)));
  return found.flat().map(({ name }) => name);
}
