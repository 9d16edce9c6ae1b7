import { formatsOf } from "../formats.ts";

const { list } = formatsOf("en");

/** The part of the English catalogue that is about quotations. */
export const ENGLISH_QUOTATIONS = {
  quotation: {
    heading: (authors: readonly string[]) =>
      authors.length === 0 ? "A quotation" : `Quotation from ${list(authors)}`,
    /** The link from a quotation in a list to the page of the quotation. */
    open: "Context and citation",
    ofTheDay: "Quotation of the day",
    another: "Another, at random",
    context: (work: string) => `In ${work}`,
    before: "Before it:",
    after: "After it:",
    moreBy: (author: string) => `More from ${author}`,
    moreOn: (topic: string) => `More on ${topic}`,
    all: (name: string) => `All quotations: ${name}`,
  },

  verification: {
    title: "How far a quotation can be trusted",
    lead: "The seal of a quotation says how well its source is known. It describes the source, not the worth of the words.",
    verified: "The words were found in the work that is named, at the place that is given.",
    attributed:
      "The words are commonly given under this name, and have not been found in a work yet. They may be genuine, shortened or reworded: check them before you quote them as this author’s.",
    disputed:
      "There are reasons to doubt that the words are this author’s, and the question is open. Say so when you quote them.",
    misattributed:
      "The words are known to be by somebody else, or of unknown origin. Do not quote them under this name.",
    question: "Do you know a source, or a reason for doubt?",
  },
};
