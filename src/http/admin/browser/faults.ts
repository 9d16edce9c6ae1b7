/**
 * Why a request failed: the server's reason if it gave one, otherwise a text from the page.
 * `answer` is null if there was no connection.
 */
export function requestFaultText(
  answer: Pick<Response, "headers"> | null,
  { offline = "", failed = "" }: Readonly<Record<string, string | undefined>>,
): string {
  if (answer === null) return offline;
  const fault = answer.headers.get("X-Fault");
  return fault === null ? failed : decodeURIComponent(fault);
}
