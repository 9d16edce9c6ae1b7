import { z } from "zod";

/** Makes versions of `original` in the folder, named like `640.avif`. */
export const sizeTaskSchema = z.object({
  folder: z.string(),
  type: z.string(),
  widths: z.array(z.int()),
});

export type SizeTask = z.output<typeof sizeTaskSchema>;

/** Why the picture cannot be decoded; null: done. */
export const sizeReplySchema = z.object({ refused: z.string().nullable() });

export type SizeReply = z.output<typeof sizeReplySchema>;
