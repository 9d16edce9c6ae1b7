import type { BulkLine } from "../../content/bulk.ts";
import type { ContentTypes } from "../../content/content-type.ts";
import { parseJsonLine } from "../../content/import/json-line.ts";
import { type Line, linesOf } from "../../content/import/lines.ts";
import { AppError } from "../../errors.ts";

export const BULK_LINE_BYTES_MAX = 1024 * 1024;
const IDLE_SECONDS_MAX = 30;

/** The lines of a request, read as they come; empty ones are left out. */
export async function* bulkLines(request: Request, types: ContentTypes): AsyncGenerator<BulkLine> {
  for await (const line of linesOf(arriving(request), BULK_LINE_BYTES_MAX)) {
    if (line.text === null || line.text.trim() !== "") yield bulkLine(line, types);
  }
}

/** @throws {AppError} `invalid` when nothing comes for half a minute, or the client has gone. */
async function* arriving(request: Request): AsyncGenerator<Uint8Array> {
  if (request.body === null) return;
  const reader = request.body.getReader();
  try {
    for (;;) {
      const { done, value } = await inTime(reader.read());
      if (done) return;
      yield value;
    }
  } finally {
    // Whoever waits for a client that is gone would wait for ever.
    reader.cancel().catch(() => {});
  }
}

async function inTime<T>(reading: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const message = `Nothing came for ${IDLE_SECONDS_MAX} seconds; what was told as saved stays saved, send the lines once more`;
    reject(new AppError("invalid", message));
  }, IDLE_SECONDS_MAX * 1000);
  try {
    return await Promise.race([reading, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Empty lines are for the caller to leave out. */
export function bulkLine(line: Line, types: ContentTypes): BulkLine {
  const { number, bytes } = line;
  if (line.text === null) {
    const problems = [{ where: "", message: line.fault }];
    return { number, bytes, input: null, problems, statesStatus: false };
  }
  const options = { file: "", line: number, types, unknown: "refuse" } as const;
  const { input, problems, statesStatus } = parseJsonLine(line.text, options);
  const told = problems.map(({ field, message }) => ({ where: field, message }));
  return { number, bytes, input, problems: told, statesStatus };
}
