import type { Route } from "./route.ts";
import { adminRoutes } from "./routes/admins.ts";
import { auditRoutes } from "./routes/audit.ts";
import { bulkRoutes } from "./routes/bulk.ts";
import { contentRoutes } from "./routes/content.ts";
import { draftNoteRoutes } from "./routes/desk/draft-notes.ts";
import { draftReviewRoutes } from "./routes/desk/draft-review.ts";
import { bulkEditingRoutes } from "./routes/desk/many.ts";
import { referenceRoutes } from "./routes/desk/references.ts";
import { draftRoutes } from "./routes/drafts.ts";
import { jobRoutes } from "./routes/jobs.ts";
import { keyRequestRoutes } from "./routes/key-requests.ts";
import { keyUpkeepRoutes } from "./routes/key-upkeep.ts";
import { keyRoutes } from "./routes/keys.ts";
import { linkRoutes } from "./routes/links.ts";
import { mediaRoutes } from "./routes/media.ts";
import { messageRoutes } from "./routes/messages.ts";
import { oldAddressRoutes } from "./routes/old-addresses.ts";
import { presenceRoutes } from "./routes/presence.ts";
import { previewRoutes } from "./routes/preview.ts";
import { previewCodeRoutes } from "./routes/preview-codes.ts";
import { publishingRoutes } from "./routes/publishing.ts";
import { redirectRoutes } from "./routes/redirects.ts";
import { revisionRoutes } from "./routes/revisions.ts";
import { rootRoutes } from "./routes/root.ts";
import { settingsRoutes } from "./routes/settings.ts";
import { statisticsRoutes } from "./routes/stats.ts";
import { webhookRoutes } from "./routes/webhooks.ts";

/** The complete route table of `/api/v1`: routing, OpenAPI and the access tests all use it. */
export const ROUTES: readonly Route[] = [
  ...rootRoutes(() => ROUTES),
  ...mediaRoutes,
  ...contentRoutes,
  ...bulkRoutes,
  ...publishingRoutes,
  ...referenceRoutes,
  ...bulkEditingRoutes,
  ...revisionRoutes,
  ...draftRoutes,
  ...previewRoutes,
  ...previewCodeRoutes,
  ...draftNoteRoutes,
  ...draftReviewRoutes,
  ...presenceRoutes,
  ...redirectRoutes,
  ...oldAddressRoutes,
  ...linkRoutes,
  ...settingsRoutes,
  ...webhookRoutes,
  ...jobRoutes,
  ...keyRoutes,
  ...keyUpkeepRoutes(() => ROUTES),
  ...keyRequestRoutes,
  ...messageRoutes,
  ...adminRoutes,
  ...auditRoutes,
  ...statisticsRoutes,
];
