import type { BulkLine } from "../../content/editing/bulk.ts";
import { parseJsonLine } from "../../content/import/json-line.ts";
import { type NumberedLine, splitIntoLines } from "../../content/import/lines.ts";
import type { ContentTypes } from "../../content/types/content-type.ts";
import { englishOnlyWording } from "../../errors.ts";
import type { HttpRequest } from "../exchange.ts";
import { streamRequestBody } from "./arriving-bytes.ts";

export const BULK_LINE_BYTES_MAX = 1024 * 1024;
const RETRY_ADVICE = englishOnlyWording(
  "what was reported as saved stays saved; send all lines again",
);

interface LineContext {
  types: ContentTypes;
  now: Date;
  timeZone: string;
}

/** Parses the lines of a request as they arrive, skipping empty lines. */
export async function* parseBulkLines(
  request: HttpRequest,
  {
    draining,
    yieldBetween,
    ...context
  }: LineContext & { draining: AbortSignal; yieldBetween: () => Promise<void> },
): AsyncGenerator<BulkLine> {
  const bytes = streamRequestBody(request, { advice: RETRY_ADVICE, draining });
  for await (const line of splitIntoLines(bytes, BULK_LINE_BYTES_MAX)) {
    if (line.text === null || line.text.trim() !== "") yield parseBulkLine(line, context);
    await yieldBetween();
  }
}

/** Parses one line, which must not be empty. */
export function parseBulkLine(line: NumberedLine, context: LineContext): BulkLine {
  const { number, bytes } = line;
  if (line.text === null) {
    const problems = [{ where: "", message: line.fault.en }];
    return { number, bytes, input: null, problems, hasStatus: false };
  }
  const options = { file: "", line: number, ...context, unknown: "refuse" } as const;
  const { input, problems, hasStatus } = parseJsonLine(line.text, options);
  const lineProblems = problems.map(({ field, message }) => ({
    where: field,
    message: message.en,
  }));
  return { number, bytes, input, problems: lineProblems, hasStatus };
}
