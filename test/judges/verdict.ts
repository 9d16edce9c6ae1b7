/** What one judge said of one thing. */
export interface Verdict {
  what: string;
  passed: boolean;
  /** It is about how long something took, and so about the machine as well. */
  isOfTime?: true;
  /** A figure, or what is wrong. */
  detail: string;
}

/**
 * Prints every verdict and a closing count; the exit code to end with. With `SHARED_PROCESSORS=1`, for
 * machines where clients, server and others share processors, times are printed and not judged.
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
