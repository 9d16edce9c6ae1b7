import type { Route } from "./route.ts";
import { contentRoutes } from "./routes/content.ts";
import { publishingRoutes } from "./routes/publishing.ts";
import { revisionRoutes } from "./routes/revisions.ts";
import { rootRoutes } from "./routes/root.ts";
import { webhookRoutes } from "./routes/webhooks.ts";

/** THE table of `/api/v1`: what is served, described and tested for access. */
export const ROUTES: readonly Route[] = [
  ...rootRoutes(() => ROUTES),
  ...contentRoutes,
  ...publishingRoutes,
  ...revisionRoutes,
  ...webhookRoutes,
];
