import type { Name, Reference } from "../../../src/content/citations/reference.ts";

/** `Family, Given` or a name that is not inverted. */
export function people(...texts: string[]): Name[] {
  return texts.map((text) => {
    const [family = "", given] = text.split(", ");
    return given === undefined ? { literal: text } : { family, given };
  });
}

export function book(
  authors: string[],
  title: string,
  year: number | null,
  rest: Partial<Reference> = {},
): Reference {
  return {
    kind: "whole",
    authors: people(...authors),
    title,
    ...(year === null ? {} : { date: { year } }),
    ...rest,
  };
}

export function other(
  kind: Exclude<Reference["kind"], "whole">,
  authors: string[],
  title: string,
  rest: Partial<Reference> = {},
): Reference {
  return { kind, authors: people(...authors), title, ...rest };
}
