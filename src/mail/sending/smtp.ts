import { isIP } from "node:net";
import type { Transporter } from "nodemailer";
import { type SpanAttributes, type TracedStep, traceStep } from "../../tracing.ts";
import type { DueMail } from "../outbox.ts";

const CONNECT_MILLISECONDS = 10_000;
const SILENCE_MILLISECONDS = 20_000;

const CERTIFICATE_CODE = /CERT|ISSUER|SIGNATURE|TLS|SSL/;

const MAIL_STEP: TracedStep = { name: "mail", kind: "client" };

/** The mail server from `SMTP_URL`. */
export interface MailServer {
  host: string;
  port: number;
  /** Whether the connection uses TLS from its first byte; otherwise STARTTLS. */
  isSecure: boolean;
  login: { user: string; password: string } | null;
}

/** Why a mail was not sent, in words safe to show; `isFinal`: a retry would fail as well. */
export interface MailError {
  fault: string;
  isFinal: boolean;
}

export interface SenderAddress {
  name: string;
  email: string;
}

/**
 * Delivers a mail. Resolves to null once the server has accepted it, otherwise to the fault. Aborting the
 * signal cancels the delivery.
 */
export type DeliverMail = (
  mail: DueMail,
  sender: SenderAddress,
  signal: AbortSignal,
) => Promise<MailError | null>;

/** Delivers by SMTP. Sends a password only over TLS. */
export function createSmtpDelivery(server: MailServer): DeliverMail {
  let opening: Promise<Transporter> | null = null;
  const deliver: DeliverMail = async (mail, sender, signal) => {
    try {
      opening ??= openTransport(server);
      const transport = await opening;
      await transport.sendMail({
        from: { name: sender.name, address: sender.email },
        to: { name: "", address: mail.to },
        ...(mail.replyTo === null
          ? {}
          : { replyTo: { name: mail.replyTo.name, address: mail.replyTo.email } }),
        subject: mail.subject,
        text: mail.text,
        messageId: `<${mail.id}@${sender.email.slice(sender.email.lastIndexOf("@") + 1)}>`,
        date: new Date(mail.createdAt),
        headers: { "Auto-Submitted": "auto-generated" },
        textEncoding: "quoted-printable",
        xMailer: false,
        signal,
      });
      return null;
    } catch (error) {
      return faultOf(error, server);
    }
  };
  return (...args) => traceStep(MAIL_STEP, () => deliver(...args), deliveryAttributes);
}

function deliveryAttributes(fault: MailError | null): SpanAttributes {
  return fault === null ? {} : { "error.type": fault.isFinal ? "refused" : "not_delivered" };
}

/** The library is imported with the first mail, because most processes send none. */
async function openTransport({ host, port, isSecure, login }: MailServer): Promise<Transporter> {
  const { createTransport } = await import("nodemailer");
  const isLocal = host === "localhost" || host === "::1" || /^127\./.test(host);
  return createTransport({
    host,
    port,
    secure: isSecure,
    // Does not use STARTTLS with a local mail server. A local server seldom has a verifiable certificate,
    // and needs none.
    ignoreTLS: !isSecure && isLocal,
    requireTLS: !isSecure && !isLocal && login !== null,
    ...(login === null ? {} : { auth: { user: login.user, pass: login.password } }),
    ...(isIP(host) === 0 ? { tls: { servername: host } } : {}),
    connectionTimeout: CONNECT_MILLISECONDS,
    greetingTimeout: CONNECT_MILLISECONDS,
    socketTimeout: SILENCE_MILLISECONDS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/** Describes an error without the texts of the server and the library, which may contain secrets. */
function faultOf(error: unknown, { host, port }: MailServer): MailError {
  const { code, originalCode, responseCode } = errorParts(error);
  const where = `the mail server ${host}:${port}`;
  const status = responseCode === null ? "" : ` (${responseCode})`;
  if (code === "EAUTH" || code === "ENOAUTH") {
    return { fault: `${where} refused the login${status}: check SMTP_URL`, isFinal: false };
  }
  if (responseCode !== null && (code === "EENVELOPE" || code === "EMESSAGE")) {
    const isFinal = responseCode >= 500;
    const fault = isFinal ? "refused the mail" : "put the mail off";
    return { fault: `${where} ${fault}${status}`, isFinal };
  }
  if (code === "ETLS" || CERTIFICATE_CODE.test(originalCode)) {
    const fault = `no safe connection to ${where}: check its name, port and certificate`;
    return { fault, isFinal: false };
  }
  if (responseCode !== null) return { fault: `${where} answered ${responseCode}`, isFinal: false };
  return { fault: `${where} cannot be reached or does not answer`, isFinal: false };
}

interface ErrorParts {
  code: string;
  /** The code of the underlying Node error, which the library replaces with its own `code`. */
  originalCode: string;
  responseCode: number | null;
}

function errorParts(error: unknown): ErrorParts {
  if (!(error instanceof Error)) return { code: "", originalCode: "", responseCode: null };
  const code = "code" in error ? String(error.code) : "";
  const originalCode = "originalCode" in error ? String(error.originalCode) : "";
  const responseCode = "responseCode" in error ? Number(error.responseCode) : Number.NaN;
  return { code, originalCode, responseCode: Number.isInteger(responseCode) ? responseCode : null };
}
