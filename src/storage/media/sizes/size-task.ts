import { z } from "zod";

/**
 * The task to make smaller versions of the file `original` in `folder`. They are written to
 * `folder` too, with names like `640.avif`.
 */
export const sizeTaskSchema = z.object({
  folder: z.string(),
  type: z.string(),
  widths: z.array(z.int()),
});

export type SizeTask = z.output<typeof sizeTaskSchema>;

/** `refusal` says why the picture cannot be decoded; null if the versions were made. */
export const sizeReplySchema = z.object({ refusal: z.string().nullable() });

export type SizeReply = z.output<typeof sizeReplySchema>;
