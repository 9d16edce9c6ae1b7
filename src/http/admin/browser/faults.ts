/**
 * Why a request failed: the server's reason, or else a text of the page. `answer`: null without a
 * connection.
 */
export function faultOf(
  answer: Pick<Response, "headers"> | null,
  { offline = "", failed = "" }: Readonly<Record<string, string | undefined>>,
): string {
  if (answer === null) return offline;
  const fault = answer.headers.get("X-Fault");
  return fault === null ? failed : decodeURIComponent(fault);
}
