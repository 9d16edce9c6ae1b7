import type { Projection } from "./projection.ts";
import { renderingFirst } from "./reading/rendering/rendering-first.ts";

/** Renders large texts immediately, for changes that hold no lock and so may wait. */
export function renderingInPlace(projection: Projection): Projection {
  return {
    ...projection,
    requireRendered: () => {},
    check: (item, before) => renderingFirst(async () => await projection.check(item, before)),
  };
}
