import { z } from "zod";
import { previewDraft, previewItem, type RenderPreview } from "../../../content/editing/preview.ts";
import { choosePageVariant } from "../../accept.ts";
import type { RenderedResponse } from "../../encodable-response.ts";
import type { HttpResponse } from "../../exchange.ts";
import { renderPageResponse } from "../../site/page-response.ts";
import { HttpError } from "../api-problem.ts";
import { readJson } from "../request-body.ts";
import { defineStreamRoute, NO_QUERY, type Route, type StreamCall } from "../route.ts";
import { parseRevisionNumber } from "./revisions.ts";

const PREVIEW_TYPES = ["text/html", "text/markdown"];

const preview = defineStreamRoute({
  method: "GET",
  path: "/content/{id}/preview",
  scope: "content:read",
  summary: "Preview the page of an item, or of one of its revisions, as if published now",
  query: z.strictObject({ revision: z.string().exactOptional() }),
  accepts: [],
  produces: PREVIEW_TYPES,
  async answer(call) {
    const { revision } = call.query;
    return await itemPreviewResponse(
      call,
      revision === undefined ? {} : { revision: parseRevisionNumber(revision) },
    );
  },
});

const previewOfChange = defineStreamRoute({
  method: "POST",
  path: "/content/{id}/preview",
  scope: "content:read",
  summary: "Preview the page of an item after a JSON Merge Patch, without saving it",
  query: NO_QUERY,
  accepts: ["application/json", "application/merge-patch+json"],
  produces: PREVIEW_TYPES,
  async answer(call) {
    const patch = z
      .record(z.string(), z.unknown())
      .safeParse(await readJson(call.request, TYPE_REQUIRED));
    if (patch.success) return await itemPreviewResponse(call, { patch: patch.data });
    throw new HttpError(400, "The body must be a JSON object that names what is to change");
  },
});

const TYPE_REQUIRED = { mayOmitType: false };

const previewOfDraft = defineStreamRoute({
  method: "GET",
  path: "/drafts/{id}/preview",
  scope: "content:read",
  summary: "Preview the page of a draft, as if published now",
  query: NO_QUERY,
  accepts: [],
  produces: PREVIEW_TYPES,
  async answer(call) {
    const { parts, actor, pathParameter, now } = call;
    return await previewResponse(call, (show) =>
      previewDraft(parts.preview, actor, pathParameter("id"), { now, show }),
    );
  },
});

export const previewRoutes: readonly Route[] = [preview, previewOfChange, previewOfDraft];

async function itemPreviewResponse(
  call: StreamCall,
  variation: { revision?: number; patch?: Record<string, unknown> },
): Promise<HttpResponse> {
  const { parts, actor, pathParameter, now } = call;
  return await previewResponse(call, (show) =>
    previewItem(parts.preview, actor, pathParameter("id"), { now, ...variation, show }),
  );
}

/** Renders the preview, with headers that forbid caching and indexing. */
async function previewResponse(
  { parts, request }: StreamCall,
  renderPreview: (show: RenderPreview<RenderedResponse>) => Promise<RenderedResponse>,
): Promise<HttpResponse> {
  const variant = choosePageVariant(request.header("accept"));
  if (variant === null)
    throw new HttpError(406, `A preview is served as ${PREVIEW_TYPES.join(" or ")}`);
  const format = variant === "html" ? "html" : "negotiated";
  const { body, headers } = await renderPreview((view, reading) =>
    renderPageResponse(view, format, { reading, origin: parts.origin }),
  );
  return {
    status: 200,
    headers: {
      "Content-Type": headers["Content-Type"] ?? "text/html; charset=utf-8",
      "Content-Length": String(Buffer.byteLength(body)),
      "Cache-Control": "private, no-store",
      "X-Robots-Tag": "noindex",
      Vary: "Accept",
    },
    body,
  };
}
