import { readdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { StoredFile } from "../../../content/media/media.ts";
import {
  type ShareCard,
  type SharePictures,
  sharePictureId,
} from "../../../content/media/share-pictures.ts";
import { AppError } from "../../../errors.ts";
import {
  chownToFolderOwner,
  makeFolder,
  moveDurably,
  restrictAndSyncFile,
} from "../../../files/durable-files.ts";
import { TaskProgram, TaskProgramError } from "../../../work/task-program.ts";
import { findStoredFile } from "../stored-file.ts";
import { fontconfigXml } from "./share-fonts.ts";
import {
  type SharePictureResult,
  type SharePictureTask,
  sharePictureResultSchema,
} from "./share-task.ts";

const PROGRAM_FILE = new URL("./share-program.ts", import.meta.url);
const PROCESS_LIMITS = { secondsMax: 20, waitingMax: 12, idleMilliseconds: 2000 };
const BYTES_MAX = 1024 * 1024 * 1024;
/** When the cache exceeds its size limit, it is reduced to this share of the limit. */
const KEPT_SHARE = 0.8;
const RETRY_SECONDS = 60;

interface Options {
  bytesMax?: number;
  /** Limit on the time of drawing one picture. */
  drawingSecondsMax?: number;
}

/**
 * Opens a cache folder of pictures for link previews. A picture's name is a hash of what it shows.
 * The cache evicts the least recently used pictures. Each machine has its own folder, because any
 * picture can be redrawn.
 */
export function openSharePictureFolder(
  folder: string,
  { bytesMax = BYTES_MAX, drawingSecondsMax: secondsMax = PROCESS_LIMITS.secondsMax }: Options = {},
): SharePictures {
  const fonts = join(folder, "fonts");
  const settings = join(folder, "fonts.conf");
  const program = new TaskProgram<SharePictureTask, SharePictureResult>(
    PROGRAM_FILE,
    (message) => sharePictureResultSchema.parse(message),
    { ...PROCESS_LIMITS, secondsMax, environment: { FONTCONFIG_FILE: settings } },
  );
  const pictures = join(folder, "pictures");
  const inProgress = new Map<string, Promise<StoredFile>>();
  let bytes: number | null = null;

  const draw = async (card: ShareCard, file: string): Promise<StoredFile> => {
    makeFolder(pictures);
    await writeFile(settings, fontconfigXml(fonts));
    chownToFolderOwner(folder, settings);
    const part = `${file}.new`;
    await program.run({ fonts, file: part, card }).catch(throwUnavailable);
    await restrictAndSyncFile(part);
    await moveDurably(part, file);
    const drawn = await findStoredFile(file);
    if (drawn === null) throw new Error(`${file} vanished`);
    bytes = (bytes ?? (await bytesIn(pictures)) - drawn.bytes) + drawn.bytes;
    if (bytes > bytesMax) bytes = await keepLatest(pictures, bytesMax * KEPT_SHARE);
    return drawn;
  };

  return {
    async picture(card) {
      const id = sharePictureId(card);
      const file = join(pictures, `${id}.png`);
      const running = inProgress.get(id);
      if (running !== undefined) return await running;
      const found = await findStoredFile(file);
      if (found !== null) {
        const now = new Date();
        await utimes(file, now, now);
        return found;
      }
      const drawn = inProgress.get(id) ?? draw(card, file).finally(() => inProgress.delete(id));
      inProgress.set(id, drawn);
      return await drawn;
    },
    stop: () => program.stop(),
  };
}

function throwUnavailable(error: unknown): never {
  if (!(error instanceof TaskProgramError)) throw error;
  throw new AppError(
    "unavailable",
    {
      en: "The picture cannot be drawn now; try again",
      de: "Das Bild lässt sich gerade nicht zeichnen: Versuchen Sie es noch einmal",
    },
    {
      cause: error,
      retryAfterSeconds: RETRY_SECONDS,
    },
  );
}

async function bytesIn(folder: string): Promise<number> {
  const files = await filesIn(folder);
  return files.reduce((sum, { size }) => sum + size, 0);
}

/**
 * Keeps the most recently used files up to the limit and removes the others. @returns the bytes that remain.
 */
async function keepLatest(folder: string, bytesMax: number): Promise<number> {
  const latestFirst = (await filesIn(folder)).sort((a, b) => b.usedAt - a.usedAt);
  let bytes = 0;
  for (const { file, size } of latestFirst) {
    if (bytes + size > bytesMax) await rm(file, { force: true });
    else bytes += size;
  }
  return bytes;
}

async function filesIn(folder: string): Promise<{ file: string; size: number; usedAt: number }[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".png"));
  return await Promise.all(
    names.map(async (name) => {
      const file = join(folder, name);
      const { size, mtimeMs } = await stat(file);
      return { file, size, usedAt: mtimeMs };
    }),
  );
}
