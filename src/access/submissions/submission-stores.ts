import type { KeptAnswers } from "../kept-answers.ts";
import type { KeyStore } from "../keys/keys.ts";
import type { KeyRequestStore } from "./key-requests.ts";
import type { MessageStore } from "./messages.ts";
import type { MailStores } from "./submissions.ts";

/** The stores that submissions are received and decided on in; to be used within one transaction. */
export interface SubmissionStores extends MailStores {
  keyRequests: KeyRequestStore;
  messages: MessageStore;
  keys: KeyStore;
  keptAnswers: Pick<KeptAnswers, "find" | "keep">;
}
