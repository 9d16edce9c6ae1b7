import { AppError, englishOnlyWording } from "../../errors.ts";
import { readBody } from "../body-reading.ts";
import type { HttpRequest } from "../exchange.ts";

const BYTES_MAX = 64 * 1024;
const FORM_TYPE = "application/x-www-form-urlencoded";

/** The fields and files of a form that a browser has sent. */
export interface SentForm {
  /** The first value; empty when missing. */
  value(name: string): string;
  /** All values of a field that may occur several times. */
  values(name: string): readonly string[];
  /** All fields in order, without files. */
  fields: readonly (readonly [name: string, value: string])[];
  /** The files; empty for forms without file fields. */
  files: readonly SentFile[];
  /**
   * Files of a form that is read while the form arrives. Each file must be read before the next one is
   * requested.
   */
  arrivingFiles?: AsyncGenerator<SentFile>;
}

/** The fields of a form, by name. */
export type SentValues = Pick<SentForm, "value" | "values">;

export interface SentFile {
  /** The file name; empty: no file was chosen. */
  name: string;
  isEmpty: boolean;
  /** Lower bound of the size, from the declared length of the body; 0: unknown. */
  bytesAtLeast: number;
  /** The content, which can be read only once. */
  stream(): AsyncIterable<Uint8Array>;
}

/** A refusal before any field is read. */
export interface FormRejection {
  status: 415;
  detail: string;
}

/**
 * Reads a form. Rejects forms from other sites, to prevent CSRF.
 *
 * @throws {AppError} `forbidden` for a form from another site, `too_large` beyond 64 KiB.
 */
export async function readForm(
  request: HttpRequest,
  origin: string,
): Promise<SentForm | FormRejection> {
  refuseForeignForm(request, origin);
  return await readFormFromAnyOrigin(request);
}

/**
 * Reads a form without checking that it comes from this site.
 *
 * @throws {AppError} `too_large` beyond the limit, by default 64 KiB.
 */
export async function readFormFromAnyOrigin(
  request: HttpRequest,
  bytesMax = BYTES_MAX,
): Promise<SentForm | FormRejection> {
  const type = (request.header("content-type") ?? "").split(";")[0]?.trim().toLowerCase();
  if (type !== FORM_TYPE) {
    return {
      status: 415,
      detail: `Send the form as ${FORM_TYPE}; files and other types are not taken`,
    };
  }
  const body = await readBody(request.body, bytesMax);
  const fields = new URLSearchParams(Buffer.from(body).toString("utf8"));
  return { ...formFromFields([...fields]), files: [] };
}

/** The fields of a form. Browsers send line ends as CRLF; the values have LF. */
export function formFromFields(
  sent: readonly (readonly [name: string, value: string])[],
): Pick<SentForm, "value" | "values" | "fields"> {
  const fields = sent.map(([name, value]) => [name, value.replaceAll(/\r\n?/g, "\n")] as const);
  const values = (name: string) => fields.flatMap(([own, value]) => (own === name ? [value] : []));
  return { value: (name) => values(name)[0] ?? "", values, fields };
}

/**
 * CSRF check. `Sec-Fetch-Site` takes precedence over `Origin`, because `Sec-Fetch-Site` is correct even if
 * the site is reached under another host name. Clients other than browsers send neither header and are
 * accepted.
 */
function refuseForeignForm(request: HttpRequest, origin: string): void {
  const site = request.header("sec-fetch-site");
  const from = request.header("origin");
  const isOwn =
    site === undefined
      ? from === undefined || from === origin
      : site === "same-origin" || site === "none";
  if (isOwn) return;
  throw new AppError(
    "forbidden",
    englishOnlyWording(
      `This form was sent from a page of another site: open ${origin}/contact and send it from there`,
    ),
  );
}
