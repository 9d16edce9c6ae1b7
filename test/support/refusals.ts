import assert from "node:assert/strict";
import { AppError, type EnglishProblem, toEnglishProblems } from "../../src/errors.ts";

/** A check for `assert.rejects`: the English message has exactly these problems. */
export function refusedFor(
  problems: readonly EnglishProblem[],
  { code = "invalid", message }: { code?: AppError["code"]; message?: string | RegExp } = {},
): (error: unknown) => true {
  return (error) => {
    assert(error instanceof AppError, String(error));
    assert.equal(error.code, code);
    assert.deepEqual(toEnglishProblems(error.problems), problems);
    if (typeof message === "string") assert.equal(error.message, message);
    else if (message !== undefined) assert.match(error.message, message);
    return true;
  };
}
