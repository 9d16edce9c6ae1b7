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

/** What a schema found wrong, worded for whoever wrote the file; undefined leaves it to the schema. */
export function wordIssue(issue: z.core.$ZodRawIssue): string | undefined {
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
      return FORMATS[issue.format];
    case "unrecognized_keys":
      return `has keys that mean nothing here: ${issue.keys.join(", ")}`;
    case "too_big":
      return `is longer than ${issue.maximum} ${UNITS[issue.origin] ?? ""}`.trimEnd();
    case "too_small":
      return Number(issue.minimum) === 1 && issue.origin in UNITS
        ? "is empty"
        : `must be at least ${issue.minimum} ${UNITS[issue.origin] ?? ""}`.trimEnd();
    default:
      return undefined;
  }
}
