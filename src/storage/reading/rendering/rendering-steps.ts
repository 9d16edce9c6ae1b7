import { AppError } from "../../../errors.ts";
import { type BodyRenderOptions, renderBody } from "../../../render/body/body.ts";
import type { RenderedBody } from "../../../render/body/rendered-body.ts";
import { renderAsCodeBlock } from "../../../render/body/source-body.ts";
import type { ComputationSteps } from "../../sqlite/yield-between.ts";
import { isLargeText, largeTextRenderer } from "./large-texts.ts";

/**
 * Renders a stored text, in a thread if the text is large. If the text exceeds the limits of this
 * version, returns its source instead, so that no stored text prevents a copy from being built.
 */
export function* renderInSteps(
  body: string,
  options: BodyRenderOptions,
): ComputationSteps<RenderedBody> {
  const kept = isLargeText(body) ? largeTextRenderer.rendered(body, options) : null;
  if (kept !== null) return kept;
  const outcome: { rendered?: RenderedBody; error?: unknown } = {};
  if (isLargeText(body)) {
    yield largeTextRenderer.render(body, options).then(
      (rendered) => void Object.assign(outcome, { rendered }),
      (error: unknown) => void Object.assign(outcome, { error }),
    );
  } else {
    try {
      return renderBody(body, options);
    } catch (error) {
      outcome.error = error;
    }
  }
  if (outcome.rendered !== undefined) return outcome.rendered;
  if (outcome.error instanceof AppError && outcome.error.code === "invalid") {
    return renderAsCodeBlock(body);
  }
  throw outcome.error;
}
