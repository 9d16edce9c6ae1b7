import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  type CitationPiece,
  type CitedName,
  type CitedReference,
  renderCitationText,
} from "../../../src/content/citations/reference.ts";

/** Citations as published, with italics in asterisks. */
export interface Examples {
  /** Where the style publishes them. */
  page: string;
  examples: [CitedReference, string][];
}

export function testExamples(
  cite: (reference: CitedReference) => CitationPiece[],
  groups: readonly Examples[],
): void {
  for (const { page, examples } of groups) {
    describe(page, () => {
      for (const [reference, expected] of examples) {
        it(expected.slice(0, 80), () => {
          assert.equal(
            renderCitationText(cite(reference), (text) => `*${text}*`),
            expected,
          );
        });
      }
    });
  }
}

/** `Family, Given` or a name that is not inverted. */
export function people(...texts: string[]): CitedName[] {
  return texts.map((text) => {
    const [family = "", given] = text.split(", ");
    return given === undefined ? { literal: text } : { family, given };
  });
}

export function book(
  authors: string[],
  title: string,
  year: number | null,
  rest: Partial<CitedReference> = {},
): CitedReference {
  return {
    kind: "whole",
    authors: people(...authors),
    title,
    ...(year === null ? {} : { date: { year } }),
    ...rest,
  };
}

export function other(
  kind: Exclude<CitedReference["kind"], "whole">,
  authors: string[],
  title: string,
  rest: Partial<CitedReference> = {},
): CitedReference {
  return { kind, authors: people(...authors), title, ...rest };
}
