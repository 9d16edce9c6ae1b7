/** The result of one judgement. */
export interface Verdict {
  what: string;
  passed: boolean;
  /** Depends on times, and so on the machine. */
  isOfTime?: true;
  /** A figure, or the fault. */
  detail: string;
}

/**
 * Prints every verdict and a final count. Returns the exit code. With `SHARED_PROCESSORS=1`, for machines
 * where clients, server and other programs share processors, times are printed but not judged.
 */
export function announce(verdicts: readonly Verdict[]): number {
  const width = Math.max(...verdicts.map(({ what }) => what.length));
  const outcomes = verdicts.map(outcomeOf);
  verdicts.forEach(({ what, detail }, place) => {
    console.log(`${outcomes[place]}  ${what.padEnd(width)}  ${detail}`);
  });
  const count = (wanted: Outcome) => outcomes.filter((outcome) => outcome === wanted).length;
  const slow = count("slow") > 0 ? `, ${count("slow")} slow (not judged here)` : "";
  console.log(`${count("pass")} passed, ${count("FAIL")} failed${slow}`);
  return count("FAIL") === 0 ? 0 : 1;
}

type Outcome = "pass" | "FAIL" | "slow";

function outcomeOf({ passed, isOfTime }: Verdict): Outcome {
  if (passed) return "pass";
  return isOfTime && process.env["SHARED_PROCESSORS"] === "1" ? "slow" : "FAIL";
}
