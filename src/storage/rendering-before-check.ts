import type { Projection } from "./projection.ts";
import { renderLargeTextsFirst } from "./reading/rendering/render-large-texts-first.ts";

/**
 * Wraps a projection so that `check` first renders large texts, and waits until they are rendered. Use it
 * only for changes that hold no lock.
 */
export function withRenderingBeforeCheck(projection: Projection): Projection {
  return {
    ...projection,
    requireRendered: () => {},
    check: (item, before) =>
      renderLargeTextsFirst(async () => await projection.check(item, before)),
  };
}
