import { parentPort } from "node:worker_threads";
import { AppError } from "../../../errors.ts";
import { renderBody } from "../../../render/body/body.ts";
import type { RenderedBody } from "../../../render/body/rendered-body.ts";
import type { Picture } from "../../../render/pictures.ts";

export interface RenderingTask {
  body: string;
  origin: string;
  /** Facts of the site's own pictures, by path. */
  pictures: ReadonlyMap<string, Picture | null>;
}

export type RenderingReply =
  /** `missing`: paths of pictures that the text shows and the task said nothing about. */
  { rendered: RenderedBody; missing: string[] } | { refusal: string } | { bug: unknown };

parentPort?.on("message", (task: RenderingTask) => {
  parentPort?.postMessage(replyTo(task));
});

function replyTo({ body, origin, pictures }: RenderingTask): RenderingReply {
  const missing = new Set<string>();
  const findPicture = (path: string) => {
    const known = pictures.get(path);
    if (known === undefined) missing.add(path);
    return known ?? null;
  };
  try {
    const rendered = renderBody(body, { origin, findPicture });
    return { rendered, missing: [...missing] };
  } catch (error) {
    return error instanceof AppError ? { refusal: error.message } : { bug: error };
  }
}
