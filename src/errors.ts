export type ErrorCode =
  | "not_found"
  | "gone"
  | "invalid"
  | "unauthenticated"
  | "forbidden"
  /** Allowed only after the person has entered the password again. */
  | "unconfirmed"
  | "conflict"
  | "precondition"
  | "too_large"
  | "unsupported"
  | "rate_limited"
  | "unavailable";

/** The languages of the administrators' screens. */
export type ScreenLanguage = "en" | "de";

/**
 * A message in every language of the administrators' screens. The API, tools, commands and logs use
 * the English one.
 */
export type Wording = Readonly<Record<ScreenLanguage, string>>;

/** One problem in an input: where it is and how to fix it. */
export interface Problem {
  /** Path of the field in the API, such as `fields.year`; screens show the label. Empty: the whole input. */
  where: string;
  message: Wording;
}

/** A problem as the API sends it. */
export interface EnglishProblem {
  where: string;
  message: string;
}

/**
 * An expected failure with a message for the person or agent who caused it. Every interface (web pages,
 * admin API, MCP, commands) translates `code` into its own terms. Any other exception is a bug, and its
 * text never leaves the server.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  /** The message for screens; `message` is the English one. */
  readonly wording: Wording;
  readonly problems: readonly Problem[];
  /**
   * The heading that screens show above the problems. It replaces `wording`, which has the API's
   * field names. Empty: no heading. Null: screens show `wording`.
   */
  readonly heading: Wording | null;
  /** Number of whole seconds after which a retry can succeed; only with `rate_limited` and `unavailable`. */
  readonly retryAfterSeconds: number | undefined;
  /** Whether an operator has to fix something before a retry can succeed. */
  readonly isLasting: boolean;

  constructor(
    code: ErrorCode,
    wording: Wording,
    details: {
      problems?: readonly Problem[];
      heading?: Wording;
      retryAfterSeconds?: number;
      isLasting?: boolean;
      cause?: unknown;
    } = {},
  ) {
    super(wording.en, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = "AppError";
    this.code = code;
    this.wording = wording;
    this.problems = details.problems ?? [];
    this.heading = details.heading ?? null;
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.isLasting = details.isLasting ?? false;
  }
}

/** Builds a message by calling `text` for each language. */
export function buildWording(text: (language: ScreenLanguage) => string): Wording {
  return { en: text("en"), de: text("de") };
}

/**
 * A message that no screen shows, for operators, programs and agents. A test lists the folders and files
 * that are allowed to use it.
 */
export function englishOnlyWording(text: string): Wording {
  return { en: text, de: text };
}

/**
 * An `invalid` error that lists problems in an input. The message uses the API's field names;
 * screens list the problems with the labels of the fields.
 */
export function inputError(heading: Wording, problems: readonly Problem[]): AppError {
  const lines = (language: ScreenLanguage) =>
    problems
      .map(({ where, message }) =>
        where === "" ? message[language] : `${where}: ${message[language]}`,
      )
      .join("; ");
  const messageIn = (language: ScreenLanguage) =>
    heading[language] === "" ? lines(language) : `${heading[language]}: ${lines(language)}`;
  return new AppError(
    "invalid",
    { en: messageIn("en"), de: messageIn("de") },
    { problems, heading },
  );
}

/** An `invalid` error for one field of an input. */
export function fieldError(where: string, message: Wording): AppError {
  return inputError({ en: "", de: "" }, [{ where, message }]);
}

/** Problems as the API sends them. */
export function toEnglishProblems(problems: readonly Problem[]): EnglishProblem[] {
  return problems.map(({ where, message }) => ({ where, message: message.en }));
}

/** Whether a retry can succeed, for example after a brief loss of the database connection. */
export function isTransientError(error: unknown): error is AppError {
  return (
    error instanceof AppError &&
    error.code === "unavailable" &&
    error.retryAfterSeconds !== undefined &&
    !error.isLasting
  );
}
