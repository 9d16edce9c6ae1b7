import type { KeptAnswers } from "../kept-answers.ts";
import type { KeyStore } from "../keys/keys.ts";
import type { KeyRequestStore } from "./key-requests.ts";
import type { MessageStore } from "./messages.ts";
import type { MailStores } from "./submissions.ts";

/** The stores for receiving and deciding on submissions, all in one transaction. */
export interface SubmissionStores extends MailStores {
  keyRequests: KeyRequestStore;
  messages: MessageStore;
  keys: KeyStore;
  keptAnswers: Pick<KeptAnswers, "find" | "keep">;
}
