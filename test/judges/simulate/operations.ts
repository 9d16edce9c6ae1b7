import type { Actor } from "../../../src/access/actor.ts";
import { revokeKey } from "../../../src/access/keys/key-changes.ts";
import { issueKey } from "../../../src/access/keys/keys.ts";
import { receiveMessage } from "../../../src/access/submissions/messages.ts";
import { saveItem } from "../../../src/content/editing/editing.ts";
import {
  archiveItem,
  deleteItem,
  publishItem,
  scheduleItem,
  unpublishItem,
} from "../../../src/content/editing/publishing.ts";
import { itemInputSchema } from "../../../src/content/items/item.ts";
import { siteProfileSchema } from "../../../src/content/site/site.ts";
import { saveSite } from "../../../src/content/site/site-saving.ts";
import { AppError } from "../../../src/errors.ts";
import type { OpenRecord, RecordStores } from "../../../src/storage/record/stores.ts";
import { requestImport } from "../../../src/transfer/import-requests.ts";
import type { JobFiles } from "../../../src/transfer/job.ts";
import { requestExport } from "../../../src/transfer/jobs.ts";
import { createWebhook } from "../../../src/webhooks/managing.ts";

const OPERATOR: Actor = { kind: "operator" };
const UNKNOWN_OUTCOME = /may have been kept or not/;

export const STATUS_CHANGES = {
  publish: publishItem,
  unpublish: unpublishItem,
  archive: archiveItem,
  delete: deleteItem,
} as const;

/** A request of a client. */
export type Operation =
  | { do: "site"; name: string }
  | {
      do: "save";
      item: number;
      title: string;
      body: string;
      isPublic: boolean;
      toItems: readonly number[];
    }
  | { do: "status"; item: number; change: keyof typeof STATUS_CHANGES }
  | { do: "schedule"; item: number; inSeconds: number }
  | { do: "saveTogether"; items: readonly number[]; title: string }
  | { do: "message" }
  | { do: "import"; items: readonly number[]; title: string }
  | { do: "export" }
  | { do: "webhook"; url: string }
  | { do: "issueKey"; perMinute: number }
  | { do: "revokeKey"; key: string };

export type Outcome =
  /** `changed`: items with the revision that shows the change; empty if no item changed. */
  | {
      kind: "done";
      changed: readonly { id: string; revision: number; status: string }[];
      made: string | null;
    }
  | { kind: "refused"; why: string }
  /** The connection was lost while the change was saved. */
  | { kind: "unknown"; why: string };

interface Place {
  record: OpenRecord;
  files: JobFiles;
  now: () => Date;
}

/** Performs an operation as the admin API does, in one transaction. */
export async function performOperation(
  place: Place,
  operation: Operation,
  requestId: string,
): Promise<Outcome> {
  try {
    return await perform(place, operation, requestId);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const kind = UNKNOWN_OUTCOME.test(error.message) ? "unknown" : "refused";
    return { kind, why: `${error.code}: ${error.message}` };
  }
}

async function perform(
  { record, files, now }: Place,
  operation: Operation,
  requestId: string,
): Promise<Outcome> {
  const options = { now: now(), requestId };
  switch (operation.do) {
    case "save":
      return await record.atomically(async (stores) =>
        doneOutcome([await save(stores, operation, options)]),
      );
    case "saveTogether":
      return await record.atomically(async (stores) => {
        const saved = [];
        for (const item of operation.items) {
          saved.push(await save(stores, { ...plain(item, operation.title), do: "save" }, options));
        }
        return doneOutcome(saved);
      });
    case "status":
    case "schedule":
      return await record.atomically((stores) => changeStatus(stores, operation, options));
    case "message":
      return await record.atomically(async (stores) => {
        const input = { name: "Visitor", email: "visitor@example.org", text: requestId };
        const { id } = await receiveMessage(stores, input, {
          ...options,
          origin: "https://quotations.example",
          sendsMail: true,
        });
        return createdOutcome(id);
      });
    case "import": {
      const choices = { status: null, isLenient: false, isDryRun: false };
      const file = { name: "", bytes: () => linesOf(operation) };
      const asked = { ...options, file, bytesAtLeast: 0, choices };
      return createdOutcome(
        (await requestImport({ jobs: record.jobs, files }, OPERATOR, asked)).id,
      );
    }
    case "export":
      return createdOutcome((await requestExport(record.jobs, OPERATOR, options)).id);
    default:
      return await setUp(record, operation, options);
  }
}

type Options = { now: Date; requestId: string };

async function setUp(
  record: OpenRecord,
  operation: Operation & { do: "site" | "webhook" | "issueKey" | "revokeKey" },
  options: Options,
): Promise<Outcome> {
  switch (operation.do) {
    case "site": {
      const profile = siteProfileSchema.parse({
        name: operation.name,
        description: "Public archive of checked quotations.",
        whenToUse: ["find a checked quotation"],
        contact: { email: "editors@quotations.example" },
      });
      await saveSite(record.content, OPERATOR, profile, [], options.now);
      return doneOutcome([]);
    }
    case "webhook": {
      const input = { url: operation.url, events: ["*"], description: "" };
      const asked = { ...options, privateNetworks: true };
      return createdOutcome(
        (await createWebhook(record.webhooks, OPERATOR, input, asked)).webhook.id,
      );
    }
    case "issueKey": {
      const { perMinute: ratePerMinute } = operation;
      const input = { name: "Agent", scopes: ["mcp:read" as const], ratePerMinute };
      const issued = await issueKey(record.keys, OPERATOR, input, options.now);
      return createdOutcome(`${issued.record.id} ${issued.key}`);
    }
    case "revokeKey":
      await record.atomically(({ keys }) =>
        revokeKey(keys, OPERATOR, operation.key, { why: "over", ...options }),
      );
      return doneOutcome([]);
  }
}

async function save(
  { content }: RecordStores,
  { item, title, body, isPublic, toItems }: Operation & { do: "save" },
  { now, requestId }: Options,
) {
  const input = itemInputSchema.parse({
    type: "topic",
    title,
    body,
    relations: toItems.length === 0 ? {} : { see_also: toItems.map((to) => `key:${to}`) },
    status: isPublic ? "published" : "draft",
    sourceKey: `key:${item}`,
  });
  const saved = await saveItem(content, OPERATOR, input, now, {
    requestId,
    missingTargets: "leave_out",
  });
  return saved.item;
}

function plain(item: number, title: string): Omit<Operation & { do: "save" }, "do"> {
  return { item, title, body: `About ${title}`, isPublic: true, toItems: [] };
}

async function changeStatus(
  { content }: RecordStores,
  operation: Operation & { do: "status" | "schedule" },
  options: Options,
): Promise<Outcome> {
  const item = await content.itemBySourceKey(`key:${operation.item}`);
  if (item === null) return { kind: "refused", why: "not_found" };
  if (operation.do === "status") {
    const change = STATUS_CHANGES[operation.change];
    return doneOutcome([await change(content, OPERATOR, item.id, options)]);
  }
  const publishAt = new Date(options.now.getTime() + operation.inSeconds * 1000);
  return doneOutcome([await scheduleItem(content, OPERATOR, item.id, { ...options, publishAt })]);
}

async function* linesOf({ items, title }: Operation & { do: "import" }) {
  for (const item of items) {
    const line = { type: "topic", sourceKey: `imported:${item}`, title: `${title} ${item}` };
    yield Buffer.from(`${JSON.stringify({ ...line, status: "published" })}\n`);
  }
}

function doneOutcome(items: readonly { id: string; revision: number; status: string }[]): Outcome {
  const changed = items.map(({ id, revision, status }) => ({ id, revision, status }));
  return { kind: "done", changed, made: null };
}

function createdOutcome(id: string): Outcome {
  return { kind: "done", changed: [], made: id };
}
