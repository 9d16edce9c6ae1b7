import { z } from "zod";

/**
 * The task to make smaller versions of the file `original` in `folder`. The smaller versions are
 * written to `folder` too, with names like `640.avif`.
 */
export const pictureSizeTaskSchema = z.object({
  folder: z.string(),
  type: z.string(),
  widths: z.array(z.int()),
});

export type PictureSizeTask = z.output<typeof pictureSizeTaskSchema>;

/**
 * `refusal` says why the picture cannot be decoded. `systemFault` says why its smaller versions could
 * not be written, such as for a full disk. Both are null if they were made.
 */
export const pictureSizeResultSchema = z.object({
  refusal: z.string().nullable(),
  systemFault: z.string().nullable(),
});

export type PictureSizeResult = z.output<typeof pictureSizeResultSchema>;
