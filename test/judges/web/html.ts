import { HtmlValidate } from "html-validate";
import type { Verdict } from "../verdict.ts";

const validator = new HtmlValidate({ extends: ["html-validate:standard"] });

/** Each page as browsers get it must be valid HTML, whatever its status. */
export async function judgeHtml(origin: string, paths: readonly string[]): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  for (const path of paths) {
    const answer = await fetch(`${origin}${path}`, { headers: { accept: "text/html" } });
    const { valid, results } = await validator.validateString(await answer.text());
    const messages = results
      .flatMap(({ messages }) => messages)
      .map(({ line, ruleId, message }) => `line ${line} ${ruleId}: ${message}`);
    const detail = [`status ${answer.status}`, ...messages.slice(0, 5)].join("; ");
    verdicts.push({ what: `html-validate ${path}`, passed: valid, detail });
  }
  return verdicts;
}
