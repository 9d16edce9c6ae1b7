/** What one judge said of one thing. */
export interface Verdict {
  what: string;
  passed: boolean;
  /** A figure, or what is wrong. */
  detail: string;
}

/** Prints every verdict and a closing count; the exit code to end with. */
export function announce(verdicts: readonly Verdict[]): number {
  const width = Math.max(...verdicts.map(({ what }) => what.length));
  for (const { what, passed, detail } of verdicts) {
    console.log(`${passed ? "pass" : "FAIL"}  ${what.padEnd(width)}  ${detail}`);
  }
  const failed = verdicts.filter(({ passed }) => !passed).length;
  console.log(`${verdicts.length - failed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}
