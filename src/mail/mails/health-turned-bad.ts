import { letterText, signature, subjectLine, type Writer } from "../letter.ts";
import type { Mail } from "../outbox.ts";

interface Fault {
  name: string;
  meaning: string;
  advice: string | null;
}

/** To an owner of the site: a health check has turned bad. */
export function healthTurnedBad(
  writer: Writer,
  { to, faults }: { to: string; faults: readonly Fault[] },
): Mail {
  const names = faults.map(({ name }) => name).join(", ");
  return {
    kind: "health",
    about: "health",
    to,
    replyTo: null,
    subject: subjectLine(`${writer.siteName}: look after ${names}`),
    text: letterText(
      ...faults.map(({ name, meaning, advice }) =>
        [`${name}: ${meaning}`, ...(advice === null ? [] : [advice])].join("\n"),
      ),
      `All there is to know: ${writer.origin}/admin/health`,
      signature(writer),
    ),
  };
}
