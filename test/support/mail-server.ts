import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { listening } from "./listening.ts";

export const LOGIN = { user: "site@quotations.example", password: "p@ss wörd/1" };

export interface CaughtMail {
  from: string;
  to: string[];
  /** Unfolded headers by lower-case name. */
  headers: ReadonlyMap<string, string>;
  /** The decoded body. */
  text: string;
  raw: string;
}

/** A real SMTP server on this machine that keeps received mails. */
export interface MailServer extends AsyncDisposable {
  port: number;
  /** The value for `SMTP_URL`. */
  url: string;
  caught: CaughtMail[];
  /** Refusals for the next recipients, in order. */
  answers: { code: number; text: string }[];
}

export async function openMailServer(
  options: { login?: boolean } & Pick<SMTPServerOptions, "secure"> = {},
): Promise<MailServer> {
  const caught: CaughtMail[] = [];
  const answers: { code: number; text: string }[] = [];
  const server = new SMTPServer({
    secure: options.secure === true,
    authOptional: options.login !== true,
    allowInsecureAuth: true,
    disabledCommands: ["STARTTLS"],
    disableReverseLookup: true,
    onAuth({ username, password }, _session, done) {
      const isRight = username === LOGIN.user && password === LOGIN.password;
      if (isRight) done(null, { user: username });
      else done(new Error(`Authentication of ${password} failed`));
    },
    onRcptTo(_address, _session, done) {
      const answer = answers.shift();
      if (answer === undefined) return done();
      done(Object.assign(new Error(answer.text), { responseCode: answer.code }));
    },
    onData(stream, { envelope }, done) {
      const pieces: Buffer[] = [];
      stream.on("data", (piece: Buffer) => pieces.push(piece));
      stream.on("end", () => {
        const from = envelope.mailFrom === false ? "" : envelope.mailFrom.address;
        const to = envelope.rcptTo.map(({ address }) => address);
        caught.push({ from, to, ...parsed(Buffer.concat(pieces).toString("utf8")) });
        done();
      });
    },
  });
  // Some tests close the connection early.
  server.on("error", () => {});
  const port = await listening(server.server);
  return {
    port,
    url: `smtp://${encodeURIComponent(LOGIN.user)}:${encodeURIComponent(LOGIN.password)}@127.0.0.1:${port}`,
    caught,
    answers,
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function parsed(raw: string): Pick<CaughtMail, "headers" | "text" | "raw"> {
  const end = raw.indexOf("\r\n\r\n");
  const unfolded = raw.slice(0, end).replaceAll(/\r\n[ \t]+/g, " ");
  const headers = new Map(
    unfolded.split("\r\n").map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
    }),
  );
  return { headers, text: decodedText(raw.slice(end + 4)), raw };
}

/** Quoted-printable (RFC 2045, 6.7). */
function decodedText(body: string): string {
  const joined = body.replaceAll("=\r\n", "").replaceAll("\r\n", "\n");
  const bytes = joined.replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(bytes, "latin1").toString("utf8");
}
