import { z } from "zod";

/** The task to draw `card` into `file`. `fonts` is the folder that {@link unpackFonts} fills. */
export const sharePictureTaskSchema = z.object({
  fonts: z.string(),
  file: z.string(),
  card: z.object({
    caution: z.string(),
    text: z.string(),
    language: z.string(),
    isQuotation: z.boolean(),
    source: z.string(),
    site: z.string(),
    paper: z.string(),
    ink: z.string(),
    soft: z.string(),
    accent: z.string(),
    bad: z.string(),
  }),
});

export type SharePictureTask = z.output<typeof sharePictureTaskSchema>;

/** Positions of the texts, in pixels. */
const boxSchema = z.object({
  left: z.number(),
  top: z.number(),
  width: z.number(),
  height: z.number(),
});

export const sharePictureResultSchema = z.object({ boxes: z.array(boxSchema) });

export type SharePictureResult = z.output<typeof sharePictureResultSchema>;
