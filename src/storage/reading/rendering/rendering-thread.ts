import { parentPort } from "node:worker_threads";
import { AppError } from "../../../errors.ts";
import { renderBody } from "../../../render/body/body.ts";
import type { RenderedBody } from "../../../render/body/rendered-body.ts";
import type { Picture } from "../../../render/pictures.ts";
import type { ThreadResult } from "../../../work/limited-thread.ts";

export interface RenderingTask {
  body: string;
  origin: string;
  /** Metadata of the site's own pictures, keyed by the path of the picture. */
  pictures: ReadonlyMap<string, Picture | null>;
}

export interface RenderingResult {
  rendered: RenderedBody;
  /** Paths of the pictures in the text whose metadata the task lacked. */
  missing: string[];
}

parentPort?.on("message", (task: RenderingTask) => {
  parentPort?.postMessage(replyTo(task));
});

function replyTo({ body, origin, pictures }: RenderingTask): ThreadResult<RenderingResult> {
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
    return error instanceof AppError ? { refusal: error.wording } : { bug: error };
  }
}
