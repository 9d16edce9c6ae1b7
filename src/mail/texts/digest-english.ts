/** Texts of the mail about waiting work. */
export const ENGLISH_DIGEST_TEXTS = {
  language: "en",
  subject: (site: string) => `${site}: something waits for you`,
  greeting: (name: string) => `Hello ${name},`,
  waiting: (site: string) => `this waits for you at ${site}:`,
  moreThan: "more than ",
  counted: {
    requests: (count: number) =>
      count === 1 ? "1 request for a key" : `${count} requests for keys`,
    messages: (count: number) => (count === 1 ? "1 new message" : `${count} new messages`),
    failed: (count: number) =>
      count === 1
        ? "1 draft that could not be published when it was due"
        : `${count} drafts that could not be published when they were due`,
    asked: (count: number) => (count === 1 ? "1 draft to review" : `${count} drafts to review`),
    reviews: (count: number) =>
      count === 1 ? "1 item due for review" : `${count} items due for review`,
    notes: (count: number) =>
      count === 1 ? "1 new note on a draft" : `${count} new notes on drafts`,
  },
  turnOff: (address: string) =>
    `This mail comes at most once a day, and only if something is new. You can turn it off at ${address}`,
};

export type DigestTexts = typeof ENGLISH_DIGEST_TEXTS;
