import { z } from "zod";
import { describeIssue } from "../items/issue-messages.ts";
import { type MediumInput, mediumInputSchema } from "../media/medium-input.ts";

const schema = z.strictObject({ file: z.string(), ...mediumInputSchema.shape });

/** Parses a line of `media.jsonl`, which describes a file in `media/`. */
export function parseMediaLine(
  text: string,
): { file: string; said: MediumInput } | { fault: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { fault: "is not JSON" };
  }
  const parsed = schema.safeParse(value, { error: describeIssue });
  if (parsed.success) {
    const { file, ...said } = parsed.data;
    return { file, said };
  }
  const faults = parsed.error.issues.map(({ path, message }) => [...path, message].join(" "));
  return { fault: faults.join("; ") };
}
