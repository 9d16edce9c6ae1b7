import { STATUS_CODES } from "node:http";

interface ProblemDetails {
  status: number;
  detail: string;
  instance?: string;
  links?: readonly { rel: string; href: string }[];
  requestId?: string;
}

/** The JSON of RFC 9457; the title is the name of the status, so the type needs no address. */
export function problemJson(details: ProblemDetails): string {
  const title = STATUS_CODES[details.status] ?? "Error";
  return `${JSON.stringify({ type: "about:blank", title, ...details }, null, 2)}\n`;
}

export function problemResponse(
  details: ProblemDetails,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return new Response(problemJson(details), {
    status: details.status,
    headers: {
      "Content-Type": "application/problem+json",
      "Cache-Control": "no-store",
      "Access-Control-Allow-Origin": "*",
      ...headers,
    },
  });
}
