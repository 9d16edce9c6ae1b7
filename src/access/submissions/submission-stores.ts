import type { IdempotentResponseStore } from "../idempotent-responses.ts";
import type { KeyStore } from "../keys/keys.ts";
import type { KeyRequestStore } from "./key-requests.ts";
import type { MessageStore } from "./messages.ts";
import type { MailStores } from "./submissions.ts";

/** The stores of one transaction for receiving submissions and deciding on them. */
export interface SubmissionStores extends MailStores {
  keyRequests: KeyRequestStore;
  messages: MessageStore;
  keys: KeyStore;
  idempotentResponses: Pick<IdempotentResponseStore, "find" | "store">;
}
