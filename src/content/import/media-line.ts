import { z } from "zod";
import { buildWording, type Wording } from "../../errors.ts";
import { describeIssue, wordingOfIssue } from "../items/issue-messages.ts";
import { type MediaFileInput, mediaFileInputSchema } from "../media/media-file-input.ts";

const schema = z.strictObject({ file: z.string(), ...mediaFileInputSchema.shape });

/** Parses a line of `media.jsonl`, which describes a file in `media/`. */
export function parseMediaLine(
  text: string,
): { file: string; metadata: MediaFileInput } | { fault: Wording } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { fault: { en: "is not JSON", de: "ist kein JSON" } };
  }
  const parsed = schema.safeParse(value, { error: describeIssue });
  if (parsed.success) {
    const { file, ...metadata } = parsed.data;
    return { file, metadata };
  }
  const { issues } = parsed.error;
  const faults = buildWording((language) =>
    issues.map((issue) => [...issue.path, wordingOfIssue(issue)[language]].join(" ")).join("; "),
  );
  return { fault: faults };
}
