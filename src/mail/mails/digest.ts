import {
  type MailSender,
  mailSignature,
  mailTextFromParagraphs,
  toSubjectLine,
} from "../letter.ts";
import type { Mail } from "../outbox.ts";
import { ENGLISH_DIGEST_TEXTS } from "../texts/digest-english.ts";
import { GERMAN_DIGEST_TEXTS } from "../texts/digest-german.ts";

/** Counts of tasks that wait for a person; the mail omits zero counts. */
export interface WaitingTaskCounts {
  requests: number;
  messages: number;
  /** Number of drafts whose scheduled publication failed. */
  failed: number;
  /** Number of drafts with a request for review. */
  asked: number;
  /** Number of items due for review. */
  reviews: number;
  /** Number of new notes on drafts. */
  notes: number;
}

/** Higher counts are shown as "more than" this number. */
export const SHOWN_COUNT_MAX = 99;

const TEXTS_BY_LANGUAGE = [ENGLISH_DIGEST_TEXTS, GERMAN_DIGEST_TEXTS];
const COUNT_LINES = [
  ["requests", "/admin/requests"],
  ["messages", "/admin/messages"],
  ["failed", "/admin/desk"],
  ["asked", "/admin/drafts"],
  ["reviews", "/admin/desk"],
  ["notes", "/admin/drafts"],
] as const satisfies readonly (readonly [keyof WaitingTaskCounts, string])[];

/**
 * Mail to a person about the tasks that wait for them. Gives only counts and links: drafts and submissions
 * are confidential, and others may read the mail.
 *
 * @param language the language of the mail. English is used for a language without texts.
 */
export function digestMail(
  sender: MailSender,
  { id, name, email }: { id: string; name: string; email: string },
  { counts, language }: { counts: WaitingTaskCounts; language: string },
): Mail {
  const { siteName, origin } = sender;
  const texts =
    TEXTS_BY_LANGUAGE.find((each) => each.language === language) ?? ENGLISH_DIGEST_TEXTS;
  const lines = COUNT_LINES.filter(([task]) => counts[task] > 0).map(([task, path]) => {
    const count = Math.min(counts[task], SHOWN_COUNT_MAX);
    const isMore = counts[task] > SHOWN_COUNT_MAX;
    return `- ${isMore ? texts.moreThan : ""}${texts.counted[task](count)}: ${origin}${path}`;
  });
  return {
    kind: "digest",
    about: id,
    to: email,
    replyTo: null,
    subject: toSubjectLine(texts.subject(siteName)),
    text: mailTextFromParagraphs(
      texts.greeting(toSubjectLine(name)),
      texts.waiting(siteName),
      lines.join("\n"),
      texts.turnOff(`${origin}/admin/account`),
      mailSignature(sender),
    ),
  };
}
