import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import type { z } from "zod";
import { serveTasks } from "../../../work/serve-tasks.ts";
import { ORIGINAL_FILE, writeCopyWithoutMetadata } from "./clean-copy.ts";
import { type PictureSizeResult, pictureSizeTaskSchema } from "./size-task.ts";

/** Memory limit for libvips and the decoders. A photograph of 12 megapixels takes 200 MB. */
const BYTES_MAX = 1024 * 1024 * 1024;
const PIXELS_MAX = 100_000_000;
const AVIF_OPTIONS = { quality: 52, effort: 3 };
const WEBP_OPTIONS = { quality: 76, effort: 4 };

const MADE: PictureSizeResult = { refusal: null, systemFault: null };

sharp.cache(false);
sharp.concurrency(1);

serveTasks(async (message) => await makeSizes(pictureSizeTaskSchema.parse(message)), {
  bytesMax: BYTES_MAX,
});

/**
 * Writes the smaller versions into the folder. Also writes a clean copy if the picture was stored
 * with metadata.
 */
async function makeSizes({
  folder,
  type,
  widths,
}: z.output<typeof pictureSizeTaskSchema>): Promise<PictureSizeResult> {
  const original = join(folder, ORIGINAL_FILE);
  try {
    await writeCopyWithoutMetadata(folder, type);
    const picture = sharp(original, { limitInputPixels: PIXELS_MAX, sequentialRead: true });
    const { pages = 1 } = await picture.metadata();
    if (pages > 1) return MADE;
    // Makes the versions from large to small, each from the previous one, so that the original is decoded
    // once.
    let source = picture.autoOrient();
    for (const width of widths.toReversed()) {
      const { data, info } = await source
        .resize({ width })
        .raw()
        .toBuffer({ resolveWithObject: true });
      const { height, channels } = info;
      const raw = { raw: { width: info.width, height, channels } } as const;
      source = sharp(data, raw);
      // Node writes the files instead of sharp. Its errors have a `syscall`, unlike those of the decoder.
      const avif = await sharp(data, raw).avif(AVIF_OPTIONS).toBuffer();
      await writeFile(join(folder, `${width}.avif`), avif);
      const webp = await sharp(data, raw).webp(WEBP_OPTIONS).toBuffer();
      await writeFile(join(folder, `${width}.webp`), webp);
    }
    return MADE;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const isOfSystem = error instanceof Error && "syscall" in error;
    return isOfSystem ? { ...MADE, systemFault: message } : { ...MADE, refusal: message };
  }
}
