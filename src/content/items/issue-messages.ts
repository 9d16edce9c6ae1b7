import type { z } from "zod";

const KINDS: Readonly<Record<string, string>> = {
  string: "a text",
  int: "a whole number",
  number: "a number",
  boolean: "true or false",
  array: "a list",
  object: "a group of keys and values",
  record: "a group of keys and values",
};

const FORMATS: Readonly<Record<string, string>> = {
  email: "is not an e-mail address",
  url: "is not an absolute address, as https://example.org/page",
  datetime: "is not a date and time, as 2026-11-21T10:00:00Z",
};

const UNITS: Readonly<Record<string, string>> = { string: "characters", array: "entries" };

/** Translates a schema issue into plain words for authors; undefined keeps the schema's message. */
export function describeIssue(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined
        ? "is missing"
        : `must be ${KINDS[issue.expected] ?? issue.expected}`;
    case "invalid_value":
      return issue.input === undefined
        ? "is missing"
        : `must be ${issue.values.length === 1 ? "" : "one of "}${issue.values.join(", ")}`;
    case "invalid_format":
      return FORMATS[issue.format] ?? "is not written as it should be";
    case "unrecognized_keys":
      return `has keys that mean nothing here: ${issue.keys.join(", ")}`;
    case "too_big":
      return describeTooBig(issue.origin, String(issue.maximum));
    case "too_small":
      return describeTooSmall(issue.origin, String(issue.minimum));
    case "not_multiple_of":
      return `must be a multiple of ${issue.divisor}`;
    case "invalid_key":
      return "has a name that cannot be used";
    case "invalid_union":
      return "is none of the forms this can take";
    default:
      return undefined;
  }
}

function describeTooBig(origin: string, maximum: string): string {
  const unit = UNITS[origin];
  return unit === undefined ? `must be at most ${maximum}` : `is longer than ${maximum} ${unit}`;
}

function describeTooSmall(origin: string, minimum: string): string {
  const unit = UNITS[origin];
  if (unit === undefined) return `must be at least ${minimum}`;
  return minimum === "1" ? "is empty" : `must be at least ${minimum} ${unit}`;
}
