import { type MailSender, mailSignature, mailTextFromParagraphs, subjectLine } from "../letter.ts";
import type { Mail } from "../outbox.ts";
import { ACCOUNT_CHANGED_ENGLISH, type AccountChange } from "../texts/account-changed-english.ts";
import { ACCOUNT_CHANGED_GERMAN } from "../texts/account-changed-german.ts";

const TEXTS_BY_LANGUAGE = [ACCOUNT_CHANGED_ENGLISH, ACCOUNT_CHANGED_GERMAN];

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
    TEXTS_BY_LANGUAGE.find((each) => each.language === language) ?? ACCOUNT_CHANGED_ENGLISH;
  return {
    kind: "account-changed",
    about: id,
    to: email,
    replyTo: null,
    subject: subjectLine(texts.subject(siteName)),
    text: mailTextFromParagraphs(
      texts.greeting(subjectLine(name)),
      texts.changed(siteName, change),
      texts.otherwise(`${origin}/admin/account`),
      mailSignature(sender),
    ),
  };
}
