import {
  type MailSender,
  mailSignature,
  mailTextFromParagraphs,
  toSubjectLine,
} from "../letter.ts";
import type { Mail } from "../outbox.ts";
import {
  type AccountChange,
  ENGLISH_ACCOUNT_CHANGED_TEXTS,
} from "../texts/account-changed-english.ts";
import { GERMAN_ACCOUNT_CHANGED_TEXTS } from "../texts/account-changed-german.ts";

const TEXTS_BY_LANGUAGE = [ENGLISH_ACCOUNT_CHANGED_TEXTS, GERMAN_ACCOUNT_CHANGED_TEXTS];

/**
 * Mail to a person whose account was changed, by that person or by an owner.
 *
 * @param language the language of the mail. English is used for a language without texts.
 */
export function accountChangedMail(
  sender: MailSender,
  { id, name, email }: { id: string; name: string; email: string },
  { change, language }: { change: AccountChange; language: string },
): Mail {
  const { siteName, origin } = sender;
  const texts =
    TEXTS_BY_LANGUAGE.find((each) => each.language === language) ?? ENGLISH_ACCOUNT_CHANGED_TEXTS;
  return {
    kind: "account-changed",
    about: id,
    to: email,
    replyTo: null,
    subject: toSubjectLine(texts.subject(siteName)),
    text: mailTextFromParagraphs(
      texts.greeting(toSubjectLine(name)),
      texts.changed(siteName, change),
      texts.otherwise(`${origin}/admin/account`),
      mailSignature(sender),
    ),
  };
}
