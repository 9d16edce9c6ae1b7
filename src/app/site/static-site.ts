import { authenticate } from "../../access/keys/keys.ts";
import { SlidingWindowRateLimiter } from "../../access/rate-limits.ts";
import type { Config } from "../../config.ts";
import type { MediaFile } from "../../content/media/media.ts";
import type { HttpDependencies } from "../../http/dependencies.ts";
import { createHttpHandler } from "../../http/front.ts";
import { createInProcessRequest, webResponseFrom } from "../../http/in-process.ts";
import { ResponseCache } from "../../http/response-cache.ts";
import type { Log } from "../../log.ts";
import type { SiteResponse, StaticExportSource } from "../../static/static-source.ts";
import { readFormerPaths } from "../../storage/reading/former-paths.ts";
import { openReadingCopy } from "../../storage/reading/open.ts";
import type { OpenRecord } from "../../storage/record/stores.ts";
import type { Snapshot } from "../../transfer/snapshot.ts";
import { VERSION } from "../../version.ts";
import { readingCopyFilePath } from "../data-folder.ts";
import { openConfiguredRecord, openFileStores } from "../store.ts";

const MEDIA_BATCH = 100;
const HTML_TYPE = "text/html";
/** Longer than that of the server: no visitor waits, and a picture that fails ends the whole export. */
const DRAWING_SECONDS_MAX = 600;

export interface OpenStaticSource extends StaticExportSource, AsyncDisposable {}

/** Opens the public site's own request handler for an export; the server need not be running. */
export async function openStaticSource(
  config: Config,
  { log }: { log: Log },
): Promise<OpenStaticSource> {
  await using opened = new AsyncDisposableStack();
  const record = opened.use(
    await openConfiguredRecord(config, { use: "shared", otherOrigin: "keep", log }),
  );
  await record.replica?.untilCurrent();
  const file = readingCopyFilePath(config);
  const reading = opened.use(openReadingCopy({ file }));
  const drawing = { drawingSecondsMax: DRAWING_SECONDS_MAX };
  const { workers: _, ...files } = openFileStores(config, record, { log, ...drawing });
  opened.defer(() => files.sharePictures.stop());
  const front = createHttpHandler(publicParts(record, { reading, ...files, log }));
  const snapshot = opened.use(record.snapshot());
  const parts = opened.move();
  return {
    reading,
    origin: record.origin,
    async ask(target): Promise<SiteResponse> {
      const headers = new Headers({ accept: HTML_TYPE });
      const request = createInProcessRequest(target, { method: "GET", headers, body: null });
      const answer = await front(request);
      const bytes = Buffer.from(await webResponseFrom(answer).arrayBuffer());
      return { status: answer.status, headers: answer.headers, bytes };
    },
    formerPaths: readFormerPaths(file),
    media: allMedia(snapshot),
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
}

type PublicCopies = Pick<
  HttpDependencies,
  "reading" | "mediaFiles" | "pictureSizes" | "sharePictures" | "log"
>;

/** Dependencies of the public pages only. Requests for these pages are not counted. */
function publicParts(record: OpenRecord, copies: PublicCopies): HttpDependencies {
  const notFound = async () => ({ status: 404, headers: {}, body: null });
  const { reading } = copies;
  return {
    ...copies,
    origin: record.origin,
    version: VERSION,
    now: () => new Date(),
    mcp: notFound,
    api: notFound,
    admin: notFound,
    visitorForms: { atomically: record.atomically, formSecret: "", sendsMail: false },
    sharedPreviews: record,
    countResponse: () => {},
    noteView: () => {},
    metrics: null,
    replicaStatus: () => null,
    damages: { isDamaged: () => false },
    draining: new AbortController().signal,
    authenticate: (authorization, address) =>
      authenticate(record.keys, authorization, { now: new Date(), address }),
    rateLimits: new SlidingWindowRateLimiter(),
    answers: new ResponseCache({ version: () => reading.version(), headers: {} }),
  };
}

async function* allMedia(snapshot: Snapshot): AsyncGenerator<MediaFile> {
  let after = "";
  for (;;) {
    const batch = await snapshot.media(after, MEDIA_BATCH);
    yield* batch;
    const last = batch.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}
